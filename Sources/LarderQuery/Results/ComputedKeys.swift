/// The computed values that groups are made by, as conditions on groups name them: `hour(date) > 6`.
///
/// Found in the tree of a condition, so that `a + b * 2` is no twice of the key `a + b`.
struct ComputedKeys {
  /// The keys that compute something, as they were written.
  let texts: [String]
  private let described: [String: String]

  /// Keys that do not parse are left to who binds them.
  init(_ keys: [String]) {
    var described: [String: String] = [:]
    for key in keys where ValueExpression.isComputed(key) {
      guard let node = try? PredicateParser.parseOperand(key), node.isComputed else { continue }
      described[PredicatePrinter.describe(node)] = key
    }
    self.described = described
    texts = keys.filter { described.values.contains($0) }
  }

  /// The condition with paths, named as the keys, in place of what they compute.
  func replaced(in node: PredicateNode) -> PredicateNode {
    guard !described.isEmpty else { return node }
    switch node {
    case .constant: return node
    case .and(let children): return .and(children.map { replaced(in: $0) })
    case .or(let children): return .or(children.map { replaced(in: $0) })
    case .not(let child): return .not(replaced(in: child))
    case .comparison(var comparison):
      comparison.left = replaced(in: comparison.left)
      comparison.right = replaced(in: comparison.right)
      return .comparison(comparison)
    }
  }

  private func replaced(in operand: OperandNode) -> OperandNode {
    guard operand.isComputed else { return operand }
    if let key = described[PredicatePrinter.describe(operand)] {
      return .keyPath(KeyPathNode([KeyPathNode.Component(key, operand.range)], range: operand.range))
    }
    switch operand {
    case .arithmetic(let operation, let left, let right):
      return .arithmetic(operation, replaced(in: left), replaced(in: right))
    case .function(var call):
      call.argument = replaced(in: call.argument)
      return .function(call)
    case .keyPath, .constant, .set, .subquery: return operand
    }
  }
}
