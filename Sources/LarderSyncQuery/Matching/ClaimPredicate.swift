import LarderQuery
import LarderStorage
import LarderSyncProtocol

/// A predicate that asks for the claims of a token alone: `claims.role == 'admin'`, `'editors' IN claims.groups`,
/// `ANY claims.groups BEGINSWITH 'team-'`.
///
/// Claims are compared as values of any type are. A claim that the token does not have is nil, or an empty list after ANY, NONE and IN. A comparison that has one value for its subject, given a claim of several, makes the whole predicate not hold, whatever NOT is
/// before it. A value; may be used from any thread.
public struct ClaimPredicate: Sendable {
  private let node: PredicateNode

  /// Checks a predicate.
  ///
  /// - Throws: `SubscriptionQueryError` for text that is no predicate, and for what is neither a claim nor a plain value.
  public init(_ text: SyncText) throws(SubscriptionQueryError) {
    do {
      node = try PredicateParser.parse(text.string)
    } catch {
      throw SubscriptionQueryError(.malformed, ClaimSubstitution.prefix, nil, "In a predicate of claims: \(error)")
    }
    try Self.check(node)
  }

  /// Returns true if the claims of a token fulfil the predicate.
  public func matches(_ claims: [String: [SyncValue]]) -> Bool {
    ClaimEvaluator(claims: claims).matches(node) ?? false
  }

  private static func check(_ node: PredicateNode) throws(SubscriptionQueryError) {
    switch node {
    case .constant: break
    case .and(let children), .or(let children): for child in children { try check(child) }
    case .not(let child): try check(child)
    case .comparison(let comparison):
      guard comparison.operation != .text else { throw refuse("full-text search") }
      try check(comparison.left)
      try check(comparison.right)
    }
  }

  private static func check(_ operand: OperandNode) throws(SubscriptionQueryError) {
    switch operand {
    case .keyPath(let path):
      guard ClaimSubstitution.claim(path) != nil else {
        throw refuse("'\(path.text)' at position \(path.range.lower): write claims.name, where name is a claim")
      }
    case .constant, .set:
      guard ClaimEvaluator.constants(operand) != nil else { throw refuse("other values than plain ones") }
    case .subquery: throw refuse("SUBQUERY")
    case .arithmetic: throw refuse("arithmetic at position \(operand.range.lower)")
    case .function(let call): throw refuse("the function '\(call.function.rawValue)' at position \(call.range.lower)")
    }
  }

  private static func refuse(_ what: String) -> SubscriptionQueryError {
    SubscriptionQueryError(
      .notAllowed, ClaimSubstitution.prefix, nil, "A predicate of claims cannot ask for \(what).")
  }
}

/// Answers predicates of claims; nil where a claim of several values is taken for one.
private struct ClaimEvaluator {
  let claims: [String: [SyncValue]]

  func matches(_ node: PredicateNode) -> Bool? {
    switch node {
    case .constant(let answer): return answer
    case .and(let children):
      let answers = children.map(matches)
      return answers.contains(nil) ? nil : answers.allSatisfy { $0 == true }
    case .or(let children):
      let answers = children.map(matches)
      return answers.contains(nil) ? nil : answers.contains(true)
    case .not(let child): return matches(child).map { !$0 }
    case .comparison(let comparison): return matches(comparison)
    }
  }

  private func matches(_ comparison: ComparisonNode) -> Bool? {
    let isGroup = comparison.operation == .in || comparison.operation == .between
    guard let left = values(comparison.left, isGroup: comparison.quantifier != nil),
      let right = values(comparison.right, isGroup: isGroup || comparison.rightQuantifier != nil)
    else { return nil }
    if isGroup {
      let test = ValueTest(.mixed, comparison.operation, right, options: comparison.options)
      return Self.holds(comparison.quantifier, left) { test.matches($0) }
    }
    return Self.holds(comparison.quantifier, left) { first in
      Self.holds(comparison.rightQuantifier, right) {
        ValueTest.compare(first, comparison.operation, comparison.options, $0)
      }
    }
  }

  private func values(_ operand: OperandNode, isGroup: Bool) -> [StoredValue]? {
    guard case .keyPath(let path) = operand, let name = ClaimSubstitution.claim(path) else {
      return Self.constants(operand)
    }
    let values = (claims[name] ?? []).compactMap { StoredValue($0) }
    if isGroup { return values }
    return values.count > 1 ? nil : [values.first ?? .null]
  }

  /// The values that a text has itself; nil when some of them are not plain.
  static func constants(_ operand: OperandNode) -> [StoredValue]? {
    switch operand {
    case .constant(let constant): plain(constant.value)
    case .set(let members, _): members.reduce([]) { result, member in join(result, plain(member.value)) }
    case .keyPath, .subquery, .arithmetic, .function: nil
    }
  }

  private static func plain(_ argument: PredicateArgument) -> [StoredValue]? {
    switch argument {
    case .value(let value): SyncValue(value) == nil ? nil : [value]
    case .list(let members): members.reduce([]) { result, member in join(result, plain(member)) }
    default: nil
    }
  }

  private static func join(_ left: [StoredValue]?, _ right: [StoredValue]?) -> [StoredValue]? {
    guard let left, let right else { return nil }
    return left + right
  }

  private static func holds(_ quantifier: Quantifier?, _ values: [StoredValue], _ test: (StoredValue) -> Bool) -> Bool {
    switch quantifier {
    case nil, .any?: values.contains(where: test)
    case .all?: values.allSatisfy(test)
    case Quantifier.none?: !values.contains(where: test)
    }
  }
}
