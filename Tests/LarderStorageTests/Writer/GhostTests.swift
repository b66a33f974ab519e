import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Links to objects of synced classes that are not here, and what becomes of them when these come.
@Suite struct GhostTests {
  let fixture: OperationFixture
  private let site = Origin(high: 7, low: 9)

  init() throws { fixture = try OperationFixture() }

  private var id: ClassID { fixture.item.id }

  /// Applies what another site did.
  private func receive(_ body: (StoreWriter, SyncWriting) throws -> Void) throws {
    try fixture.write { writer in
      let sync = try SyncWriting(writer)
      try sync.apply(from: site, at: HybridTime(rawValue: 1))
      try body(writer, sync)
    }
  }

  /// One object that links to object 1, which is not here, in every kind of property.
  @discardableResult
  private func makeHolder() throws -> ObjectKey {
    var holder = ObjectKey(rawValue: 0)
    try receive { writer, sync in
      holder = try writer.create(id, primaryKey: .int(100))
      let present = try writer.create(id, primaryKey: .int(101))
      let absent = try sync.linkTarget(id, primaryKey: .int(1))
      #expect(try sync.linkTarget(id, primaryKey: .int(1)) == absent)
      #expect(try sync.linkTarget(id, primaryKey: .int(101)) == present)
      try writer.set(id, fixture.column("friend"), holder, .link(absent))
      try writer.lists.insert(
        id, fixture.column("friends"), holder, at: 0, [.link(absent), .link(present), .link(absent)])
      try writer.sets.insert(id, fixture.column("friendSet"), holder, [.link(absent), .link(present)])
      try writer.maps.put(id, fixture.column("friendMap"), holder, [("a", .link(absent)), ("b", .link(present))])
      let link = StoredValue.object(ObjectLink(classID: id, key: absent))
      try writer.set(id, fixture.column("any"), holder, .list([link, .int(1), .dictionary(["k": link])]))
      try writer.lists.insert(id, fixture.column("anyList"), holder, at: 0, [.int(5), link])
    }
    return holder
  }

  private func expectHidden(_ reader: any StoreReader, _ holder: ObjectKey) throws {
    #expect(try reader.value(id, fixture.column("friend"), holder) == .null)
    #expect(try reader.hidesLink(id, fixture.column("friend"), holder))
    #expect(try reader.list(id, fixture.column("friends"), holder).count == 3)
    #expect(
      try reader.value(id, fixture.column("any"), holder) == .list([.null, .int(1), .dictionary(["k": .null])]))
    #expect(try reader.count(of: id) == 2)
    #expect(try reader.object(id, primaryKey: .int(1)) == nil)
    #expect(try reader.hasGhosts(of: id))
  }

  private func expectHealed(_ snapshot: Snapshot, _ holder: ObjectKey) throws {
    let came = try #require(try snapshot.object(id, primaryKey: .int(1)))
    let link = StoredValue.object(ObjectLink(classID: id, key: came))
    #expect(try snapshot.value(id, fixture.column("friend"), holder) == .link(came))
    #expect(try !snapshot.hidesLink(id, fixture.column("friend"), holder))
    let friends = try snapshot.list(id, fixture.column("friends"), holder).values()
    #expect(friends.count == 3 && friends[0] == .link(came) && friends[2] == .link(came))
    #expect(try snapshot.set(id, fixture.column("friendSet"), holder).values().contains(.link(came)))
    #expect(try snapshot.set(id, fixture.column("friendSet"), holder).count == 2)
    #expect(try snapshot.map(id, fixture.column("friendMap"), holder).value(of: "a") == .link(came))
    #expect(
      try snapshot.value(id, fixture.column("any"), holder) == .list([link, .int(1), .dictionary(["k": link])]))
    #expect(try snapshot.list(id, fixture.column("anyList"), holder).values() == [.int(5), link])
    #expect(try snapshot.ghost(id, primaryKey: .int(1)) == nil)
    #expect(try snapshot.ghostCount(of: id) == 0 && !snapshot.hasGhosts(of: id))
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  private func newestChanges() throws -> ClassChanges? {
    let snapshot = try fixture.store.snapshot()
    return try #require(try snapshot.store.log.record(snapshot.version, in: snapshot.transaction))[id]
  }

  @Test("L-8, Y-31: what comes may link to objects that are not here; the links read nil, and are known by their names")
  func unknownTargets() throws {
    let holder = try makeHolder()
    let snapshot = try fixture.store.snapshot()
    try expectHidden(snapshot, holder)
    let ghost = try #require(try snapshot.ghost(id, primaryKey: .int(1)))
    #expect(try snapshot.ghost(ObjectLink(classID: id, key: ghost)) == .int(1))
    #expect(try snapshot.ghost(id, primaryKey: .int(2)) == nil && snapshot.ghostCount(of: id) == 1)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    // A program's own transaction cannot link to what it does not see.
    #expect(throws: StorageError.self) {
      try fixture.write { try $0.set(id, fixture.column("friend"), holder, .link(ghost)) }
    }
    #expect(throws: StorageError.self) {
      try receive { _, sync in _ = try sync.linkTarget(fixture.diary.id, primaryKey: .int(1)) }
    }
    // Another transaction has the same ghost.
    try receive { _, sync in
      let again = try sync.linkTarget(id, primaryKey: .int(1))
      #expect(again == ghost)
    }
  }

  @Test(
    "L-8: an object that comes from elsewhere is what links led to; the properties count as changed, and nothing is sent"
  )
  func healingFromElsewhere() throws {
    let holder = try makeHolder()
    let before = try fixture.store.snapshot()
    try receive { writer, _ in _ = try writer.create(id, primaryKey: .int(1)) }
    let snapshot = try fixture.store.snapshot()
    try expectHealed(snapshot, holder)
    try expectHidden(before, holder)
    #expect(try OperationsReader(snapshot).commits(after: 0, upTo: snapshot.version).isEmpty)
    let changes = try #require(try newestChanges())
    let friend = try fixture.column("friend")
    #expect(changes.modified.contains { $0.column == friend && $0.isDerived && $0.keys.contains(holder) })
    let friends = try fixture.column("friends")
    let list = try #require(changes.lists.first { $0.column == friends })
    #expect(list.edits.allSatisfy { $0.isDerived })
  }

  @Test("L-8: an object that is made here is what links led to, at once, and only its creation is sent")
  func healingHere() throws {
    let holder = try makeHolder()
    try fixture.write { writer in
      let made = try writer.create(id, primaryKey: .int(1))
      #expect(try writer.value(id, fixture.column("friend"), holder) == .link(made))
    }
    let snapshot = try fixture.store.snapshot()
    try expectHealed(snapshot, holder)
    let sent = try OperationsReader(snapshot).commits(after: 0, upTo: snapshot.version).flatMap(\.operations)
    #expect(sent.allSatisfy { $0.object.primaryKey == .int(1) } && !sent.isEmpty)
  }

  @Test("L-8: in one transaction: linked to, made, deleted, made again, in any order")
  func oneTransaction() throws {
    let holder = try makeHolder()
    try receive { writer, sync in
      let other = try sync.linkTarget(id, primaryKey: .int(2))
      try writer.lists.insert(id, fixture.column("friends"), holder, at: 3, [.link(other)])
      let made = try writer.create(id, primaryKey: .int(2))
      // No version before has the key.
      #expect(made == other)
      #expect(try writer.value(id, fixture.column("int"), made) == .int(0))
      let first = try writer.create(id, primaryKey: .int(1))
      try writer.delete(id, first)
      let second = try writer.create(id, primaryKey: .int(1))
      try writer.set(id, fixture.column("int"), second, .int(7))
      let third = try sync.linkTarget(id, primaryKey: .int(3))
      try writer.set(id, fixture.column("friend"), made, .link(third))
    }
    var snapshot = try fixture.store.snapshot()
    let came = try #require(try snapshot.object(id, primaryKey: .int(1)))
    let two = try #require(try snapshot.object(id, primaryKey: .int(2)))
    #expect(try snapshot.value(id, fixture.column("friend"), holder) == .link(came))
    #expect(try snapshot.value(id, fixture.column("int"), came) == .int(7))
    #expect(try snapshot.list(id, fixture.column("friends"), holder).values()[3] == .link(two))
    #expect(try snapshot.ghostCount(of: id) == 1)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    // Deleted and made again in later versions: what links to it sees both.
    try fixture.write { try $0.delete(id, came) }
    snapshot = try fixture.store.snapshot()
    #expect(try snapshot.value(id, fixture.column("friend"), holder) == .null)
    let friend = try fixture.column("friend")
    #expect(try newestChanges()?.modified.contains { $0.column == friend && $0.isDerived } == true)
    try fixture.write { _ = try $0.create(id, primaryKey: .int(1)) }
    try receive { writer, _ in
      #expect(try writer.object(id, primaryKey: .int(3)) == nil)
      _ = try writer.create(id, primaryKey: .int(3))
    }
    try expectHealedFriend(holder)
  }

  private func expectHealedFriend(_ holder: ObjectKey) throws {
    let snapshot = try fixture.store.snapshot()
    let came = try #require(try snapshot.object(id, primaryKey: .int(1)))
    #expect(try snapshot.value(id, fixture.column("friend"), holder) == .link(came))
    #expect(try snapshot.ghostCount(of: id) == 0)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("T70, L-8: an object that was deleted here and is there all the same shows in lists again, where it was")
  func refusedDeletion() throws {
    let friends = try fixture.column("friends")
    var holder = ObjectKey(rawValue: 0)
    try fixture.write { writer in
      holder = try writer.create(id, primaryKey: .int(9))
      let links = try (1...3).map { StoredValue.link(try writer.create(id, primaryKey: .int(Int64($0)))) }
      try writer.lists.insert(id, friends, holder, at: 0, links + [links[1]])
    }
    try fixture.write { writer in
      try writer.delete(id, #require(try writer.object(id, primaryKey: .int(2))))
    }
    try receive { writer, _ in _ = try writer.create(id, primaryKey: .int(2)) }
    let snapshot = try fixture.store.snapshot()
    let names = try snapshot.list(id, friends, holder).values().map { value -> StoredValue in
      guard case .link(let key) = value else { return .null }
      return try snapshot.value(id, fixture.column("id"), key)
    }
    #expect(names == [.int(1), .int(2), .int(3), .int(2)])
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  private struct Undone: Error {}

  @Test("L-8: what is undone leaves neither ghosts nor objects behind")
  func undone() throws {
    let holder = try makeHolder()
    try receive { writer, sync in
      _ = try? writer.savepoint {
        let other = try sync.linkTarget(id, primaryKey: .int(2))
        try writer.set(id, fixture.column("friend"), holder, .link(other))
        _ = try writer.create(id, primaryKey: .int(1))
        _ = try writer.create(id, primaryKey: .int(2))
        throw Undone()
      }
      let ghost = try sync.linkTarget(id, primaryKey: .int(1))
      #expect(try sync.ghost(ObjectLink(classID: id, key: ghost)) == .int(1))
    }
    let snapshot = try fixture.store.snapshot()
    try expectHidden(snapshot, holder)
    #expect(try snapshot.ghostCount(of: id) == 1 && snapshot.ghost(id, primaryKey: .int(2)) == nil)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("L-8: a copy, plain or compact, has the ghosts, and heals as the store does")
  func copies() throws {
    let holder = try makeHolder()
    let path = fixture.store.path + ".copy"
    try fixture.store.snapshot().copy(to: path)
    let copy = try Store.open(path: path)
    try expectHidden(copy.snapshot(), holder)
    #expect(try StoreVerifier.verify(copy.snapshot()).isEmpty)
    let writer = try copy.beginWrite()
    _ = try writer.create(id, primaryKey: .int(1))
    try writer.commit()
    try expectHealed(copy.snapshot(), holder)
  }

  @Test("L-8: what comes and goes on another device in any order ends as links by names do")
  func model() throws {
    var random = SeededRandom.forTest()
    let friends = try fixture.column("friends")
    var present: Set<Int64> = []
    var lists: [Int64: [Int64]] = [:]
    for _ in 0..<60 {
      let isLocal = random.oneIn(3)
      try fixture.write { writer in
        let sync = try SyncWriting(writer)
        if !isLocal { try sync.apply(from: site, at: HybridTime(rawValue: 1)) }
        for _ in 0..<random.int(1...6) {
          let name = Int64(random.int(0..<12))
          let key = try writer.object(id, primaryKey: .int(name))
          #expect((key != nil) == present.contains(name), "seed \(random.seed)")
          guard let key else {
            _ = try writer.create(id, primaryKey: .int(name))
            (present, lists[name]) = (present.union([name]), [])
            continue
          }
          if random.oneIn(3) {
            try writer.delete(id, key)
            (present, lists[name]) = (present.subtracting([name]), nil)
            continue
          }
          let target = Int64(random.int(0..<12))
          if isLocal, !present.contains(target) { continue }
          let link = try sync.linkTarget(id, primaryKey: .int(target))
          let count = try writer.list(id, friends, key).count
          try writer.lists.insert(id, friends, key, at: count, [.link(link)])
          lists[name, default: []].append(target)
        }
      }
      let snapshot = try fixture.store.snapshot()
      for (name, wanted) in lists {
        let key = try #require(try snapshot.object(id, primaryKey: .int(name)))
        let found = try snapshot.list(id, friends, key).values().map { value -> StoredValue? in
          guard case .link(let key) = value else { return nil }
          guard try snapshot.contains(id, key) else {
            return try snapshot.ghost(ObjectLink(classID: id, key: key))
          }
          return try snapshot.value(id, fixture.column("id"), key)
        }
        #expect(found == wanted.map { .int($0) }, "seed \(random.seed)")
        // What is here is never hidden.
        for case .link(let linked) in try snapshot.list(id, friends, key).values()
        where try !snapshot.contains(id, linked) {
          let name = try snapshot.ghost(ObjectLink(classID: id, key: linked))
          #expect(try name.map { try snapshot.object(id, primaryKey: $0) == nil } == true, "seed \(random.seed)")
        }
      }
      #expect(try StoreVerifier.verify(snapshot).isEmpty, "seed \(random.seed)")
    }
  }
}
