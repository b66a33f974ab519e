import Foundation

/// The values of one property of neighbouring objects, in the order of the objects, as one array of their type; or some neighbouring
/// elements of a list or set.
public enum RealmFileColumn: Hashable, Sendable {
  /// Integers.
  case ints([Int64?])
  /// Truth values.
  case bools([Bool?])
  /// Numbers of 32 bits.
  case floats([Float?])
  /// Numbers of 64 bits.
  case doubles([Double?])
  /// Texts.
  case strings([String?])
  /// Byte strings.
  case datas([[UInt8]?])
  /// Moments.
  case dates([RealmFileDate?])
  /// ObjectIds.
  case objectIds([RealmFileObjectId?])
  /// UUIDs.
  case uuids([UUID?])
  /// Decimal numbers.
  case decimals([RealmFileDecimal?])
  /// Keys of objects of the property's target class; nil for no link, and for a link to an object that was never synchronised here.
  case links([Int64?], classIndex: Int)
  /// Values of any type, or whole collections.
  case values([RealmFileValue])

  /// The number of values.
  public var count: Int {
    switch self {
    case .ints(let values): values.count
    case .bools(let values): values.count
    case .floats(let values): values.count
    case .doubles(let values): values.count
    case .strings(let values): values.count
    case .datas(let values): values.count
    case .dates(let values): values.count
    case .objectIds(let values): values.count
    case .uuids(let values): values.count
    case .decimals(let values): values.count
    case .links(let values, _): values.count
    case .values(let values): values.count
    }
  }

  /// One value. The index must be less than `count`.
  public subscript(index: Int) -> RealmFileValue {
    switch self {
    case .ints(let values): values[index].map { .int($0) } ?? .null
    case .bools(let values): values[index].map { .bool($0) } ?? .null
    case .floats(let values): values[index].map { .float($0) } ?? .null
    case .doubles(let values): values[index].map { .double($0) } ?? .null
    case .strings(let values): values[index].map { .string($0) } ?? .null
    case .datas(let values): values[index].map { .data($0) } ?? .null
    case .dates(let values): values[index].map { .date($0) } ?? .null
    case .objectIds(let values): values[index].map { .objectId($0) } ?? .null
    case .uuids(let values): values[index].map { .uuid($0) } ?? .null
    case .decimals(let values): values[index].map { .decimal($0) } ?? .null
    case .links(let values, let target):
      values[index].map { .link(RealmFileLink(classIndex: target, key: $0)) } ?? .null
    case .values(let values): values[index]
    }
  }
}
