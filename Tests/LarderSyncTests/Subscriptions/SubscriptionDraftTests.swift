import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Subscriptions: a set that is being changed")
struct SubscriptionDraftTests {
  private func query(_ text: SyncText, _ className: SyncText = "Person") -> SubscribedCondition {
    SubscribedCondition(className: className, predicate: text, arguments: [])
  }

  @Test("Y-8: A name is unique across classes, and unnamed subscriptions are told apart by class and text")
  func identity() throws {
    var draft = SubscriptionDraft([])
    try draft.append(nil, query("age > 3"), at: 1)
    try draft.append(nil, query("age > 3", "Pet"), at: 2)
    try draft.append(nil, query("age > 3"), at: 3)
    try draft.append(nil, query("age > 3 AND name == 'a'"), at: 4)
    try draft.append(nil, query("name == 'a' AND age > 3"), at: 5)
    #expect(draft.subscriptions.map(\.createdAt) == [1, 2, 4, 5])
    try draft.append("x", query("age > 3"), at: 6)
    #expect(throws: SubscriptionDraft.NameConflict.self) { try draft.append("x", query("age > 3", "Pet"), at: 7) }
    #expect(draft.subscriptions.count == 5)
  }

  @Test("Y-9: A name with the same query is no change, with another it is refused and both queries are named")
  func names() throws {
    var draft = SubscriptionDraft([])
    try draft.append("x", query("age > 3"), at: 1)
    let before = draft
    try draft.append("x", query("age > 3"), at: 2)
    #expect(draft == before)
    let conflict = #expect(throws: SubscriptionDraft.NameConflict.self) {
      try draft.append("x", query("age > 4"), at: 3)
    }
    #expect(conflict?.message.contains("age > 3") == true)
    #expect(conflict?.message.contains("age > 4") == true)
    #expect(draft == before)
  }

  @Test("Y-9: A block that runs again replaces the query of a name")
  func replacing() throws {
    var draft = SubscriptionDraft([], replacesNames: true)
    try draft.append("x", query("age > 3"), at: 1)
    try draft.append("x", query("age > 4", "Pet"), at: 2)
    #expect(draft.subscriptions.count == 1)
    #expect(draft.subscriptions[0].predicate == "age > 4")
    #expect(draft.subscriptions[0].className == "Pet")
  }

  @Test("Y-10: Subscribing under a taken name replaces class and query; place and creation stay, the update moves")
  func put() throws {
    var draft = SubscriptionDraft([])
    var changes: [Bool] = []
    changes.append(draft.put("x", query("age > 3"), at: 1))
    changes.append(draft.put(nil, query("age > 3"), at: 2))
    changes.append(draft.put("x", query("age > 3"), at: 3))
    changes.append(draft.put("x", query("name == 'a'", "Pet"), at: 4))
    changes.append(draft.put("y", query("age > 3"), at: 5))
    #expect(changes == [true, true, false, true, true])
    #expect(draft.subscriptions.map(\.name) == ["x", nil, "y"])
    #expect(draft.subscriptions[0].createdAt == 1)
    #expect(draft.subscriptions[0].updatedAt == 4)
    #expect(draft.subscriptions[0].className == "Pet")
  }

  @Test("Y-11: Removing what is not there changes nothing, and a set may be empty")
  func removing() throws {
    var draft = SubscriptionDraft([])
    try draft.append("x", query("age > 3"), at: 1)
    let before = draft
    draft.remove { $0.name == "y" }
    #expect(draft == before)
    draft.remove { _ in true }
    #expect(draft.subscriptions.isEmpty)
  }

  @Test("A query is shown with its values, but not within its texts")
  func text() {
    let query = SubscribedCondition(
      className: "Person", predicate: "name == 'a\\'%@' AND born < %@ AND %K == 3",
      arguments: [.int(5), .string("odd name")])
    #expect(query.queryText == "name == 'a\\'%@' AND born < 5 AND odd name == 3")
  }
}
