/// `[ANY] left op[options] [ANY] right`.
package struct ComparisonNode: Hashable, Sendable {
  package var quantifier: Quantifier?
  package var left: OperandNode
  package var operation: ComparisonOperator
  package var options: TextOptions
  /// Before the right side; the query language RQL alone has it.
  package var rightQuantifier: Quantifier?
  package var right: OperandNode
  package var quantifierRange: SourceRange
  package var operatorRange: SourceRange

  package init(
    quantifier: Quantifier? = nil, left: OperandNode, operation: ComparisonOperator, options: TextOptions = [],
    rightQuantifier: Quantifier? = nil, right: OperandNode, quantifierRange: SourceRange = SourceRange(0, 0),
    operatorRange: SourceRange = SourceRange(0, 0)
  ) {
    self.quantifier = quantifier
    self.left = left
    self.operation = operation
    self.options = options
    self.rightQuantifier = rightQuantifier
    self.right = right
    self.quantifierRange = quantifierRange
    self.operatorRange = operatorRange
  }
}
