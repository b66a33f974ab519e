/// `SUBQUERY(path, $variable, predicate).@count`. Inside the predicate `$variable.name` and `name` mean the same.
package struct SubqueryNode: Hashable, Sendable {
  package var path: KeyPathNode
  package var predicate: PredicateNode
  package var range: SourceRange

  package init(path: KeyPathNode, predicate: PredicateNode, range: SourceRange = SourceRange(0, 0)) {
    self.path = path
    self.predicate = predicate
    self.range = range
  }
}
