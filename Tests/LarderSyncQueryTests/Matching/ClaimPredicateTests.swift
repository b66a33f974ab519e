import LarderSyncProtocol
import Testing

@testable import LarderSyncQuery

/// Predicates that ask for claims alone.
@Suite struct ClaimPredicateTests {
  private let claims: [String: [SyncValue]] = [
    "role": [.string("admin")], "level": [.int(3)], "groups": [.string("a"), .string("team-b")],
    "staff": [.bool(true)],
  ]

  @Test(
    "claims of a token fulfil a predicate",
    arguments: [
      "claims.role == 'admin'", "claims.role BEGINSWITH[c] 'AD'", "claims.level >= 2.5", "claims.level BETWEEN {1, 3}",
      "claims.staff == true", "'a' IN claims.groups", "'admin' IN claims.role", "claims.role IN {'admin', 'owner'}",
      "claims.role IN claims.roles OR claims.level == 3", "ANY claims.groups BEGINSWITH 'team-'",
      "NONE claims.groups == 'c'", "claims.missing == nil", "NOT claims.level < 3",
      "claims.role != 'x' AND TRUEPREDICATE", "NONE claims.missing == 'x'",
    ])
  func holds(_ text: String) throws {
    #expect(try ClaimPredicate(SyncText(text)).matches(claims))
  }

  @Test(
    "claims of a token do not fulfil a predicate",
    arguments: [
      "claims.role == 'owner'", "claims.level == '3'", "claims.missing == 'x'", "'c' IN claims.groups",
      "'x' IN claims.missing", "ANY claims.missing != 'x'", "claims.role == nil", "FALSEPREDICATE",
      "claims.level > 3 OR claims.staff == false",
    ])
  func doesNotHold(_ text: String) throws {
    #expect(try !ClaimPredicate(SyncText(text)).matches(claims))
  }

  @Test(
    "a claim of several values that is taken for one makes the whole predicate not hold, also after NOT",
    arguments: [
      "claims.groups == 'a'", "NOT claims.groups == 'x'", "claims.groups != 'x'",
      "claims.role == 'admin' OR claims.groups == 'a'",
      "claims.groups IN {'a'}", "NOT (claims.groups == 'x' AND claims.level == 9)",
    ])
  func several(_ text: String) throws {
    #expect(try !ClaimPredicate(SyncText(text)).matches(claims))
  }

  @Test(
    "what is neither a claim nor a plain value is refused, with its position",
    arguments: [
      ("role == 'admin'", "'role' at position 0"), ("claims.a.b == 1", "position 0"), ("1 == claims", "position 5"),
      ("claims.role TEXT 'x'", "full-text"), ("claims.groups.@count > 1", "position 0"),
      ("claims.a + 1 > 2", "at position"),
      ("claims.role = = 1", "at position"), ("", "predicate of claims"),
    ])
  func refused(_ text: String, _ expected: String) {
    let error = #expect(throws: SubscriptionQueryError.self) { try ClaimPredicate(SyncText(text)) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
  }
}
