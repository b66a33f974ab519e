/// One side of a comparison.
package indirect enum OperandNode: Hashable, Sendable {
  case keyPath(KeyPathNode)
  case constant(ConstantNode)
  /// `{a, b}`, or a list given as an argument.
  case set([ConstantNode], SourceRange)
  case subquery(SubqueryNode)
  case arithmetic(ArithmeticOperator, OperandNode, OperandNode)
  case function(FunctionNode)

  package var range: SourceRange {
    switch self {
    case .keyPath(let path): path.range
    case .constant(let constant): constant.range
    case .set(_, let range): range
    case .subquery(let subquery): subquery.range
    case .arithmetic(_, let left, let right): left.range.through(right.range)
    case .function(let call): call.range
    }
  }

  /// True if it is computed from other values.
  package var isComputed: Bool {
    switch self {
    case .arithmetic, .function: true
    case .keyPath, .constant, .set, .subquery: false
    }
  }
}

/// A literal or an argument.
package struct ConstantNode: Hashable, Sendable {
  package var value: PredicateArgument
  package var range: SourceRange

  package init(_ value: PredicateArgument, _ range: SourceRange = SourceRange(0, 0)) {
    self.value = value
    self.range = range
  }
}
