import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

/// Lists, sets and single links of synced classes whose targets come and go.
@Suite("Observing links to objects that are not here") struct HiddenElementsTests {
  private let temporary: TemporaryStore
  private let id: ClassID
  private let friend: ColumnID
  private let friends: ColumnID
  private let friendSet: ColumnID

  init() throws {
    temporary = try TemporaryStore(clusterSize: 8)
    let item = ClassDeclaration(
      name: "Item",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true), ColumnDeclaration(name: "x", type: .int),
        ColumnDeclaration(name: "friend", type: .link, target: "Item"),
        ColumnDeclaration(name: "friends", type: .link, collection: .list, target: "Item"),
        ColumnDeclaration(name: "friendSet", type: .link, collection: .set, target: "Item"),
      ], syncMode: .synced)
    try temporary.write { try $0.apply([item], schemaVersion: 1) }
    let entry = try #require(temporary.store.snapshot().schema["Item"])
    id = entry.id
    friend = try #require(entry.column(named: "friend")).id
    friends = try #require(entry.column(named: "friends")).id
    friendSet = try #require(entry.column(named: "friendSet")).id
  }

  /// An owner with a list and a set of the objects 1 to 5, of which 2 and 4 are not here.
  private func makeOwner() throws -> ObjectKey {
    var owner = ObjectKey(rawValue: 0)
    try temporary.write { writer in
      let sync = try SyncWriting(writer)
      try sync.apply(from: Origin(high: 1, low: 1), at: HybridTime(rawValue: 1))
      owner = try writer.create(id, primaryKey: .int(100))
      for name in [1, 3, 5] { _ = try writer.create(id, primaryKey: .int(Int64(name))) }
      let links = try (1...5).map { StoredValue.link(try sync.linkTarget(id, primaryKey: .int(Int64($0)))) }
      try writer.lists.insert(id, friends, owner, at: 0, links)
      try writer.sets.insert(id, friendSet, owner, links)
      try writer.set(id, friend, owner, links[1])
    }
    return owner
  }

  /// Follows a list through a commit.
  private func changes(
    of list: ObservedList, from older: Snapshot, _ body: (StoreWriter) throws -> Void
  ) throws -> (count: Int?, changes: CollectionChangeSet) {
    try temporary.write(body)
    let newer = try temporary.store.snapshot()
    let summary = try newer.changes(since: older.version)
    let count = try #require(try list.count(in: older))
    return try ListProgress(
      list: list, scope: .membership, older: older, newer: newer, summary: summary
    ).advance(count: count)
  }

  @Test(
    "Y-31, N-20: an object that comes is an insertion where it shows, one that goes a deletion; positions are those of what is here"
  )
  func listsAndSets() throws {
    let owner = try makeOwner()
    for column in [friends, friendSet] {
      let list = ObservedList(owner: ObjectLink(classID: id, key: owner), column: column)
      var older = try temporary.store.snapshot()
      #expect(try list.count(in: older) == 3)
      let name: Int64 = column == friends ? 2 : 4
      var result = try changes(of: list, from: older) { _ = try $0.create(id, primaryKey: .int(name)) }
      #expect(result.changes.deletions.isEmpty && result.changes.insertions.count == 1)
      if column == friends { #expect(result.changes.insertions == [1] && result.count == 4) }
      older = try temporary.store.snapshot()
      let first = try #require(try list.values(in: older)?.first)
      result = try changes(of: list, from: older) { writer in
        if case .link(let key) = first { try writer.delete(id, key) }
      }
      #expect(result.changes.deletions == [0] && result.changes.insertions.isEmpty)
      #expect(try result.count == list.count(in: temporary.store.snapshot()))
      #expect(try list.count(in: temporary.store.snapshot()) == list.values(in: temporary.store.snapshot())?.count)
    }
  }

  @Test("Y-31, N-30: observers of an object hear of a link whose object came or went") func singleLinks() throws {
    let owner = try makeOwner()
    for isComing in [true, false] {
      let older = try temporary.store.snapshot()
      try temporary.write { writer in
        if isComing {
          _ = try writer.create(id, primaryKey: .int(2))
        } else if let key = try writer.object(id, primaryKey: .int(2)) {
          try writer.delete(id, key)
        }
      }
      let summary = try temporary.store.snapshot().changes(since: older.version)
      #expect(summary[id]?.modified[friend]?.contains(owner) == true)
    }
  }
}
