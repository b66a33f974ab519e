import LarderSyncProtocol
import Testing

@testable import LarderSyncQuery

/// Predicates of roles before there is a token.
@Suite struct RuleTextTests {
  private let city = SubscriptionRulesTests.city

  @Test(
    "a rule is accepted without a token, and says which claims it asks for",
    arguments: [
      ("owner == claims.sub", ["sub"]), ("population <= claims.level AND name IN claims.names", ["level", "names"]),
      ("NOT (ANY tags == claims.tag OR id == 3)", ["tag"]), ("name == 'Rome'", []), ("TRUEPREDICATE", []),
      ("claims.sub == owner", ["sub"]),
    ] as [(String, Set<String>)])
  func accepted(_ text: String, _ claims: Set<String>) throws {
    #expect(try RuleText(SyncText(text), in: city).claims == claims)
  }

  @Test(
    "Y-18: a rule may not ask for more than a subscription, also where it compares with claims",
    arguments: [
      ("ownr == claims.sub", "no property 'ownr'"), ("secret == claims.sub", "not queryable"),
      ("country == claims.sub", "links to objects"), ("owner == claims.sub AND population == 'x'", "population"),
      ("owner == = claims.sub", "at position"), ("claims.role == 'x'", "applyWhen"),
      ("'x' IN claims.groups OR id == 3", "applyWhen"), ("claims.role == claims.other", "applyWhen"),
      ("claims.name CONTAINS name", "CONTAINS"),
    ])
  func refused(_ text: String, _ expected: String) {
    let error = #expect(throws: SubscriptionQueryError.self) { try RuleText(SyncText(text), in: city) }
    #expect(error?.className == "City")
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }

  @Test(
    "what is accepted without a token is accepted with claims of the right types",
    arguments: [
      "owner == claims.sub", "population <= claims.level AND name IN claims.names", "claims.sub == owner",
      "NOT (ANY tags == claims.sub OR id == claims.level)", "name BEGINSWITH claims.sub",
    ])
  func withToken(_ text: String) throws {
    _ = try RuleText(SyncText(text), in: city)
    let claims: [String: [SyncValue]] = [
      "sub": [.string("ann")], "level": [.int(3)], "names": [.string("Rome"), .string("Paris")],
    ]
    #expect(throws: Never.self) { try SubscriptionQuery(SyncText(text), in: city, claims: claims) }
  }
}
