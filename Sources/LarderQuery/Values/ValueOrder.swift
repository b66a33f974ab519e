import Foundation
import LarderStorage

/// The order of values: nil first, NaN just above nil, numbers by value, text and bytes bytewise.
package enum ValueOrder {
  /// Negative, zero or positive as the first value sorts before, with or after the second. Values of different types
  /// are ordered by the rank of their type, numbers among each other by value.
  package static func compare(_ a: StoredValue, _ b: StoredValue) -> Int {
    switch (a, b) {
    case (.null, .null): 0
    case (.bool(let a), .bool(let b)): a == b ? 0 : (b ? -1 : 1)
    case (.int(let a), .int(let b)): order(a, b)
    case (.float(let a), .float(let b)): order(total(Double(a)), total(Double(b)))
    case (.double(let a), .double(let b)): order(total(a), total(b))
    case (.string(let a), .string(let b)): bytewise(Array(a.utf8), Array(b.utf8))
    case (.data(let a), .data(let b)): bytewise(Array(a), Array(b))
    case (.date(let a), .date(let b)): order(a, b)
    case (.uuid(let a), .uuid(let b)):
      withUnsafeBytes(of: a.uuid) { a in withUnsafeBytes(of: b.uuid) { b in bytewise(Array(a), Array(b)) } }
    case (.objectId(let a), .objectId(let b)): order(a, b)
    case (.decimal128(let a), .decimal128(let b)): order(DecimalNumber(a), DecimalNumber(b))
    case (.link(let a), .link(let b)): order(a, b)
    case (.object, .object), (.list, .list), (.dictionary, .dictionary): StoredOrder.compare(a, b)
    default: mixed(a, b)
    }
  }

  /// Whether `a op b` holds for one value on each side, by the nil table Q-48 and IEEE rules for NaN.
  package static func holds(_ a: StoredValue, _ operation: ComparisonOperator, _ b: StoredValue) -> Bool {
    if a.isNull || b.isNull {
      let both = a.isNull && b.isNull
      return switch operation {
      case .equal, .lessOrEqual, .greaterOrEqual: both
      case .notEqual: !both
      default: false
      }
    }
    if isNaN(a) || isNaN(b) { return operation == .notEqual }
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

  private static func mixed(_ a: StoredValue, _ b: StoredValue) -> Int {
    let ranks = (rank(a), rank(b))
    guard ranks.0 == ranks.1, ranks.0 == 2 else { return order(ranks.0, ranks.1) }
    if case .decimal128 = a { return order(DecimalNumber(number: a), DecimalNumber(number: b)) }
    if case .decimal128 = b { return order(DecimalNumber(number: a), DecimalNumber(number: b)) }
    if case .int(let a) = a { return -order(double(b), a) }
    if case .int(let b) = b { return order(double(a), b) }
    return order(total(double(a)), total(double(b)))
  }

  private static func double(_ value: StoredValue) -> Double {
    switch value {
    case .float(let value): Double(value)
    case .double(let value): value
    case .int(let value): Double(value)
    default: .nan
    }
  }

  /// Compares without rounding the integer.
  private static func order(_ a: Double, _ b: Int64) -> Int {
    if a.isNaN || a < -0x1p63 { return -1 }
    if a >= 0x1p63 { return 1 }
    let whole = Int64(a.rounded(.down))
    if whole != b { return whole < b ? -1 : 1 }
    return a > a.rounded(.down) ? 1 : 0
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
}
