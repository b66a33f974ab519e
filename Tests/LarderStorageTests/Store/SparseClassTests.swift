import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// Classes of which almost all objects that there ever were are deleted.
@Suite struct SparseClassTests {
  /// A store with objects at the beginning, in the middle and at the end of very many keys.
  private struct Subject {
    let fixture: TemporaryStore
    let entry: ClassDescriptor
    let keys: [ObjectKey]

    init(next: UInt64, key: EncryptionKey? = nil) throws {
      fixture = try TemporaryStore(clusterSize: 8, key: key)
      try fixture.write {
        try $0.apply(
          [
            ClassDeclaration(
              name: "Event",
              columns: [
                ColumnDeclaration(name: "number", type: .int),
                ColumnDeclaration(name: "link", type: .link, target: "Event"),
              ])
          ], schemaVersion: 0)
      }
      entry = try #require(try fixture.snapshot.schema["Event"])
      // Whole clusters: none of them leaves a tail.
      var keys: [ObjectKey] = []
      for position in [0, next / 2, next - 8] {
        try Self.setNextKey(position, fixture.store, entry.id)
        keys += try Self.add(24, fixture, entry)
      }
      self.keys = keys
    }

    static func setNextKey(_ next: UInt64, _ store: Store, _ classID: ClassID) throws {
      let transaction = try store.environment.beginWrite()
      let record = try #require(try transaction.get(store.tables.catalog, StoreLayout.stateKey))
      var state = try CatalogState(record)
      state[classID].nextKey = next
      try transaction.put(store.tables.catalog, StoreLayout.stateKey, state.encode())
      try transaction.commit()
      // The next transaction is not to go on where the last one ended.
      _ = store.takeCachedWriter(version: 0)
    }

    static func add(_ count: Int, _ fixture: TemporaryStore, _ entry: ClassDescriptor) throws -> [ObjectKey] {
      try fixture.write { writer in
        try (0..<count).map { number in
          let key = try writer.create(entry.id)
          try writer.set(entry.id, entry.columns[0].id, key, .int(Int64(number)))
          return key
        }
      }
    }
  }

  // Work and memory for each number of a cluster would be seen here: minutes and gigabytes.
  @Test(
    "F-41: what a walk costs follows the clusters that hold objects, not the keys ever given", arguments: [false, true])
  func walk(isEncrypted: Bool) throws {
    let subject = try Subject(next: 1 << 33, key: isEncrypted ? .test() : nil)
    let snapshot = try subject.fixture.snapshot
    #expect(try snapshot.clusterCount(of: subject.entry.id) > 1 << 30)
    let live = try snapshot.liveClusters(of: subject.entry.id)
    #expect(live.count <= 12)
    var found: [ObjectKey] = []
    for cluster in live {
      for slot in try snapshot.presence(subject.entry.id, cluster: cluster)?.bitmap(capacity: 8).setBits ?? [] {
        found.append(ObjectKey(rawValue: UInt64(cluster * 8 + slot)))
      }
    }
    #expect(found == subject.keys)
    for (number, key) in subject.keys.enumerated() {
      #expect(try snapshot.value(subject.entry.id, subject.entry.columns[0].id, key) == .int(Int64(number % 24)))
    }
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("F-41: transactions, deletions and the newest objects of such a class")
  func writing() throws {
    let subject = try Subject(next: 1 << 33)
    let (fixture, entry) = (subject.fixture, subject.entry)
    try fixture.write { writer in
      let made = try writer.create(entry.id)
      #expect(try writer.liveClusters(of: entry.id).last == Int(made.rawValue) / 8)
      try writer.delete(entry.id, subject.keys[20])
    }
    // One object at a time stays in the tail, of a cluster that has nothing else.
    while try fixture.snapshot.nextObjectKey(of: entry.id).rawValue % 8 != 1 { _ = try Subject.add(1, fixture, entry) }
    let snapshot = try fixture.snapshot
    let last = try snapshot.clusterCount(of: entry.id) - 1
    #expect(try snapshot.tail(of: entry.id, cluster: last) != nil)
    #expect(try snapshot.liveClusters(of: entry.id).last == last)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    try fixture.write { try $0.deleteAll(entry.id) }
    #expect(try fixture.snapshot.count(of: entry.id) == 0)
    #expect(try fixture.snapshot.liveClusters(of: entry.id).isEmpty)
    #expect(try StoreVerifier.verify(fixture.snapshot).isEmpty)
  }

  @Test(
    "F-41: a check tells of more keys than the store's versions can have given, at the usual number of objects in a cluster",
    .notUnder(.smallClusters, "it is about the usual clusters"),
    arguments: [1 << 40, 1 << 41] as [UInt64])
  func unlikely(next: UInt64) throws {
    let fixture = try TemporaryStore()
    try fixture.write {
      try $0.apply(
        [ClassDeclaration(name: "Event", columns: [ColumnDeclaration(name: "number", type: .int)])], schemaVersion: 0)
    }
    let entry = try #require(try fixture.snapshot.schema["Event"])
    _ = try Subject.add(fixture.store.clusterSize, fixture, entry)
    try Subject.setNextKey(1 << 32, fixture.store, entry.id)
    #expect(try StoreVerifier.verify(fixture.snapshot).isEmpty)
    try Subject.setNextKey(next, fixture.store, entry.id)
    let problems = try StoreVerifier.verify(fixture.snapshot)
    #expect(problems.contains { $0.description.contains("the next object would get the key \(next)") })
  }

  @Test("F-41: more keys than there can be clusters for are damage", arguments: [1 << 40, 1 << 60] as [UInt64])
  func impossible(next: UInt64) throws {
    let subject = try Subject(next: 1 << 20)
    try Subject.setNextKey(next, subject.fixture.store, subject.entry.id)
    let error = #expect(throws: StorageError.self) { try subject.fixture.snapshot }
    #expect(error?.code == .corrupted)
  }
}

extension Bitmap {
  fileprivate var setBits: [Int] { (0..<count).filter { self[$0] } }
}
