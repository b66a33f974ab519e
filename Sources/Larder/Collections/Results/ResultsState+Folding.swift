import LarderQuery
import LarderStorage

extension CollectionLocation {
  /// An aggregate over the numbers of a list or set, or the values of a map, in order, read where they are stored; nil for other types.
  func aggregate(_ aggregate: AggregateOperator) throws -> StoredValue? {
    guard nested == nil, target == nil else { return nil }
    return try elements().aggregate(aggregate, of: property.type.columnType)
  }
}

extension ResultsState {
  /// An aggregate over the numbers of a collection, in its order; nil for other sources.
  func foldChunks(_ aggregate: AggregateOperator) -> StoredValue? {
    guarded {
      check()
      guard case .values(let location, nil, false) = source, location.isAlive else { return nil }
      return orMisuse { try location.aggregate(aggregate) }
    }
  }
}

extension ResultsState.Aggregate {
  var operation: AggregateOperator {
    switch self {
    case .minimum: .min
    case .maximum: .max
    case .sum: .sum
    case .average: .average
    }
  }
}
