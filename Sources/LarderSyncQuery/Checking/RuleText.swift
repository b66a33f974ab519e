import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// The predicate of a role before there is a token: checked as far as that goes without the values of claims.
public struct RuleText: Hashable, Sendable {
  /// The predicate.
  public let text: SyncText
  /// The claims it asks for.
  public let claims: Set<String>

  /// Checks a predicate. Whether the values of claims are of the types that they are compared with is only known with a token:
  /// `SubscriptionQuery` says it then.
  ///
  /// - Throws: `SubscriptionQueryError`, as `SubscriptionQuery`.
  public init(_ text: SyncText, in schemaClass: SchemaClass) throws(SubscriptionQueryError) {
    var found: Set<String> = []
    let className = schemaClass.name.string
    let queried = try QueriedClass(schemaClass)
    do {
      let node = try PredicateParser.parse(text.string)
      let rules = SubscriptionRules(queried: queried)
      let rest = try Self.withoutClaims(node, rules, &found)
      try rules.check(rest)
      _ = try Binder(schema: queried.schema, text: text.string).bind(rest, to: QueriedClass.id)
    } catch let error as SubscriptionQueryError {
      throw error
    } catch {
      throw SubscriptionQueryError(.malformed, className, nil, "In a rule of '\(className)': \(error)")
    }
    self.text = text
    claims = found
  }

  /// The predicate with `TRUEPREDICATE` in the place of comparisons with claims, of which the other side is checked here.
  private static func withoutClaims(
    _ node: PredicateNode, _ rules: SubscriptionRules, _ claims: inout Set<String>
  ) throws(SubscriptionQueryError) -> PredicateNode {
    switch node {
    case .constant: return node
    case .and(let children): return .and(try withoutClaims(children, rules, &claims))
    case .or(let children): return .or(try withoutClaims(children, rules, &claims))
    case .not(let child): return .not(try withoutClaims(child, rules, &claims))
    case .comparison(var comparison):
      let names = [comparison.left, comparison.right].compactMap(claim)
      guard !names.isEmpty else { return node }
      claims.formUnion(names)
      try rules.checkClaim(names[0], comparison)
      if claim(comparison.left) != nil { comparison.left = .constant(ConstantNode(.null)) }
      if claim(comparison.right) != nil { comparison.right = .constant(ConstantNode(.null)) }
      try rules.check(.comparison(comparison))
      return .constant(true)
    }
  }

  private static func withoutClaims(
    _ nodes: [PredicateNode], _ rules: SubscriptionRules, _ claims: inout Set<String>
  ) throws(SubscriptionQueryError) -> [PredicateNode] {
    var result: [PredicateNode] = []
    for node in nodes { result.append(try withoutClaims(node, rules, &claims)) }
    return result
  }

  private static func claim(_ operand: OperandNode) -> String? {
    guard case .keyPath(let path) = operand else { return nil }
    return ClaimSubstitution.claim(path)
  }
}

extension SubscriptionRules {
  /// A claim is compared with a property of the object, on the side that the operator needs.
  fileprivate func checkClaim(_ name: String, _ comparison: ComparisonNode) throws(SubscriptionQueryError) {
    func isProperty(_ operand: OperandNode) -> Bool {
      guard case .keyPath(let path) = operand else { return false }
      return ClaimSubstitution.claim(path) == nil
    }
    let className = queried.source.name.string
    guard isProperty(comparison.left) || isProperty(comparison.right) else {
      throw SubscriptionQueryError(
        .notAllowed, className, nil,
        "A rule of '\(className)' compares the claim '\(name)' with no property of the object; a condition on claims alone belongs in 'applyWhen'."
      )
    }
    guard isProperty(comparison.left) || comparison.operation.mirrored != nil else {
      throw SubscriptionQueryError(
        .notAllowed, className, nil,
        "A rule of '\(className)' has the claim '\(name)' to the left of \(comparison.operation.rawValue), which needs its property there."
      )
    }
  }
}
