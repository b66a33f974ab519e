import Foundation
import LarderStorage

/// The order of values: nil first, NaN just above nil, numbers by value, text and bytes bytewise.
package enum ValueOrder {
  /// Negative, zero or positive as the first value sorts before, with or after the second. Values of different types
  /// are ordered by the rank of their type, numbers among each other by value.
  package static func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    switch (a, b) {
    case (.float(let a), .float(let b)): order(total(Double(a)), total(Double(b)))
    case (.double(let a), .double(let b)): order(total(a), total(b))
    default: StoredOrder.compare(a, b)
    }
  }

  /// Returns true if `a op b` holds for one value on each side, by the nil table Q-48 and IEEE rules for NaN.
  package static func holds(_ a: StoredValue, _ operation: ComparisonOperator, _ b: StoredValue) -> Bool {
    if a.isNull || b.isNull {
      let both = a.isNull && b.isNull
      return switch operation {
      case .equal, .lessOrEqual, .greaterOrEqual: both
      case .notEqual: !both
      default: false
      }
    }
    // Values of different kinds are neither equal nor in any order.
    if isNaN(a) || isNaN(b) || !isComparable(a, b) { return operation == .notEqual }
    let order = compare(a, b)
    return switch operation {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    default: false
    }
  }

  package static func isNaN(_ value: StoredValue) -> Bool {
    switch value {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    case .decimal128(let value): DecimalNumber(value).isNaN
    default: false
    }
  }

  /// A key whose signed order is the order of the numbers: NaN first, both zeros alike.
  @inline(__always)
  package static func total(_ value: Double) -> Int64 {
    if value.isNaN { return .min }
    let bits = Int64(bitPattern: (value == 0 ? 0 : value).bitPattern)
    return bits >= 0 ? bits : (bits ^ .max)
  }

  static func bytewise(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.lexicographicallyPrecedes(b) ? -1 : (a == b ? 0 : 1)
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : (b < a ? 1 : 0) }

  private static func isComparable(_ a: StoredValue, _ b: StoredValue) -> Bool {
    if let type = a.type, type == b.type { return true }
    return kind(a) == kind(b)
  }

  /// A number for what compares with each other: numbers of all types do.
  private static func kind(_ value: StoredValue) -> Int {
    switch value {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal128: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectId: 6
    case .uuid: 7
    // Of which class it is only the column of a link tells.
    case .link: 8
    case .object: 11
    case .list: 9
    case .dictionary: 10
    }
  }
}
