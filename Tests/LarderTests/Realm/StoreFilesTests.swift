import Foundation
import Testing

@testable import Larder
@testable import LarderStorage

/// Copies, seeds, compaction, deletion and reading only.
@Suite("Files of a store") struct StoreFilesTests {
  enum V {
    class Thing: Object {
      @Persisted(primaryKey: true) var a: Int
      @Persisted var text = ""
      @Persisted var list: List<Int>
    }
    class Other: Object { @Persisted var b: Int }
  }
  enum Fewer { class Thing: Object { @Persisted(primaryKey: true) var a: Int } }
  enum Changed {
    class Thing: Object {
      @Persisted(primaryKey: true) var a: Int
      @Persisted var more = 3
    }
  }

  private func fill(_ folder: TemporaryFolder, _ count: Int = 3) throws -> Realm {
    let realm = try Realm(configuration: folder.configuration([V.Thing.self], version: 3))
    try realm.write {
      for a in 0..<count { realm.create(V.Thing.self, value: ["a": a, "text": "text \(a)", "list": [a, a + 1]]) }
    }
    return realm
  }

  private func copy(_ folder: TemporaryFolder, _ name: String = "copy.larder") -> Realm.Configuration {
    var configuration = folder.configuration([V.Thing.self], version: 3)
    configuration.fileURL = folder.url.appendingPathComponent(name)
    return configuration
  }

  private func verify(_ realm: Realm) throws {
    let problems = try StoreVerifier.verify(realm.core.currentSnapshot())
    #expect(problems.isEmpty, "\(problems.map(\.description))")
  }

  @Test(
    "M-115 a copy holds what the Realm shows, uncommitted changes included; L-2 and is another file of the same store")
  func writeCopy() throws {
    let folder = try TemporaryFolder()
    let realm = try fill(folder)
    let frozen = realm.freeze()
    try realm.write { realm.create(V.Thing.self, value: ["a": 10]) }
    try frozen.writeCopy(toFile: try #require(copy(folder, "old.larder").fileURL))
    try realm.writeCopy(configuration: copy(folder))
    realm.beginWrite()
    realm.create(V.Thing.self, value: ["a": 11, "list": [1]])
    realm.object(ofType: V.Thing.self, forPrimaryKey: 0)?.text = "changed"
    try realm.writeCopy(toFile: try #require(copy(folder, "open.larder").fileURL))
    realm.cancelWrite()

    let expected = [("old.larder", [0, 1, 2]), ("copy.larder", [0, 1, 2, 10]), ("open.larder", [0, 1, 2, 10, 11])]
    for (name, keys) in expected {
      let made = try Realm(configuration: copy(folder, name))
      #expect(made.objects(V.Thing.self).map(\.a) == keys)
      #expect(made.core.store.storeID == realm.core.store.storeID)
      #expect(made.core.store.identity.incarnation != realm.core.store.identity.incarnation)
      #expect(made.core.currentSnapshot().version >= frozen.core.currentSnapshot().version)
      let path = try #require(copy(folder, name).fileURL).path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
      try made.write { made.create(V.Thing.self, value: ["a": 20]) }
      try verify(made)
    }
    let open = try Realm(configuration: copy(folder, "open.larder"))
    #expect(open.object(ofType: V.Thing.self, forPrimaryKey: 0)?.text == "changed")
    #expect(Array(open.object(ofType: V.Thing.self, forPrimaryKey: 11)?.list ?? List()) == [1])
    #expect(realm.objects(V.Thing.self).count == 4)
    try verify(realm)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("copying") }
    #expect(left.isEmpty, "\(left)")
  }

  @Test("U-12: a store in memory that is not open yet can be reported on and migrated, and leaves no file")
  func inMemoryReport() throws {
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    configuration.objectTypes = [Person.self, Dog.self, Address.self, Room.self]
    let report = try Realm.migrationReport(for: configuration)
    #expect(report.oldSchemaVersion == nil && report.losses.isEmpty)
    try Realm.performMigration(for: configuration)
    #expect(!Realm.fileExists(for: configuration))
  }

  @Test("M-115, E-28 a copy replaces nothing and needs a folder; E-22 and refuses a key of another length")
  func copyRefusals() throws {
    let folder = try TemporaryFolder()
    let realm = try fill(folder)
    let url = try #require(copy(folder).fileURL)
    try realm.writeCopy(toFile: url)
    let exists = #expect(throws: Realm.Error.self) { try realm.writeCopy(toFile: url) }
    #expect(exists?.code == .fileExists && exists?.path == url.path)
    let missing = #expect(throws: Realm.Error.self) {
      try realm.writeCopy(toFile: folder.url.appendingPathComponent("no/where.larder"))
    }
    #expect(missing?.code == .fileNotFound, "\(String(describing: missing))")
    let key = #expect(throws: Realm.Error.self) {
      try realm.writeCopy(toFile: url, encryptionKey: Data(count: 3))
    }
    #expect(key?.message.contains("64 bytes, got 3") == true)
  }

  @Test("M-88 a seed is copied once, also while it is in use; without one opening throws fileNotFound")
  func seed() throws {
    let folder = try TemporaryFolder()
    let other = try TemporaryFolder()
    let seed = try fill(folder)
    var configuration = other.configuration([V.Thing.self], version: 3)
    configuration.seedFilePath = seed.configuration.fileURL
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(V.Thing.self).count == 3)
      #expect(realm.core.store.identity.incarnation != seed.core.store.identity.incarnation)
      try realm.write { realm.delete(realm.objects(V.Thing.self)) }
    }
    #expect(try Realm(configuration: configuration).objects(V.Thing.self).isEmpty)
    configuration.fileURL = other.url.appendingPathComponent("b.larder")
    configuration.seedFilePath = other.url.appendingPathComponent("nothing")
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .fileNotFound && error?.message.contains("seed") == true)
  }

  @Test("M-88 a seed without a lock file beside it, as in an installed program, may be where nothing can be written")
  func bundledSeed() throws {
    let folder = try TemporaryFolder()
    do { _ = try fill(folder) }
    let source = folder.url.appendingPathComponent("a.larder")
    try FileManager.default.removeItem(atPath: source.path + "-lock")
    #expect(chmod(folder.url.path, 0o500) == 0)
    defer { _ = chmod(folder.url.path, 0o700) }
    let other = try TemporaryFolder()
    var configuration = other.configuration([V.Thing.self], version: 3)
    configuration.seedFilePath = source
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(V.Thing.self).count == 3)
    #expect(!FileManager.default.fileExists(atPath: source.path + "-lock"))
    try verify(realm)
  }

  @Test("M-93 the question is asked at the first opening only, and yes makes the file smaller; M-94 versions go on")
  func compactOnLaunch() throws {
    let folder = try TemporaryFolder()
    let version: UInt64
    do {
      let realm = try fill(folder, 5_000)
      try realm.write { realm.delete(realm.objects(V.Thing.self).where { $0.a > 10 }) }
      try realm.write { realm.create(V.Thing.self, value: ["a": 20_000]) }
      version = realm.core.currentSnapshot().version
    }
    let asked = Asked()
    var configuration = folder.configuration([V.Thing.self], version: 3)
    configuration.shouldCompactOnLaunch = { total, used in asked.answer(total, used) }
    let path = folder.url.appendingPathComponent("a.larder").path
    func size() throws -> Int {
      (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }
    let before = try size()
    _ = try Realm(configuration: configuration)
    #expect(asked.calls.count == 1 && asked.calls[0].total == before && asked.calls[0].used < before)
    #expect(try size() == before)
    asked.agrees = true
    let realm = try Realm(configuration: configuration)
    #expect(asked.calls.count == 2)
    #expect(try size() < before / 2)
    #expect(realm.objects(V.Thing.self).count == 12 && realm.core.currentSnapshot().version == version)
    let open = configuration
    try onThread { _ = try Realm(configuration: open) }
    #expect(asked.calls.count == 2)
    try realm.write { realm.create(V.Thing.self, value: ["a": 30_000]) }
    #expect(realm.core.currentSnapshot().version == version + 1)
    try verify(realm)
  }

  final class Asked: @unchecked Sendable {
    // Unchecked: used by one thread at a time, with the opening lock between them.
    var agrees = false
    private(set) var calls: [(total: Int, used: Int)] = []
    func answer(_ total: Int, _ used: Int) -> Bool {
      calls.append((total, used))
      return agrees
    }
  }

  @Test("M-117, E-29 deleting a store that is open throws; a closed one goes, and false tells that there was none")
  func deleteFiles() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([V.Thing.self], version: 3)
    #expect(!Realm.fileExists(for: configuration))
    #expect(try !Realm.deleteFiles(for: configuration))
    do {
      let realm = try fill(folder)
      let error = #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
      #expect(error?.code == .alreadyOpen && error?.message.contains("in use") == true)
      #expect(realm.objects(V.Thing.self).count == 3)
    }
    #expect(Realm.fileExists(for: configuration))
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!Realm.fileExists(for: configuration))
    #expect(try Realm(configuration: configuration).objects(V.Thing.self).isEmpty)
  }

  @Test("M-76 a store with another version or other classes is deleted and made again; the same store stays")
  func deleteIfNeeded() throws {
    let folder = try TemporaryFolder()
    do { _ = try fill(folder) }
    var configuration = folder.configuration([V.Thing.self], version: 3)
    configuration.deleteRealmIfMigrationNeeded = true
    configuration.migrationBlock = { _, _ in Issue.record("the block ran") }
    #expect(try Realm(configuration: configuration).objects(V.Thing.self).count == 3)
    configuration.objectTypes = [V.Thing.self, V.Other.self]
    #expect(try Realm(configuration: configuration).objects(V.Thing.self).count == 3)
    configuration.schemaVersion = 2
    #expect(try Realm(configuration: configuration).objects(V.Thing.self).isEmpty)
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(V.Thing.self, value: ["a": 1]) }
    }
    configuration.objectTypes = [Changed.Thing.self]
    let report = try Realm.migrationReport(for: configuration)
    #expect(report.deletesStore && report.losses.count == 1)
    #expect(try Realm(configuration: configuration).objects(Changed.Thing.self).isEmpty)
  }

  @Test("M-77 a store that is open elsewhere is not deleted") func deleteInUse() throws {
    let folder = try TemporaryFolder()
    let realm = try fill(folder)
    var configuration = folder.configuration([Changed.Thing.self], version: 4)
    configuration.deleteRealmIfMigrationNeeded = true
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .alreadyOpen && error?.message.contains("would be deleted") == true)
    #expect(realm.objects(V.Thing.self).count == 3)
  }

  @Test(
    "M-78 reading only needs the stored version; M-79, M-83 looks past properties and indexes that are only in the store"
  )
  func readOnly() throws {
    let folder = try TemporaryFolder()
    do { _ = try fill(folder) }
    var configuration = folder.configuration([Fewer.Thing.self, V.Other.self], version: 3)
    configuration.readOnly = true
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Fewer.Thing.self).map(\.a) == [0, 1, 2])
      #expect(realm.objects(V.Other.self).isEmpty && realm.objects(V.Other.self).where { $0.b > 1 }.count == 0)
      #expect(realm.objects(V.Other.self).freeze().first == nil)
      #expect(realm.dynamicObjects("Other").count == 0)
      // M-83: frozen, it looks past as much.
      let frozen = realm.freeze()
      #expect(frozen.objects(Fewer.Thing.self).map(\.a) == [0, 1, 2] && frozen.objects(V.Other.self).isEmpty)
      #expect(frozen.objects(V.Other.self).filter("b > 1").first == nil && frozen.dynamicObjects("Other").count == 0)
      #expect(throws: Realm.Error.self) { try realm.write {} }
    }
    configuration.objectTypes = [Changed.Thing.self]
    let lacking = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(lacking?.code == .schemaMismatch && lacking?.message.contains("'Thing.more' added") == true)
    configuration.objectTypes = [V.Thing.self]
    configuration.schemaVersion = 4
    let version = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(version?.code == .fail && version?.message.contains("exactly 3") == true)
    configuration.fileURL = folder.url.appendingPathComponent("nothing.larder")
    let missing = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(missing?.code == .fileNotFound)
  }

  @Test("M-78 a store in a folder that may not be written can be read") func readOnlyFolder() async {
    // In a process of its own: for the superuser there are no permissions to lack.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      var configuration = folder.configuration([V.Thing.self], version: 3)
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.create(V.Thing.self, value: ["a": 1, "text": "there"]) }
      }
      let path = folder.url.appendingPathComponent("a.larder").path
      try FileManager.default.removeItem(atPath: path + "-lock")
      guard chmod(path, 0o444) == 0, chmod(folder.url.path, 0o555) == 0 else { fatalError("chmod") }
      let user = geteuid()
      if user == 0, seteuid(65_534) != 0 { fatalError("seteuid") }
      configuration.readOnly = true
      let text = try Realm(configuration: configuration).objects(V.Thing.self).first?.text
      guard seteuid(user) == 0, chmod(folder.url.path, 0o700) == 0, text == "there" else {
        fatalError(text ?? "nothing")
      }
    }
  }

  @Test("M-52, M-53 of several threads that open at once one migrates, and the others find it done")
  func concurrentOpening() async throws {
    let folder = try TemporaryFolder()
    do { _ = try fill(folder) }
    let asked = Asked()
    var configuration = folder.configuration([Changed.Thing.self], version: 4)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Thing") { _, new in new?["more"] = 9 }
      _ = asked.answer(0, 0)
    }
    let shared = configuration
    try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(
                with: Result { try Realm(configuration: shared).objects(Changed.Thing.self).map(\.more) })
            }
          }
        }
      }
      for try await values in group { #expect(values == [9, 9, 9]) }
    }
    #expect(asked.calls.count == 1)
  }

  @Test("M-66, E-27 performMigration migrates and closes, and throws while the store is open") func perform() throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Changed.Thing.self], version: 4)
    do {
      let realm = try fill(folder)
      let error = #expect(throws: Realm.Error.self) { try Realm.performMigration(for: configuration) }
      #expect(error?.code == .fail && error?.message.contains("before migrating") == true)
      withExtendedLifetime(realm) {}
    }
    let url = folder.url.appendingPathComponent("a.larder")
    #expect(try schemaVersionAtURL(url) == 3)
    try Realm.performMigration(for: configuration)
    #expect(!Store.isOpen(url.path))
    #expect(try schemaVersionAtURL(url) == 4)
    #expect(try Realm(configuration: configuration).objects(Changed.Thing.self).map(\.more) == [3, 3, 3])
  }

  @Test("M-66 the version of no store, and of one that never had a schema, throws") func noVersion() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("a.larder")
    #expect(throws: Realm.Error.self) { _ = try schemaVersionAtURL(url) }
    do { _ = try Store.open(path: url.path) }
    let error = #expect(throws: Realm.Error.self) { _ = try schemaVersionAtURL(url) }
    #expect(error?.code == .fail && error?.message.contains("never had a schema") == true)
  }

  @Test("E-12 a store that is open with another durability is refused") func durability() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration([V.Thing.self], version: 3)
    configuration.durability = .relaxed
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(V.Thing.self, value: ["a": 1]) }
    configuration.durability = .full
    let other = configuration
    try onThread {
      let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: other) }
      #expect(error?.code == .fail && error?.message.contains("different durability (relaxed)") == true)
    }
    #expect(realm.objects(V.Thing.self).count == 1)
  }
}
