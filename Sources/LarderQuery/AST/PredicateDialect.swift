/// The two predicate languages of text. Their trees are the same; what a tree means differs in a few places.
package enum PredicateDialect: Hashable, Sendable {
  /// The format language of NSPredicate: `ANY dogs.name CONTAINS[cd] %@`.
  case format
  /// RQL, the query language of the core: `dogs.name CONTAINS[c] $0 SORT(age DESC)`.
  case query
}
