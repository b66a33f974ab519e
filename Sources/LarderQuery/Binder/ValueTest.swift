import Foundation
import LarderStorage

/// A comparison of one stored value with constants of the same type.
package struct ValueTest: Hashable, Sendable {
  /// The column's type; every constant is of it, or nil.
  package var type: ColumnType
  package var operation: ComparisonOperator
  package var options: TextOptions
  private let constants: Constants
  /// The constants of a long IN, one form for equal ones.
  private let members: Set<StoredValue>?

  package init(_ type: ColumnType, _ operation: ComparisonOperator, _ values: [StoredValue], options: TextOptions = [])
  {
    self.type = type
    self.operation = operation
    let options = type == .string || type == .data || type == .mixed ? options : []
    self.options = options
    constants = values.count == 1 ? .one(values[0]) : .several(values)
    let isLong = operation == .in && values.count > Self.longList && type != .mixed
    members =
      isLong ? Set(values.lazy.filter { !ValueOrder.isNaN($0) }.map { Self.canonical($0, options) }) : nil
  }

  /// With one constant, for which no array is made.
  package init(_ type: ColumnType, _ operation: ComparisonOperator, only value: StoredValue, options: TextOptions = [])
  {
    self.type = type
    self.operation = operation
    self.options = type == .string || type == .data || type == .mixed ? options : []
    constants = .one(value)
    members = nil
  }

  /// One constant, two for BETWEEN, any number for IN. An array is made where there is one only.
  package var values: [StoredValue] {
    switch constants {
    case .one(let value): [value]
    case .several(let values): values
    }
  }

  /// The first constant; nil for IN without any.
  package var first: StoredValue? {
    switch constants {
    case .one(let value): value
    case .several(let values): values.first
    }
  }

  /// The constants: never an array of one.
  private enum Constants: Hashable, Sendable {
    case one(StoredValue)
    case several([StoredValue])
  }

  /// True if IN has a set of its constants.
  package var isLookup: Bool { members != nil }

  /// From how many constants on IN looks its value up instead of comparing with each.
  private static let longList = 8

  /// One form for values that are equal: folded text, both zeros, decimals of different precision.
  private static func canonical(_ value: StoredValue, _ options: TextOptions) -> StoredValue {
    switch value {
    case .string(let text) where !options.isEmpty:
      .string(String(decoding: TextFolding.fold(text, options), as: UTF8.self))
    case .data(let bytes) where !options.isEmpty:
      .data(Data(TextFolding.fold(String(decoding: bytes, as: UTF8.self), options)))
    case .double(let number): .double(number == 0 ? 0 : number)
    case .float(let number): .float(number == 0 ? 0 : number)
    case .decimal128(let bits): .decimal128(DecimalNumber(bits).canonicalBits)
    default: value
    }
  }

  /// The answer for a value: the definition that the kernels must agree with.
  package func matches(_ value: StoredValue) -> Bool {
    switch operation {
    case .in:
      if let members {
        !ValueOrder.isNaN(value) && members.contains(ValueTest.canonical(value, options))
      } else {
        switch constants {
        case .one(let constant): ValueTest.compare(value, .equal, options, constant)
        case .several(let constants): constants.contains { ValueTest.compare(value, .equal, options, $0) }
        }
      }
    case .between:
      if case .several(let bounds) = constants, bounds.count == 2 {
        ValueOrder.holds(value, .greaterOrEqual, bounds[0]) && ValueOrder.holds(value, .lessOrEqual, bounds[1])
      } else {
        false
      }
    default: first.map { ValueTest.compare(value, operation, options, $0) } ?? false
    }
  }

  /// `a op[options] b` for any two values of one type.
  package static func compare(
    _ a: StoredValue, _ operation: ComparisonOperator, _ options: TextOptions, _ b: StoredValue
  ) -> Bool {
    if b.isNull, options.contains(.matchesEmpty), operation.isTextual { return true }
    guard operation.isTextual || (!options.isEmpty && !operation.isRelational), !a.isNull, !b.isNull else {
      return operation == .like && a.isNull && b.isNull || ValueOrder.holds(a, operation, b)
    }
    guard let haystack = a.textBytes, let needle = b.textBytes, a.type == b.type else {
      return ValueOrder.holds(a, operation, b)
    }
    if needle.isEmpty, options.contains(.matchesEmpty), operation != .equal, operation != .notEqual { return true }
    guard let matcher = TextMatcher(operation, b, options.subtracting(.matchesEmpty)) else { return false }
    return haystack.withUnsafeBytes { matcher.matches($0) }
  }
}

extension StoredValue {
  /// The bytes of a string or data value.
  package var textBytes: [UInt8]? {
    switch self {
    case .string(let text): Array(text.utf8)
    case .data(let bytes): Array(bytes)
    default: nil
    }
  }
}
