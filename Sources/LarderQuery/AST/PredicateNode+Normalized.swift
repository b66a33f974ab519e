extension PredicateNode {
  /// The same condition without AND and OR of fewer than two conditions, and without double negation.
  package var normalized: PredicateNode {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = comparison.left.normalized
      comparison.right = comparison.right.normalized
      return .comparison(comparison)
    case .and(let children):
      return children.isEmpty
        ? .constant(true) : (children.count == 1 ? children[0].normalized : .and(children.map(\.normalized)))
    case .or(let children):
      return children.isEmpty
        ? .constant(false) : (children.count == 1 ? children[0].normalized : .or(children.map(\.normalized)))
    case .not(let child):
      let inner = child.normalized
      if case .not(let twice) = inner { return twice }
      return .not(inner)
    }
  }

  /// The condition and another one.
  package func and(_ other: PredicateNode) -> PredicateNode {
    if case .and(let children) = self { return .and(children + [other]) }
    return .and([self, other])
  }

  /// The condition or another one.
  package func or(_ other: PredicateNode) -> PredicateNode {
    if case .or(let children) = self { return .or(children + [other]) }
    return .or([self, other])
  }
}

extension OperandNode {
  /// The operand with the predicates of its SUBQUERYs normalized.
  fileprivate var normalized: OperandNode {
    switch self {
    case .keyPath, .constant, .set: return self
    case .subquery(var subquery):
      subquery.predicate = subquery.predicate.normalized
      return .subquery(subquery)
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, left.normalized, right.normalized)
    case .function(var call):
      call.argument = call.argument.normalized
      return .function(call)
    }
  }
}
