import LarderStorage

/// Minimum, maximum, sum or average of values given one at a time.
package struct Aggregation {
  /// nil for an empty set, except the sum.
  package private(set) var result: StoredValue

  /// Nil and NaN are skipped. An empty sum is the integer zero. Throws `unsupportedAggregate` for sums of what is no number.
  package init(_ aggregate: AggregateOperator, over values: [StoredValue]) throws {
    let present = values.filter { !$0.isNull && !ValueOrder.isNaN($0) }
    switch aggregate {
    case .count: result = .int(Int64(values.count))
    case .min: result = present.min { ValueOrder.compare($0, $1) < 0 } ?? .null
    case .max: result = present.max { ValueOrder.compare($0, $1) < 0 } ?? .null
    case .sum: result = try Self.sum(present)
    case .average:
      result =
        present.isEmpty ? .null : .double(try present.reduce(0) { $0 + (try Self.double($1)) } / Double(present.count))
    }
  }

  private static func sum(_ values: [StoredValue]) throws -> StoredValue {
    let integers = values.compactMap { if case .int(let value) = $0 { value } else { nil } }
    if integers.count == values.count { return .int(integers.reduce(0, &+)) }
    return .double(try values.reduce(0) { $0 + (try double($1)) })
  }

  private static func double(_ value: StoredValue) throws -> Double {
    switch value {
    case .int(let value): return Double(value)
    case .float(let value): return Double(value)
    case .double(let value): return value
    default:
      throw PredicateError(.unsupportedAggregate, "A sum or average needs numbers, not \(value.kindName)")
    }
  }
}
