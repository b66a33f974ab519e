import LarderStorage

/// A comparison of one stored value with constants of the same type.
package struct ValueTest: Hashable, Sendable {
  /// The column's type; every constant is of it, or nil.
  package var type: ColumnType
  package var operation: ComparisonOperator
  package var options: TextOptions
  /// One constant, two for BETWEEN, any number for IN.
  package var values: [StoredValue]

  package init(_ type: ColumnType, _ operation: ComparisonOperator, _ values: [StoredValue], options: TextOptions = [])
  {
    self.type = type
    self.operation = operation
    self.options = type == .string || type == .data ? options : []
    self.values = values
  }

  /// The answer for a value: the definition that the kernels must agree with.
  package func matches(_ value: StoredValue) -> Bool {
    switch operation {
    case .in: values.contains { ValueTest.compare(value, .equal, options, $0) }
    case .between:
      values.count == 2 && ValueOrder.holds(value, .greaterOrEqual, values[0])
        && ValueOrder.holds(value, .lessOrEqual, values[1])
    default: values.first.map { ValueTest.compare(value, operation, options, $0) } ?? false
    }
  }

  /// `a op[options] b` for any two values of one type.
  package static func compare(
    _ a: StoredValue, _ operation: ComparisonOperator, _ options: TextOptions, _ b: StoredValue
  ) -> Bool {
    guard operation.isTextual || (!options.isEmpty && !operation.isRelational), !a.isNull, !b.isNull else {
      return operation == .like && a.isNull && b.isNull || ValueOrder.holds(a, operation, b)
    }
    guard let haystack = a.textBytes else { return ValueOrder.holds(a, operation, b) }
    guard let matcher = TextMatcher(operation, b, options) else { return false }
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
