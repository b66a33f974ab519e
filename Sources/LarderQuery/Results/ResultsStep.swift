/// A step that is applied to the matching objects, in order.
package enum ResultsStep: Hashable, Sendable {
  case sort([SortKey])
  /// By how well objects fit the searches of the filter, the best first.
  case relevance
  /// Keeps the first object of each tuple.
  case distinct([SortTarget])
  case limit(Int)
  /// Leaves out the first objects.
  case offset(Int)
  /// Keeps what is after a position in the order of the step before, or of keys.
  case after(ResultsPosition)
  /// A condition after a limit; all others come before every step.
  case filter(BoundPredicate)
}

extension ResultsStep {
  /// True if it changes nothing but the order.
  var isOnlyOrder: Bool {
    switch self {
    case .sort, .relevance: true
    case .distinct, .limit, .offset, .after, .filter: false
    }
  }
}
