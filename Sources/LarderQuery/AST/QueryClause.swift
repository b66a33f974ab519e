/// A step after the predicate of a query in RQL, in textual order.
package enum QueryClause: Hashable, Sendable {
  /// A key path or a computed value to sort by, and the direction.
  package struct Criterion: Hashable, Sendable {
    package var operand: OperandNode
    package var isAscending: Bool

    package init(_ operand: OperandNode, isAscending: Bool) {
      self.operand = operand
      self.isAscending = isAscending
    }
  }

  case sort([Criterion])
  case distinct([OperandNode])
  case limit(Int)
}
