import Foundation

/// One value as the store knows it. Used at edges (import, predicates, dynamic access), never per row in a scan.
///
/// Two values are equal when they are stored alike: of one type, strings by their bytes, every NaN like any
/// other of its type. `StoredOrder` compares by meaning instead, across the types of numbers.
public enum StoredValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Timestamp)
  case uuid(UUID)
  case objectId(ObjectIdBytes)
  case decimal128(Decimal128Bits)
  /// A link, as the key in the column's target class.
  case link(ObjectKey)
  /// In columns of mixed values: a link to an object of any top-level class.
  case object(ObjectLink)
  /// In columns of mixed values: a list of mixed values.
  case list(StoredList)
  /// In columns of mixed values: mixed values by key.
  case dictionary(StoredDictionary)

  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension StoredValue: Hashable {
  public static func == (lhs: StoredValue, rhs: StoredValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.float(let a), .float(let b)): a == b || (a.isNaN && b.isNaN)
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    // Swift's own comparison takes two spellings of one character for one.
    case (.string(let a), .string(let b)): StoredOrder.compare(a, b) == 0
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.objectId(let a), .objectId(let b)): a == b
    case (.decimal128(let a), .decimal128(let b)): a == b
    case (.link(let a), .link(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.isNaN ? .nan : value)
    case .double(let value): hasher.combine(value.isNaN ? .nan : value)
    case .string(let value): BytewiseOrder.hash(value, into: &hasher)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .link(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .dictionary(let value): hasher.combine(value)
    }
  }
}
