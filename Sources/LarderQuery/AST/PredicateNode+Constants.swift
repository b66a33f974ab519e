extension PredicateNode {
  /// Calls `body` with every constant of the comparisons, those in SUBQUERYs included.
  package func forEachConstant(_ body: (PredicateArgument) throws -> Void) rethrows {
    switch self {
    case .constant: break
    case .and(let children), .or(let children): for child in children { try child.forEachConstant(body) }
    case .not(let child): try child.forEachConstant(body)
    case .comparison(let comparison):
      try comparison.left.forEachConstant(body)
      try comparison.right.forEachConstant(body)
    }
  }
}

extension OperandNode {
  fileprivate func forEachConstant(_ body: (PredicateArgument) throws -> Void) rethrows {
    switch self {
    case .keyPath: break
    case .constant(let constant): try body(constant.value)
    case .set(let members, _): for member in members { try body(member.value) }
    case .subquery(let subquery): try subquery.predicate.forEachConstant(body)
    case .arithmetic(_, let left, let right):
      try left.forEachConstant(body)
      try right.forEachConstant(body)
    case .function(let call):
      try call.argument.forEachConstant(body)
      if let timeZone = call.timeZone { try body(timeZone.value) }
    }
  }
}
