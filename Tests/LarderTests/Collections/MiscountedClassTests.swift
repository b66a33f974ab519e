import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import Larder
@testable import LarderStorage

/// Stores whose catalog counts other numbers of objects than there are.
@Suite("Miscounted classes") struct MiscountedClassTests {
  final class Counted: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
  }
  final class Name: Projection<Counted> {
    @Projected(\Counted.name) var name
  }

  private static let objects = 10

  /// A store whose catalog counts so many objects more than there are.
  private func configuration(_ folder: TemporaryFolder, _ difference: Int64, isEncrypted: Bool) throws
    -> Realm.Configuration
  {
    var configuration = folder.configuration([Counted.self])
    if isEncrypted { configuration.encryptionKey = Data(repeating: 7, count: 64) }
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<Self.objects { realm.create(Counted.self, value: ["id": id, "name": "n\(id)"] as [String: Any]) }
    }
    let store = realm.core.store
    let snapshot = try store.snapshot()
    let id = try #require(snapshot.schema["Counted"]).id
    var state = snapshot.state
    state[id].count = UInt64(bitPattern: Int64(state[id].count) + difference)
    state[id].nextKey = max(state[id].nextKey, state[id].count)
    let record = state.encode()
    try store.environment.write { try $0.put(store.tables.catalog, StoreLayout.stateKey, record) }
    return configuration
  }

  @Test(
    "F-135: loops, arrays and counts go by the presence bits, whatever the catalog counts", arguments: [false, true],
    [Int64(0), 1, -1, -9, -10, 100])
  func reading(_ isEncrypted: Bool, _ difference: Int64) throws {
    let folder = try TemporaryFolder()
    let configuration = try configuration(folder, difference, isEncrypted: isEncrypted)
    let realm = try Realm(configuration: configuration)
    let wanted = Array(0..<Self.objects)
    for reading in [realm, realm.freeze()] {
      let results = reading.objects(Counted.self)
      var seen: [Int] = []
      for object in results { seen.append(object.id) }
      #expect(seen == wanted)
      #expect(Array(results).map(\.id) == wanted && results.map(\.id) == wanted)
      #expect(results.count == Self.objects && !results.isEmpty && results.last?.id == Self.objects - 1)
      #expect(
        results.filter("id >= 0").count == Self.objects && results.sorted(byKeyPath: "name").count == Self.objects)
      #expect(results.indices.map { results[$0].id } == wanted)
      #expect(results.prefix(3).map(\.id) == [0, 1, 2] && results.suffix(2).map(\.id) == [8, 9])
      #expect(reading.objects(Name.self).map(\.name) == wanted.map { "n\($0)" })
      #expect(reading.dynamicObjects("Counted").count == Self.objects)
    }
  }

  @Test(
    "F-135: a write to such a store counts by the bits, and puts the counter right", arguments: [Int64(1), -1, -10])
  func writing(_ difference: Int64) throws {
    let folder = try TemporaryFolder()
    let configuration = try configuration(folder, difference, isEncrypted: false)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      #expect(realm.objects(Counted.self).count == Self.objects)
      #expect(throws: Realm.Error.self) { try realm.throwing.create(Counted.self, value: ["id": 3] as [String: Any]) }
      for object in realm.objects(Counted.self) where object.id % 2 == 0 { realm.delete(object) }
      #expect(realm.objects(Counted.self).count == 5)
    }
    #expect(realm.objects(Counted.self).count == 5 && realm.objects(Counted.self).map(\.id) == [1, 3, 5, 7, 9])
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    try realm.write { realm.deleteAll() }
    #expect(realm.objects(Counted.self).isEmpty && realm.objects(Counted.self).last == nil)
  }

  @Test("F-135: a counter beyond what the file can hold is damage, where the clusters are too many to be counted")
  func impossible() throws {
    let fixture = try TemporaryStore(clusterSize: 8)
    try fixture.write { try $0.apply([ClassDeclaration(name: "Node", columns: [])], schemaVersion: 0) }
    let node = try #require(try fixture.snapshot.schema["Node"])
    try fixture.write { writer in for _ in 0..<9_000 { _ = try writer.create(node.id) } }
    var state = try fixture.snapshot.state
    state[node.id].count = 1 << 34
    state[node.id].nextKey = 1 << 34
    let record = state.encode()
    let store = fixture.store
    try store.environment.write { try $0.put(store.tables.catalog, StoreLayout.stateKey, record) }
    // A store that is opened believes nothing yet.
    let copy = fixture.directory.file("copy.larder")
    try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
    let opened = try Store.open(path: copy)
    let error = #expect(throws: StorageError.self) { try opened.snapshot().count(of: node.id) }
    #expect(error?.code == .corrupted)
  }
}
