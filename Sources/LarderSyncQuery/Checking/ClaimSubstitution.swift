import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// Puts the claims of a token into a predicate: `owner == claims.sub`, `team IN claims.teams`.
///
/// `claims` before a point always means the token's; a property of that name cannot be asked for in rules.
struct ClaimSubstitution {
  let className: String
  let claims: [String: [SyncValue]]

  /// The name that claims are asked for by.
  static let prefix = "claims"

  /// The claim that a key path means; nil for one that means a property.
  static func claim(_ path: KeyPathNode) -> String? {
    guard path.components.count == 2, path.components[0].name == prefix, path.aggregate == nil, path.trailing.isEmpty,
      path.measure == nil,
      path.components.allSatisfy({ $0.subscripts.isEmpty && $0.part == nil && $0.originClass == nil })
    else { return nil }
    return path.components[1].name
  }

  func applied(to node: PredicateNode) throws(SubscriptionQueryError) -> PredicateNode {
    switch node {
    case .constant: return node
    case .and(let children): return .and(try applied(to: children))
    case .or(let children): return .or(try applied(to: children))
    case .not(let child): return .not(try applied(to: child))
    case .comparison(var comparison):
      let isGroup = comparison.operation == .in
      comparison.left = try applied(to: comparison.left, isGroup: false)
      comparison.right = try applied(to: comparison.right, isGroup: isGroup)
      return .comparison(comparison)
    }
  }

  private func applied(to nodes: [PredicateNode]) throws(SubscriptionQueryError) -> [PredicateNode] {
    var result: [PredicateNode] = []
    for node in nodes { result.append(try applied(to: node)) }
    return result
  }

  private func applied(to operand: OperandNode, isGroup: Bool) throws(SubscriptionQueryError) -> OperandNode {
    guard case .keyPath(let path) = operand, let name = Self.claim(path) else { return operand }
    guard let values = claims[name] else {
      throw SubscriptionQueryError(
        .missingClaim, className, nil,
        "The token has no claim '\(name)', which a rule of class '\(className)' asks for.")
    }
    let constants = values.compactMap { StoredValue($0) }.map { ConstantNode(.value($0), path.range) }
    if isGroup { return .set(constants, path.range) }
    guard constants.count == 1 else {
      throw SubscriptionQueryError(
        .missingClaim, className, nil,
        "The token's claim '\(name)' is a list; a rule of class '\(className)' compares it with one value: write IN.")
    }
    return .constant(constants[0])
  }
}
