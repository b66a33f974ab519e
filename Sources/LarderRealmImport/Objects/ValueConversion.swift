import Foundation
import LarderRealmFile
import LarderStorage

/// Values of a `.realm` file as a store has them.
enum ValueConversion {
  /// A value that no store can hold, and why.
  struct Refusal: Error {
    var reason: RealmOmission.Reason
    var detail: String
  }

  /// A moment; nil for the last nanoseconds before the first second that a store counts.
  static func timestamp(_ date: RealmFileDate) -> Timestamp? {
    guard date.nanoseconds < 0 else { return Timestamp(seconds: date.seconds, nanoseconds: UInt32(date.nanoseconds)) }
    let (seconds, isBeyond) = date.seconds.subtractingReportingOverflow(1)
    return isBeyond ? nil : Timestamp(seconds: seconds, nanoseconds: UInt32(1_000_000_000 + date.nanoseconds))
  }

  static func objectId(_ id: RealmFileObjectId) -> ObjectIdBytes { ObjectIdBytes(high: id.high, low: id.low) }

  static func decimal(_ number: RealmFileDecimal) -> Decimal128Bits {
    Decimal128Bits(high: number.high, low: number.low)
  }

  /// A value that is not a link and no collection.
  ///
  /// - Parameter noteChange: Gets a sentence for a value that a store has to hold otherwise.
  /// - Throws: `Refusal` for what a store cannot hold.
  static func scalar(_ value: RealmFileValue, _ noteChange: (String) -> Void) throws -> StoredValue {
    switch value {
    case .null: return .null
    case .int(let value): return .int(value)
    case .bool(let value): return .bool(value)
    case .float(let value): return .float(value)
    case .double(let value): return .double(value)
    case .string(let value): return .string(value)
    case .data(let value): return .data(Data(value))
    case .date(let value):
      if let date = timestamp(value) { return .date(date) }
      noteChange(
        "the date of \(value.seconds) seconds and \(value.nanoseconds) nanoseconds is before the first one that a store can "
          + "hold, which was taken instead")
      return .date(Timestamp(seconds: .min))
    case .objectId(let value): return .objectId(objectId(value))
    case .uuid(let value): return .uuid(value)
    case .decimal(let value): return .decimal128(decimal(value))
    case .link, .list, .set, .dictionary:
      throw Refusal(reason: .unsuitableValue, detail: "a link or a collection is where a plain value belongs")
    }
  }

  /// A value of any type, with the links and collections in it.
  ///
  /// - Parameters:
  ///   - link: Gives the object that a link leads to; nil where it is not in the store.
  ///   - noteChange: As of `scalar`.
  /// - Throws: `Refusal` for what a store cannot hold.
  static func mixed(
    _ value: RealmFileValue, _ link: (RealmFileLink) -> ObjectLink?, _ noteChange: (String) -> Void
  ) throws -> StoredValue {
    switch value {
    case .link(let target): return link(target).map { .object($0) } ?? .null
    case .list(let elements): return .list(StoredList(try elements.map { try mixed($0, link, noteChange) }))
    case .dictionary(let entries):
      return .dictionary(
        StoredDictionary(try entries.map { (key: $0.key, value: try mixed($0.value, link, noteChange)) }))
    case .set: throw Refusal(reason: .unsuitableValue, detail: "a value of any type cannot be a set")
    default: return try scalar(value, noteChange)
    }
  }

  /// About how many bytes a value takes in memory while it waits to be written.
  static func size(_ value: StoredValue) -> Int {
    switch value {
    case .string(let text): 32 + text.utf8.count
    case .data(let bytes): 32 + bytes.count
    case .list(let list): list.reduce(64) { $0 + size($1) }
    case .dictionary(let entries): entries.reduce(64) { $0 + 32 + $1.key.utf8.count + size($1.value) }
    default: 32
    }
  }
}
