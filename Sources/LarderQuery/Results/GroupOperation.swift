import LarderStorage

/// The computation over the rows of a group.
package enum GroupOperation: Hashable, Sendable {
  case count, sum, min, max, average
  /// The number of different values; nil and NaN are none.
  case distinct
  /// The value below which so many of a hundred values are, between two of them by their distance.
  case percentile(Double)

  package static let median = GroupOperation.percentile(50)

  package init(_ aggregate: AggregateOperator) {
    switch aggregate {
    case .count: self = .count
    case .sum: self = .sum
    case .min: self = .min
    case .max: self = .max
    case .average: self = .average
    }
  }

  /// The same over a collection of one object; nil where there is no such thing.
  package var aggregate: AggregateOperator? {
    switch self {
    case .count: .count
    case .sum: .sum
    case .min: .min
    case .max: .max
    case .average: .average
    case .distinct, .percentile: nil
    }
  }

  /// Its name before the parenthesis.
  package var name: String {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .min: "min"
    case .max: "max"
    case .average: "average"
    case .distinct: "distinct"
    case .percentile(50): "median"
    case .percentile: "percentile"
    }
  }

  /// Returns true if the operation applies to values of the type.
  func isAvailable(for type: ColumnType) -> Bool {
    switch self {
    case .distinct: type != .link
    case .percentile:
      switch type {
      case .int, .float, .double, .decimal128, .date: true
      default: false
      }
    default: aggregate?.isAvailable(for: type) ?? false
    }
  }

  /// The type of what comes out.
  func resultType(of type: ColumnType) -> ColumnType {
    switch self {
    case .count, .distinct: return .int
    case .min, .max: return type
    case .sum where type == .int: return .int
    case .percentile where type == .date: return .date
    case .sum, .average, .percentile: return type == .decimal128 || type == .mixed ? .decimal128 : .double
    }
  }
}

extension AggregateOperator {
  /// Returns true if values of the type can be aggregated so.
  func isAvailable(for type: ColumnType) -> Bool {
    switch type {
    case .int, .float, .double, .decimal128, .mixed: true
    case .date: self == .min || self == .max
    default: self == .count
    }
  }
}
