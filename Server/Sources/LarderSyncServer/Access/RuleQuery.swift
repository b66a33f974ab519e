import LarderSyncProtocol
import LarderSyncQuery

/// A predicate of a role with the claims of a user put into it. Two are equal when they have the same objects for the same reason: the same
/// text about the same class, and the same values of the claims that the text names.
public struct RuleQuery: Hashable, Sendable {
  /// The predicate without the claims.
  public let text: SyncText
  /// The checked predicate.
  public let query: SubscriptionQuery
  private let schemaClass: SchemaClass
  /// The claims that the text may name.
  let claims: [String: [SyncValue]]

  /// Checks a predicate.
  ///
  /// - Throws: `SubscriptionQueryError` for text that is no predicate, for what rules cannot ask for, and for claims that the token lacks.
  public init(_ text: SyncText, in schemaClass: SchemaClass, claims: [String: [SyncValue]])
    throws(SubscriptionQueryError)
  {
    query = try SubscriptionQuery(text, in: schemaClass, claims: claims)
    self.text = text
    self.schemaClass = schemaClass
    // A claim whose name the text does not contain cannot be asked for: users who differ in others only have equal access.
    self.claims = claims.filter { text.string.contains($0.key) }
  }

  public static func == (left: RuleQuery, right: RuleQuery) -> Bool {
    left.text == right.text && left.claims == right.claims && left.schemaClass == right.schemaClass
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(schemaClass.name)
    hasher.combine(text)
    hasher.combine(claims)
  }
}
