import Testing

@testable import LarderStorage

/// Deleting objects one after the other, where links to them can come from columns of every kind.
@Suite struct DeletingTests {
  private let fixture: CollectionFixture
  private let value: ColumnID
  private let link: ColumnID
  private let list: ColumnID

  init() throws {
    fixture = try CollectionFixture(
      [
        ColumnDeclaration(name: "value", type: .mixed), ColumnDeclaration(name: "link", type: .link, target: "Owner"),
        ColumnDeclaration(name: "list", type: .mixed, collection: .list),
      ], clusterSize: 8)
    value = try fixture.column("value")
    link = try fixture.column("link")
    list = try fixture.column("list")
  }

  private func object(_ key: ObjectKey) -> StoredValue { .object(ObjectLink(classID: fixture.owner, key: key)) }

  /// The log's edits of the class in the newest commit.
  private func changes() throws -> ChangeSummary.Class? {
    let snapshot = try fixture.snapshot()
    return try snapshot.changes(since: snapshot.version - 1)[fixture.owner]
  }

  @Test("nothing is written out between deletions when no link was set since")
  func nothingIsWrittenBetween() throws {
    let keys = try fixture.write { writer in
      let keys = try (0..<40).map { _ in try writer.create(fixture.owner) }
      for (key, next) in zip(keys, keys.dropFirst()) {
        try writer.set(fixture.owner, value, key, object(next))
        try writer.set(fixture.owner, link, key, .link(next))
        try writer.lists.insert(fixture.owner, list, key, at: 0, [object(next), .int(1)])
      }
      return keys
    }
    try fixture.write { writer in
      let stamp = writer.viewStamp
      for (number, key) in keys.enumerated() where number % 4 != 3 {
        try writer.delete(fixture.owner, key)
        #expect(writer.viewStamp == stamp)
      }
      try writer.set(fixture.owner, value, keys[3], .int(7))
      try writer.delete(fixture.item, try writer.create(fixture.item))
      #expect(writer.viewStamp == stamp)
    }
    let snapshot = try fixture.snapshot()
    #expect(try snapshot.count(of: fixture.owner) == 11)
    for number in stride(from: 3, to: 36, by: 4) {
      #expect(try snapshot.value(fixture.owner, value, keys[number]) == (number == 3 ? .int(7) : .null))
      #expect(try snapshot.value(fixture.owner, link, keys[number]) == .null)
      #expect(
        try CollectionFixture.elements(snapshot.list(fixture.owner, list, keys[number])) == [.null, .int(1)])
    }
    #expect(try fixture.problems().isEmpty)
  }

  @Test("O-11: links that were set in the same transaction become nil too")
  func newLinksBecomeNil() throws {
    let target = try fixture.write { try $0.create(fixture.owner) }
    try fixture.write { writer in
      try writer.set(fixture.owner, value, fixture.key, .list([object(target)]))
      try writer.set(fixture.owner, link, fixture.key, .link(target))
      try writer.lists.insert(fixture.owner, list, fixture.key, at: 0, [object(target)])
      try writer.delete(fixture.owner, target)
      #expect(try writer.value(fixture.owner, value, fixture.key) == .list([.null]))
    }
    let snapshot = try fixture.snapshot()
    #expect(try snapshot.value(fixture.owner, value, fixture.key) == .list([.null]))
    #expect(try snapshot.value(fixture.owner, link, fixture.key) == .null)
    #expect(try CollectionFixture.elements(snapshot.list(fixture.owner, list, fixture.key)) == [.null])
    #expect(try fixture.problems().isEmpty)
  }

  @Test("L-12: a link taken away or whose object is gone before its target is deleted is not logged as derived")
  func linksThatAreGoneAreLeftAlone() throws {
    let (target, other) = try fixture.write { writer in
      let keys = (try writer.create(fixture.owner), try writer.create(fixture.owner))
      for key in [fixture.key, keys.1] {
        try writer.set(fixture.owner, value, key, object(keys.0))
        try writer.set(fixture.owner, link, key, .link(keys.0))
        try writer.lists.insert(fixture.owner, list, key, at: 0, [object(keys.0)])
      }
      return keys
    }
    try fixture.write { writer in
      try writer.set(fixture.owner, value, fixture.key, .int(1))
      try writer.set(fixture.owner, link, fixture.key, .null)
      try writer.lists.clear(fixture.owner, list, fixture.key)
      try writer.delete(fixture.owner, other)
      try writer.delete(fixture.owner, target)
    }
    let summary = try #require(try changes())
    #expect(summary.deleted == KeyRanges([target, other].sorted()))
    #expect(
      summary.lists == [
        ChangeSummary.ListID(column: list, key: fixture.key): [ListEdit(.clear, sizeBefore: 1)]
      ])
    let snapshot = try fixture.snapshot()
    let record = try #require(try fixture.store.log.record(snapshot.version, in: snapshot.transaction))
    #expect(record[fixture.owner]?.modified.contains { $0.isDerived } == false)
    #expect(try snapshot.value(fixture.owner, value, fixture.key) == .int(1))
    #expect(try fixture.problems().isEmpty)
  }
}
