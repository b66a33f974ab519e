import LarderSyncProtocol
import LarderSyncQuery
import Testing

@testable import LarderSyncServer

/// The queries that rules make of the claims of a token.
@Suite struct RuleQueryTests {
  private let task = TaskSchema.schema.classes.first { $0.name == "Task" }

  private func matches(
    _ text: SyncText, _ claims: [String: [SyncValue]], owner: SyncValue = .null, rank: SyncValue = .null
  ) throws -> Bool {
    let rule = ReadRule.matching(try RuleQuery(text, in: try #require(task), claims: claims))
    return rule.allows { $0 == "owner" ? owner : $0 == "rank" ? rank : .null }
  }

  /// Returns the rule that a document's rule gives for a token.
  private func rule(_ text: String, _ claims: [String: [SyncValue]]) throws -> ReadRule {
    let roles = #"{"Task": [{"name": "all", "read": "\#(text)"}]}"#
    let document = try RolesDocument(Array(roles.utf8), schema: TaskSchema.schema)
    return document.access(for: UserClaims(subject: "", expires: 0, values: claims)).readRule("Task")
  }

  @Test(
    "Y-27: a rule with a claim that the token lacks allows nothing, however it asks for it",
    arguments: [
      "owner == claims.sub", "owner != claims.sub", "NOT owner == claims.sub", "owner IN claims.sub",
      "NOT owner IN claims.sub", "owner == claims.sub OR TRUEPREDICATE", "rank > 3 OR NOT rank IN claims.sub",
      "owner == nil OR owner == claims.sub",
    ])
  func missing(_ text: String) throws {
    #expect(try rule(text, [:]) == .nothing)
    #expect(try rule(text, ["other": [.string("ann")], "subs": [.string("ann")]]) == .nothing)
  }

  @Test("Y-27: a claim of several values is for IN, and one of none has nothing in it")
  func lists() throws {
    let teams: [String: [SyncValue]] = ["teams": [.string("red"), .string("blue")]]
    for (owner, expected) in [("red", true), ("blue", true), ("green", false)] {
      #expect(try matches("owner IN claims.teams", teams, owner: .string(SyncText(owner))) == expected)
      #expect(try matches("NOT owner IN claims.teams", teams, owner: .string(SyncText(owner))) == !expected)
    }
    #expect(try !matches("owner IN claims.teams", teams, owner: .null))
    #expect(try !matches("owner IN claims.teams", ["teams": []], owner: .string("red")))
    #expect(try matches("owner IN claims.teams", ["teams": [.string("red")]], owner: .string("red")))
    // Compared with one value it allows nothing.
    #expect(try rule("owner == claims.teams", teams) == .nothing)
    #expect(try rule("owner == claims.teams", ["teams": []]) == .nothing)
    #expect(throws: SubscriptionQueryError.self) { try matches("owner == claims.teams", teams) }
  }

  @Test("Y-27: numbers of a token are compared with numbers, and several claims hold together")
  func several() throws {
    let claims: [String: [SyncValue]] = ["sub": [.string("ann")], "levels": [.int(1), .int(2)]]
    let text: SyncText = "owner == claims.sub AND rank IN claims.levels"
    #expect(try matches(text, claims, owner: .string("ann"), rank: .int(2)))
    #expect(try !matches(text, claims, owner: .string("ann"), rank: .int(3)))
    #expect(try !matches(text, claims, owner: .string("bob"), rank: .int(2)))
  }
}
