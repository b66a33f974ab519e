import LarderLMDB
import LarderLocks
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct SyncWritingTests {
  let fixture: OperationFixture
  private let site = Origin(high: 7, low: 9)

  init() throws { fixture = try OperationFixture() }

  private var id: ClassID { fixture.item.id }

  @Test("L-3, L-11, L-13: a commit from elsewhere names its origin, has no operations, and is announced as any other")
  func remote() throws {
    let announced = Lock<[UInt64]>([])
    let token = fixture.store.addCommitHandler { version in announced.withLock { $0.append(version) } }
    defer { fixture.store.removeCommitHandler(token) }
    let texts = try fixture.column("texts")
    let count = try fixture.column("count")
    let local = HybridTime(rawValue: try fixture.store.snapshot().state.clock)
    let ahead = HybridTime(milliseconds: local.milliseconds + 3_600_000)
    for _ in 0..<2 {
      try fixture.write { writer in
        try SyncWriting(writer).apply(from: site, at: ahead)
        let key = try writer.create(id, primaryKey: .int(Int64(writer.version)))
        try writer.lists.insert(id, texts, key, at: 0, [.string("theirs")])
        try ValueAssignment(writer: writer).add(id, count, key, .int(2))
        if try writer.object(id, primaryKey: .int(Int64(writer.version) - 1)) != nil {
          let old = try #require(try writer.object(id, primaryKey: .int(Int64(writer.version) - 1)))
          try writer.lists.insert(id, texts, old, at: 0, [.string("more")])
          try writer.delete(id, key)
        }
      }
    }
    let snapshot = try fixture.store.snapshot()
    let record = try #require(try snapshot.store.log.record(snapshot.version, in: snapshot.transaction))
    #expect(record.flags.contains(.appliedFromRemote) && !record.flags.contains(.hasOperations))
    let origins = try snapshot.store.log.origins(in: snapshot.transaction)
    #expect(origins.count == 2 && origins[Int(record.origin)] == site)
    #expect(record.time > ahead)
    #expect(record[id]?.lists.count == 1)
    #expect(try OperationsReader(snapshot).commits(after: 0, upTo: snapshot.version).isEmpty)
    #expect(announced.withLock { $0 } == [snapshot.version - 1, snapshot.version])
    // The next one is the store's own again.
    try fixture.write { _ = try $0.create(id, primaryKey: .int(-1)) }
    let after = try fixture.store.snapshot()
    #expect(try OperationsReader(after).commits(after: 0, upTo: after.version).map(\.version) == [after.version])
    #expect(try after.store.log.record(after.version, in: after.transaction)?.origin == ChangeLog.thisStore)
    #expect(try StoreVerifier.verify(after).isEmpty)
  }

  private struct Undone: Error {}

  @Test("L-25: the state of synchronisation is bytes, written with the objects or not at all")
  func state() throws {
    #expect(try fixture.store.snapshot().syncState("cursor") == nil)
    let long = [UInt8](repeating: 5, count: 100_000)
    try fixture.write { writer in
      let sync = try SyncWriting(writer)
      try sync.setState("cursor", [1, 2, 3])
      try sync.setState("pending", long)
      #expect(try sync.state("cursor") == [1, 2, 3])
      #expect(throws: StorageError.self) { try sync.setState("", [1]) }
      #expect(throws: StorageError.self) { try sync.setState(String(repeating: "x", count: 201), [1]) }
    }
    #expect(throws: Undone.self) {
      try fixture.write { writer in
        try SyncWriting(writer).setState("cursor", [9])
        throw Undone()
      }
    }
    let before = try fixture.store.snapshot()
    #expect(try before.syncState("cursor") == [1, 2, 3])
    #expect(try before.syncState("pending") == long)
    try fixture.write { try SyncWriting($0).setState("pending", nil) }
    #expect(try fixture.store.snapshot().syncState("pending") == nil)
    #expect(try before.syncState("pending") == long)
    let local = try StoreFixture()
    #expect(try local.store.snapshot().syncState("cursor") == nil)
    #expect(throws: StorageError.self) { try local.write { _ = try SyncWriting($0) } }
  }

  @Test("L-17, L-25: bytes for each list of an object, by the path to it; they outlive the object")
  func elements() throws {
    let (any, texts) = (try fixture.column("any"), try fixture.column("texts"))
    var object = ObjectLink(classID: id, key: ObjectKey(rawValue: 0))
    let path: [MixedStep] = [.position(3), .key("e\u{301}")]
    try fixture.write { writer in
      object = ObjectLink(classID: id, key: try writer.create(id, primaryKey: .int(1)))
      let sync = try SyncWriting(writer)
      try sync.setElements(object, texts, [1])
      try sync.setElements(object, any, path: path, [2])
      try sync.setElements(object, any, path: [.position(3), .key("\u{e9}")], [3])
    }
    var snapshot = try fixture.store.snapshot()
    #expect(try snapshot.syncElements(object, texts) == [1])
    #expect(try snapshot.syncElements(object, any, path: path) == [2])
    #expect(try snapshot.syncElements(object, any) == nil)
    try fixture.write { writer in
      try SyncWriting(writer).setElements(object, any, path: path, nil)
      try writer.delete(id, object.key)
    }
    snapshot = try fixture.store.snapshot()
    #expect(try snapshot.syncElements(object, any, path: path) == nil)
    #expect(try snapshot.syncElements(object, any, path: [.position(3), .key("\u{e9}")]) == [3])
    #expect(try snapshot.syncElements(object, texts) == [1])
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("Y-47: properties that are not declared any more stay in synced classes, with their values; local ones go")
  func undeclaredProperties() throws {
    let (texts, secret) = (try fixture.column("texts"), try fixture.column("secret"))
    var key = ObjectKey(rawValue: 0)
    try fixture.write { writer in
      key = try writer.create(id, primaryKey: .int(1))
      try writer.lists.insert(id, texts, key, at: 0, [.string("kept")])
    }
    var classes = OperationFixture.classes
    classes[0].columns.removeAll { ["texts", "secret"].contains($0.name) }
    classes[0].columns.append(ColumnDeclaration(name: "new", type: .int))
    classes[1].columns.removeAll { $0.name == "weight" }
    classes[3].columns.removeAll { $0.name == "text" }
    try fixture.write { try $0.apply(classes, schemaVersion: 1) }
    let schema = try fixture.store.snapshot().schema
    let item = try #require(schema["Item"])
    #expect(item.column(texts)?.name == "texts" && item.column(secret) == nil && item.column(named: "new") != nil)
    #expect(schema["Part"]?.column(named: "weight") != nil && schema["Diary"]?.column(named: "text") == nil)
    #expect(try fixture.store.snapshot().list(id, texts, key).values() == [.string("kept")])
    try fixture.write { try $0.lists.insert(id, texts, key, at: 1, [.string("more")]) }
    let snapshot = try fixture.store.snapshot()
    #expect(try OperationsReader(snapshot).commits(after: snapshot.version - 1, upTo: snapshot.version).count == 1)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("L-8: a link to a deleted object of a synced class stays, reads nil, and the object's name is known")
  func ghosts() throws {
    let (friend, friends) = (try fixture.column("friend"), try fixture.column("friends"))
    var (held, holder, alone) = (ObjectKey(rawValue: 0), ObjectKey(rawValue: 0), ObjectKey(rawValue: 0))
    try fixture.write { writer in
      held = try writer.create(id, primaryKey: .int(1))
      holder = try writer.create(id, primaryKey: .int(2))
      alone = try writer.create(id, primaryKey: .int(3))
      try writer.set(id, friend, holder, .link(held))
      try writer.lists.insert(id, friends, holder, at: 0, [.link(held), .link(alone)])
    }
    try fixture.write { try $0.delete(id, held) }
    let snapshot = try fixture.store.snapshot()
    #expect(try snapshot.value(id, friend, holder) == .null)
    #expect(try snapshot.list(id, friends, holder).count == 2)
    #expect(try snapshot.ghost(ObjectLink(classID: id, key: held)) == .int(1))
    #expect(try snapshot.ghost(ObjectLink(classID: id, key: alone)) == nil)
    let found = try OperationsReader(snapshot).commits(after: snapshot.version - 1, upTo: snapshot.version)
    #expect(found.flatMap(\.operations).map(\.change) == [.delete])
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("L-8, L-13: a check names damaged operations, ghosts and records of synchronisation")
  func damage() throws {
    try fixture.write { writer in
      _ = try writer.create(id, primaryKey: .int(1))
      try SyncWriting(writer).setState("cursor", [1])
    }
    let tables = try #require(StoreTables.Sync(fixture.store.environment))
    let version = try fixture.store.newestVersion
    try fixture.write { writer in
      let transaction = writer.transaction
      var bytes = try #require(try transaction.get(tables.operations, OperationStream.key(version, 0))).bytes
      bytes[20] ^= 1
      try transaction.put(tables.operations, OperationStream.key(version, 0), bytes)
      var state = try #require(try transaction.get(tables.state, SyncRecord.key(name: "cursor"))).bytes
      state[16] ^= 1
      try transaction.put(tables.state, SyncRecord.key(name: "cursor"), state)
      let link = ObjectLink(classID: id, key: ObjectKey(rawValue: 0))
      try transaction.put(tables.ghosts, Ghost.key(link), Ghost(primaryKey: .int(1)).encoded())
    }
    let problems = try StoreVerifier.verify(fixture.store.snapshot())
    #expect(Set(problems.map(\.location)) == ["ops", "sync.state", "ghosts"], "\(problems)")
  }
}
