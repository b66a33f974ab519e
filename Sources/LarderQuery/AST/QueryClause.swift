/// A step after the predicate of a query in RQL, in textual order.
package enum QueryClause: Hashable, Sendable {
  /// A key path to sort by, and the direction.
  package struct Criterion: Hashable, Sendable {
    package var path: KeyPathNode
    package var isAscending: Bool

    package init(_ path: KeyPathNode, isAscending: Bool) {
      self.path = path
      self.isAscending = isAscending
    }
  }

  case sort([Criterion])
  case distinct([KeyPathNode])
  case limit(Int)
}
