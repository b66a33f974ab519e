/// A parsed predicate whose arguments can be exchanged.
struct PredicateTemplate: Sendable {
  /// The tree with the arguments it was parsed with.
  let node: PredicateNode
  /// The places in the text of the constants that were arguments, in order.
  private let slots: [SourceRange]
  /// True if the tree has the same shape for all arguments but lists: none names a property or is converted.
  let isReusable: Bool
  let arguments: Int
  /// True if there is arithmetic or a function: the constants of the comparison may not be those of the text.
  let computes: Bool

  init(node: PredicateNode, slots: [SourceRange], arguments: Int) {
    self.node = node
    self.slots = slots
    self.arguments = arguments
    isReusable = slots.count == arguments && Self.hasNoGroup(node, slots)
    computes = Self.computes(node)
  }

  /// Returns true if no argument is a list on the right of IN or BETWEEN, whose errors the parser reports.
  private static func hasNoGroup(_ node: PredicateNode, _ slots: [SourceRange]) -> Bool {
    switch node {
    case .constant: true
    case .and(let children), .or(let children): children.allSatisfy { hasNoGroup($0, slots) }
    case .not(let child): hasNoGroup(child, slots)
    case .comparison(let comparison):
      hasNoGroup(comparison.left, slots) && hasNoGroup(comparison.right, slots)
        && !isGroupArgument(comparison, slots)
    }
  }

  /// An area after IN: another argument there may be a list.
  private static func isGroupArgument(_ comparison: ComparisonNode, _ slots: [SourceRange]) -> Bool {
    guard comparison.operation == .in, case .constant(let constant) = comparison.right else { return false }
    return slots.contains(constant.range)
  }

  private static func hasNoGroup(_ operand: OperandNode, _ slots: [SourceRange]) -> Bool {
    switch operand {
    case .keyPath, .constant: true
    case .set(_, let range): !slots.contains(range)
    case .subquery(let subquery): hasNoGroup(subquery.predicate, slots)
    case .arithmetic(_, let left, let right): hasNoGroup(left, slots) && hasNoGroup(right, slots)
    case .function(let call): hasNoGroup(call.argument, slots)
    }
  }

  private static func computes(_ node: PredicateNode) -> Bool {
    switch node {
    case .constant: false
    case .and(let children), .or(let children): children.contains(where: computes)
    case .not(let child): computes(child)
    case .comparison(let comparison): comparison.left.isComputed || comparison.right.isComputed
    }
  }

  /// The tree with other arguments, as many as it has.
  func node(_ arguments: [PredicateArgument]) -> PredicateNode { slots.isEmpty ? node : fill(node, arguments) }

  private func fill(_ node: PredicateNode, _ arguments: [PredicateArgument]) -> PredicateNode {
    switch node {
    case .constant: return node
    case .and(let children): return .and(children.map { fill($0, arguments) })
    case .or(let children): return .or(children.map { fill($0, arguments) })
    case .not(let child): return .not(fill(child, arguments))
    case .comparison(var comparison):
      comparison.left = fill(comparison.left, arguments)
      comparison.right = fill(comparison.right, arguments)
      return .comparison(comparison)
    }
  }

  private func fill(_ operand: OperandNode, _ arguments: [PredicateArgument]) -> OperandNode {
    switch operand {
    case .keyPath: return operand
    case .constant(let constant): return .constant(fill(constant, arguments))
    case .set(let members, let range): return .set(members.map { fill($0, arguments) }, range)
    case .subquery(var subquery):
      subquery.predicate = fill(subquery.predicate, arguments)
      return .subquery(subquery)
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, fill(left, arguments), fill(right, arguments))
    case .function(var call):
      call.argument = fill(call.argument, arguments)
      call.timeZone = call.timeZone.map { fill($0, arguments) }
      return .function(call)
    }
  }

  private func fill(_ constant: ConstantNode, _ arguments: [PredicateArgument]) -> ConstantNode {
    // An argument stands where no other constant does.
    guard let slot = slots.firstIndex(of: constant.range) else { return constant }
    return ConstantNode(arguments[slot], constant.range)
  }
}
