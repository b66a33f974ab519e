import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Counters of very many classes, which are in records of their own.
@Suite("Counters of very many classes") struct StatePartsTests {
  private static let few = CatalogState.mostWhole - 1
  private static let parts = 3

  private static func declarations(_ count: Int) -> [ClassDeclaration] {
    (0..<count).map { ClassDeclaration(name: "Class\($0)", columns: [ColumnDeclaration(name: "number", type: .int)]) }
  }

  private static func make(_ count: Int, key: EncryptionKey? = nil) throws -> TemporaryStore {
    let fixture = try TemporaryStore(clusterSize: 8, key: key)
    try fixture.write { try $0.apply(declarations(count), schemaVersion: 0) }
    return fixture
  }

  /// The catalog's record as it is stored.
  private static func record(_ store: Store, _ word: UInt64) throws -> [UInt8]? {
    try store.environment.beginRead().get(store.tables.catalog, KeyBytes(word))?.bytes
  }

  private static func edit(_ store: Store, _ word: UInt64, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try #require(try record(store, word))
    change(&bytes)
    try store.environment.write { try $0.put(store.tables.catalog, KeyBytes(word), bytes) }
  }

  private static func features(_ store: Store) throws -> UInt64 {
    let bytes = try #require(try record(store, StoreLayout.identityWord))
    return try bytes.withView { try CatalogIdentity($0, path: store.path).incompatible }
  }

  @Test("F-64: the counters of few classes are in one record, as ever, and older builds may open the store")
  func whole() throws {
    let fixture = try Self.make(Self.few)
    let state = try fixture.snapshot.state
    #expect(!state.isInParts && state.counters.count == Self.few + 1)
    #expect(try Self.record(fixture.store, StoreLayout.statePartWord(0)) == nil)
    #expect(try Self.features(fixture.store) & FeatureBits.stateParts == 0)
    // One class more, and the next commit divides them.
    try fixture.write { try $0.apply(Self.declarations(Self.few + 1), schemaVersion: 0) }
    #expect(try fixture.snapshot.state.parts == Array(repeating: try fixture.snapshot.version, count: Self.parts))
    #expect(try Self.features(fixture.store) & FeatureBits.stateParts != 0)
  }

  @Test("F-64: a store of the old form with a thousand classes opens, and is divided by its next commit")
  func older() throws {
    let fixture = try Self.make(1_000)
    let id = try #require(try fixture.snapshot.schema["Class700"]).id
    try fixture.write { writer in for _ in 0..<20 { _ = try writer.create(id) } }
    var state = try fixture.snapshot.state
    let parts = state.parts.count
    state.parts = []
    let directory = try TemporaryDirectory("older")
    let path = directory.file("older.larder")
    try fixture.snapshot.copy(to: path)
    let store = try Store.open(path: path)
    try store.environment.write { transaction in
      for part in 0..<parts { try transaction.delete(store.tables.catalog, KeyBytes(StoreLayout.statePartWord(part))) }
      try transaction.put(store.tables.catalog, StoreLayout.stateKey, state.encode())
    }
    let before = try store.snapshot()
    #expect(!before.state.isInParts && before.state.counters == state.counters)
    #expect(try StoreVerifier.verify(before).isEmpty)
    let writer = try store.beginWrite()
    #expect(try writer.create(id).rawValue == 20)
    try writer.commit()
    let after = try store.snapshot()
    #expect(after.state.parts.count == parts && after.state[id] == .init(nextKey: 21, count: 21))
    #expect(try StoreVerifier.verify(after).isEmpty)
  }

  @Test(
    "F-64: a commit writes the counters of the classes that it changed, and of no others; all are as they were counted")
  func commits() throws {
    var random = SeededRandom.forTest("state parts")
    let fixture = try Self.make(1_000)
    let ids = try fixture.snapshot.schema.classes.map(\.id)
    var expected: [ClassID: CatalogState.ClassCounters] = [:]
    var live: [ClassID: [ObjectKey]] = [:]
    // Kept, so that parts are taken from what is known; every now and then everything is read again.
    var states: [CatalogState] = []
    for round in 0..<120 {
      let used = (0..<Int.random(in: 1...3, using: &random)).map { _ in ids[Int.random(in: 0..<1_000, using: &random)] }
      try fixture.write { writer in
        for id in used {
          for _ in 0..<Int.random(in: 1...12, using: &random) {
            live[id, default: []].append(try writer.create(id))
            expected[id, default: .init()].nextKey += 1
          }
          if Bool.random(using: &random), let key = live[id]?.randomElement(using: &random) {
            try writer.delete(id, key)
            live[id]?.removeAll { $0 == key }
          }
          expected[id]?.count = UInt64(live[id]?.count ?? 0)
        }
      }
      let snapshot = try fixture.snapshot
      let touched = Set(used.map { Int($0.rawValue) / CatalogState.partSize })
      let written = snapshot.state.parts.indices.filter { snapshot.state.parts[$0] == snapshot.version }
      #expect(Set(written) == touched, "round \(round)")
      for id in ids { #expect(snapshot.state[id] == expected[id] ?? .init()) }
      states.append(snapshot.state)
      // Without anything known.
      let head = try #require(try snapshot.transaction.get(fixture.store.tables.catalog, StoreLayout.stateKey)?.bytes)
      let read = try head.withView { head in
        try CatalogState(head) { try snapshot.transaction.get(fixture.store.tables.catalog, KeyBytes($0))?.bytes }
      }
      #expect(read == snapshot.state)
      if round % 40 == 0 { #expect(try StoreVerifier.verify(snapshot).isEmpty) }
    }
    #expect(Set(states.map(\.version)).count == 120)
  }

  @Test("F-64: more classes come and are counted; those that are removed leave their numbers")
  func growing() throws {
    let fixture = try Self.make(130)
    let first = try #require(try fixture.snapshot.schema["Class129"]).id
    try fixture.write { _ = try $0.create(first) }
    for count in [131, 192, 193, 400] {
      try fixture.write { try $0.apply(Self.declarations(count), schemaVersion: 0) }
      let last = try #require(try fixture.snapshot.schema["Class\(count - 1)"]).id
      try fixture.write { _ = try $0.create(last) }
      let state = try fixture.snapshot.state
      #expect(state[last] == .init(nextKey: 1, count: 1) && state[first] == .init(nextKey: 1, count: 1))
      #expect(state.parts.count == CatalogState.partCount(state.counters.count))
      #expect(try StoreVerifier.verify(fixture.snapshot).isEmpty)
    }
  }

  @Test("F-64: copies of every kind count the same", arguments: [false, true])
  func copies(isEncrypted: Bool) throws {
    let key = isEncrypted ? EncryptionKey(0..<64) : nil
    let fixture = try Self.make(300, key: key)
    let id = try #require(try fixture.snapshot.schema["Class250"]).id
    try fixture.write { writer in for _ in 0..<9 { _ = try writer.create(id) } }
    let directory = try TemporaryDirectory("copies")
    var options = StoreOptions()
    options.encryptionKey = key
    try fixture.snapshot.copy(to: directory.file("one.larder"))
    // With what is not committed yet.
    let writer = try fixture.store.beginWrite()
    _ = try writer.create(id)
    try writer.copy(to: directory.file("two.larder"))
    writer.cancel()
    for (name, count) in [("one", UInt64(9)), ("two", 10)] {
      let store = try Store.open(path: directory.file("\(name).larder"), options: options)
      let snapshot = try store.snapshot()
      #expect(snapshot.state[id] == .init(nextKey: count, count: count) && snapshot.state.isInParts, "\(name)")
      #expect(try StoreVerifier.verify(snapshot).isEmpty)
      let writer = try store.beginWrite()
      #expect(try writer.create(id).rawValue == count)
      try writer.commit()
      #expect(try store.snapshot().state[id].count == count + 1)
    }
  }

  @Test("F-64: a part that is damaged, missing or of another version is an error that says so, and saving counts again")
  func damage() throws {
    let word = StoreLayout.statePartWord(3)
    typealias Damage = (name: String, says: String, apply: (Store) throws -> Void)
    let damages: [Damage] = [
      ("a byte", "is damaged", { try Self.edit($0, word) { $0[40] ^= 1 } }),
      ("cut", "is damaged", { try Self.edit($0, word) { $0.removeLast(8) } }),
      (
        "missing", "is not there",
        { store in try store.environment.write { _ = try $0.delete(store.tables.catalog, KeyBytes(word)) } }
      ),
      (
        "older", "is of another version",
        { store in
          var state = try store.snapshot().state
          state.parts[3] -= 1
          let older = state.encode(part: 3)
          try Self.edit(store, word) { $0 = older }
        }
      ),
    ]
    for damage in damages {
      let fixture = try Self.make(300)
      let id = try #require(try fixture.snapshot.schema["Class200"]).id
      try fixture.write { writer in for _ in 0..<20 { _ = try writer.create(id) } }
      let directory = try TemporaryDirectory("damaged")
      let path = directory.file("damaged.larder")
      try fixture.snapshot.copy(to: path)
      // Opened again: what was read before is known.
      try { try damage.apply(Store.open(path: path)) }()
      let store = try Store.open(path: path)
      let error = #expect(throws: StorageError.self, "\(damage.name)") { _ = try store.snapshot() }
      #expect(error?.code == .corrupted, "\(damage.name)")
      #expect("\(error as Any)".contains(damage.says), "\(damage.name): \(error as Any)")
      let saved = try store.repairedVersion().snapshot
      #expect(try (0..<20).allSatisfy { try saved.contains(id, ObjectKey(rawValue: $0)) }, "\(damage.name)")
    }
  }

  private static let recorded = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/format/format-1-parts.larder")
  private static let isRecording = ProcessInfo.processInfo.environment["LARDER_RECORD_FORMAT"] != nil

  @Test("Writes the store with parts, when LARDER_RECORD_FORMAT is set", .enabled(if: isRecording))
  func record() throws {
    let fixture = try Self.make(140)
    for (number, entry) in try fixture.snapshot.schema.classes.enumerated() where number % 10 == 3 {
      try fixture.write { writer in for _ in 0..<number { _ = try writer.create(entry.id) } }
    }
    guard !FileManager.default.fileExists(atPath: Self.recorded.path) else { return }
    try fixture.snapshot.copy(to: Self.recorded.path)
  }

  @Test("F-64: a store with parts that was recorded is opened, checked and written")
  func opensRecorded() throws {
    let directory = try TemporaryDirectory("recorded")
    let path = directory.file("old.larder")
    try FileManager.default.copyItem(atPath: Self.recorded.path, toPath: path)
    let store = try Store.open(path: path)
    let snapshot = try store.snapshot()
    #expect(snapshot.state.isInParts && snapshot.schema.classes.count == 140)
    for (number, entry) in snapshot.schema.classes.enumerated() {
      #expect(try snapshot.count(of: entry.id) == (number % 10 == 3 ? number : 0))
    }
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    let id = try #require(snapshot.schema["Class133"]).id
    let writer = try store.beginWrite()
    #expect(try writer.create(id).rawValue == 133)
    try writer.commit()
    #expect(try StoreVerifier.verify(store.snapshot()).isEmpty)
  }
}
