import Foundation

extension StoredValue {
  /// The zero of a type: what a required column holds before anything is stored (M-47).
  package static func zero(_ type: ColumnType) -> StoredValue {
    switch type {
    case .bool: .bool(false)
    case .int: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data(Data())
    case .date: .date(Timestamp(seconds: 0))
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .objectId: .objectId(ObjectIdBytes(high: 0, low: 0))
    case .decimal128: .decimal128(.zero)
    case .link, .mixed: .null
    }
  }

  /// The type of column that stores this value; nil for null.
  package var type: ColumnType? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .int: .int
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .objectId: .objectId
    case .decimal128: .decimal128
    case .link: .link
    case .object, .list, .dictionary: .mixed
    }
  }

  /// The value as error messages show it: cut at 100 characters (E-131).
  package var shortDescription: String {
    let text =
      switch self {
      case .null: "nil"
      case .bool(let value): "\(value)"
      case .int(let value): "\(value)"
      case .float(let value): "\(value)"
      case .double(let value): "\(value)"
      case .string(let value): "'\(value.prefix(100))'"
      case .data(let value): "\(value.count) bytes of data"
      case .date(let value): "\(value.date)"
      case .uuid(let value): value.uuidString
      case .objectId(let value):
        String(repeating: "0", count: 16 - String(value.high, radix: 16).count) + String(value.high, radix: 16)
          + String(repeating: "0", count: 8 - String(value.low, radix: 16).count) + String(value.low, radix: 16)
      case .decimal128(let value): DecimalNumber(value).description
      case .link(let key): "object \(key.rawValue)"
      case .object(let link): "object \(link.key.rawValue) of class number \(link.classID.rawValue)"
      case .list(let elements): "a list of \(elements.count)"
      case .dictionary(let entries): "a dictionary of \(entries.count)"
      }
    return String(text.prefix(110))
  }
}
