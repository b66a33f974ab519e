import LarderStorage

/// Minimum, maximum, sum or average of values given one at a time.
struct Aggregation {
  /// nil for an empty set, except the sum.
  package private(set) var result: StoredValue

  /// Nil and NaN are skipped; of values of any type, what is no number is skipped by sums and averages, which are then
  /// decimals. Sums of integers wrap. An empty sum is the zero of its type.
  package init(_ aggregate: AggregateOperator, over values: [StoredValue], of type: ColumnType) {
    let present = values.filter { !$0.isNull && !ValueOrder.isNaN($0) }
    switch aggregate {
    case .count: result = .int(Int64(values.count))
    case .min: result = present.min { ValueOrder.compare($0, $1) < 0 } ?? .null
    case .max: result = present.max { ValueOrder.compare($0, $1) < 0 } ?? .null
    case .sum, .average:
      let isSum = aggregate == .sum
      switch type {
      case .decimal128, .mixed: result = Self.decimals(present.filter(\.isNumber), isSum)
      case .int where isSum: result = .int(present.reduce(0) { $0 &+ $1.integer })
      default: result = Self.doubles(present, isSum)
      }
    }
  }

  private static func decimals(_ numbers: [StoredValue], _ isSum: Bool) -> StoredValue {
    let sum = numbers.reduce(DecimalNumber.zero) { $0 + DecimalNumber(number: $1) }
    if isSum { return .decimal128(sum.bits) }
    return numbers.isEmpty ? .null : .decimal128((sum / DecimalNumber(Int64(numbers.count))).bits)
  }

  private static func doubles(_ numbers: [StoredValue], _ isSum: Bool) -> StoredValue {
    let sum = numbers.reduce(0) { $0 + $1.double }
    if isSum { return .double(sum) }
    return numbers.isEmpty ? .null : .double(sum / Double(numbers.count))
  }
}

extension StoredValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }

  fileprivate var integer: Int64 { if case .int(let value) = self { value } else { 0 } }

  /// A number as a double; zero for anything else.
  fileprivate var double: Double {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    default: 0
    }
  }
}
