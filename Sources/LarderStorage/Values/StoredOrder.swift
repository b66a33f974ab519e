import Foundation

/// The total order of stored values, which sets keep their elements in.
///
/// Nil first, then Bool, numbers, strings, data, dates, ObjectIds, UUIDs, links, lists, dictionaries. Numbers of all types
/// compare by value: values that compare equal are one element of a set.
public enum StoredOrder {
  /// Below 0, 0 or above 0 as the first value sorts before, like or after the second.
  public static func compare(_ left: StoredValue, _ right: StoredValue) -> Int {
    switch (left, right) {
    case (.null, .null): 0
    case (.bool(let a), .bool(let b)): a == b ? 0 : (b ? -1 : 1)
    case (.int(let a), .int(let b)): order(a, b)
    case (.string(let a), .string(let b)): compare(a, b)
    case (.data(let a), .data(let b)): BytewiseOrder.compare(a, b)
    case (.date(let a), .date(let b)): order(a, b)
    case (.objectId(let a), .objectId(let b)): order(a, b)
    case (.uuid(let a), .uuid(let b)): BytewiseOrder.compare(a, b)
    case (.link(let a), .link(let b)): order(a, b)
    case (.object(let a), .object(let b)): a.classID == b.classID ? order(a.key, b.key) : order(a.classID, b.classID)
    case (.list(let a), .list(let b)): elements(a, b)
    case (.dictionary(let a), .dictionary(let b)): entries(a, b)
    default: acrossTypes(left, right)
    }
  }

  /// Compares two strings by their UTF-8 bytes.
  @inline(__always)
  public static func compare(_ left: String, _ right: String) -> Int {
    BytewiseOrder.compare(left, right)
  }

  private static func acrossTypes(_ left: StoredValue, _ right: StoredValue) -> Int {
    if let a = StoredNumber(left), let b = StoredNumber(right) { return StoredNumber.compare(a, b) }
    return order(rank(left), rank(right))
  }

  private static func rank(_ value: StoredValue) -> Int {
    switch value {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal128: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectId: 6
    case .uuid: 7
    case .link, .object: 8
    case .list: 9
    case .dictionary: 10
    }
  }

  private static func elements(_ left: StoredList, _ right: StoredList) -> Int {
    for (a, b) in zip(left, right) {
      let order = compare(a, b)
      if order != 0 { return order }
    }
    return left.count - right.count
  }

  private static func entries(_ left: StoredDictionary, _ right: StoredDictionary) -> Int {
    for (a, b) in zip(left, right) {
      let order = compare(a.key, b.key)
      if order != 0 { return order }
      let values = compare(a.value, b.value)
      if values != 0 { return values }
    }
    return left.count - right.count
  }

  @inline(__always)
  static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (a == b ? 0 : 1) }
}
