import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct SyncViewTests {
  private let everything: [SyncText: ReadRule] = ["Item": .everything, "Other": .everything]

  private func view(
    _ predicates: [SyncText], rules: [SyncText: ReadRule]? = nil
  ) throws -> SyncView {
    let queries = predicates.map { SubscribedQuery(className: "Item", predicate: $0) }
    return try SyncView(queries, rules: rules ?? everything, in: HubSchema.schema)
  }

  private func summary(q: Int64, owner: SyncText = "ann") -> ObjectSummary {
    ObjectSummary(isAlive: true, values: ["q": .int(q), "owner": .string(owner)])
  }

  @Test("an object is in a view when a query and the rule have it, and it is there")
  func contains() throws {
    let own = HubSchema.own(UserClaims(subject: "ann", expires: 0, values: ["sub": [.string("ann")]])).readRule("Item")
    let view = try view(["q == 1", "q == 2"], rules: ["Item": own])
    let name = HubSchema.name(1)
    #expect(view.contains(name, summary(q: 1)) && view.contains(name, summary(q: 2)))
    #expect(!view.contains(name, summary(q: 3)))
    #expect(!view.contains(name, summary(q: 1, owner: "bob")))
    #expect(!view.contains(name, ObjectSummary(isAlive: false, values: ["q": .int(1), "owner": .string("ann")])))
    #expect(!view.contains(ObjectName(className: "Other", key: .int(1)), summary(q: 1)))
    #expect(!(try self.view(["q == 1"], rules: [:])).contains(name, summary(q: 1)))
  }

  @Test("sets of the same queries are equal views, whatever their order and names")
  func equality() throws {
    let left = try view(["q == 1", "q == 2"])
    #expect(try view(["q == 2", "q == 1", "q == 1"]) == left)
    #expect(try view(["q == 2"]) != left)
    #expect(try view(["q == 1", "q == 2"], rules: ["Item": .nothing]) != left)
    #expect(try view(["q == 1"]).classes(differingFrom: left) == ["Item"])
    #expect(left.classes(differingFrom: left).isEmpty)
    #expect(left.classes(differingFrom: .empty) == ["Item"])
  }

  @Test("Y-18: the first query that cannot be asked for is named")
  func refused() throws {
    #expect(throws: RefusedQuery.self) { try view(["q == 1", "x == 1"]) }
    let other = SubscribedQuery(className: "Nothing", predicate: "TRUEPREDICATE")
    #expect(throws: RefusedQuery.self) { try SyncView([other], rules: [:], in: HubSchema.schema) }
    let left = SyncView(
      allowed: [other, SubscribedQuery(className: "Item", predicate: "q == 1")], rules: everything,
      in: HubSchema.schema)
    #expect(try left == view(["q == 1"]))
  }

  @Test("equal rules have one fingerprint, and others another one")
  func fingerprint() {
    func rules(_ user: String) -> ReadRules {
      ReadRules(
        HubSchema.own(UserClaims(subject: user, expires: 0, values: ["sub": [.string(SyncText(user))]])),
        in: HubSchema.schema)
    }
    #expect(rules("ann").fingerprint == rules("ann").fingerprint)
    #expect(rules("ann").fingerprint != rules("bob").fingerprint)
    let all = ReadRules(
      AccessPolicy.everything(schema: HubSchema.schema).access(for: UserClaims(subject: "ann", expires: 0)),
      in: HubSchema.schema)
    #expect(all.fingerprint != rules("ann").fingerprint)
    // Devices keep it: it must be the same on every server, and in every version.
    #expect(ReadRules(["A": .everything]).fingerprint == 0xBF5A_A677_5224_0223)
  }
}
