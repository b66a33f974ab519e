import Foundation
import LarderLMDB
import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import Larder

/// A Realm that a block let out.
private final class Leak: Sendable {
  // The test looks at it where it must not be used.
  nonisolated(unsafe) var realm: Realm?
}

@Suite("Realms of blocks, and the stores that they keep open", .serialized) struct ScopedRealmsTests {
  private let folder: TemporaryFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TemporaryFolder()
    configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
  }

  private func add(_ id: Int) async throws {
    try await Realm.write(configuration: configuration) { realm in
      realm.create(Person.self, value: ["id": id, "name": "name \(id)"] as [String: Any])
      return ()
    }
  }

  private func count() async throws -> Int {
    try await Realm.read(configuration: configuration) { $0.objects(Person.self).count }
  }

  private var path: String { configuration.fileURL?.path ?? "" }

  /// A Realm for blocks of a pool of the test's own.
  private func realm(_ pool: ScopedRealms, _ configuration: Realm.Configuration) throws -> LentRealm {
    LentRealm(try RealmRegistry.shared.open(configuration, pool.newPlace))
  }

  // MARK: - Keeping

  @Test("F-134: a block gets the Realm of the one before, at no version meanwhile")
  func kept() throws {
    let pool = ScopedRealms()
    let lent = try realm(pool, configuration)
    #expect(try lent.core.readInScope(at: nil) { $0.isEmpty })
    pool.giveBack(lent)
    let store = try #require(Store.opened(path))
    #expect(store.environment.liveReaders.isEmpty)
    #expect(pool.take(configuration)?.realm === lent)
    #expect(pool.take(configuration) == nil)
  }

  @Test(
    "F-134: a store closes when it has waited for its time, and the one that waited longest when there are too many")
  func closing() async throws {
    let pool = ScopedRealms()
    pool.keeping = StoreKeeping(seconds: 600, count: 2)
    let configurations = (0..<3).map { number in
      var configuration = configuration
      configuration.fileURL = folder.url.appendingPathComponent("\(number).realm")
      return configuration
    }
    for configuration in configurations { pool.giveBack(try realm(pool, configuration)) }
    func open() -> [Bool] { configurations.map { Store.isOpen($0.fileURL?.path ?? "") } }
    #expect(open() == [false, true, true])
    pool.keeping = StoreKeeping(seconds: 600, count: 1)
    #expect(open() == [false, false, true])
    pool.keeping = StoreKeeping(seconds: 0, count: 1)
    #expect(open() == [false, false, false])
    pool.giveBack(try realm(pool, configurations[0]))
    #expect(open() == [false, false, false])
    pool.keeping = StoreKeeping(seconds: 0.05, count: 1)
    pool.giveBack(try realm(pool, configurations[0]))
    for _ in 0..<1_000 where open()[0] { try await Task.sleep(for: .milliseconds(10)) }
    #expect(open() == [false, false, false])
  }

  @Test("F-134: a Realm that a block let out is used nowhere any more, and lent to no other")
  func leaked() async throws {
    try await add(1)
    let leak = Leak()
    try await Realm.read(configuration: configuration) { leak.realm = $0 }
    let core = try #require(leak.realm?.core)
    #expect(throws: Realm.Error.self) { try core.verifyThread() }
    #expect(throws: Realm.Error.self) { try Realm(core).write {} }
    let isSame = try await Realm.read(configuration: configuration) { $0.core === leak.realm?.core }
    #expect(!isSame)
    #expect(core.snapshot == nil)
  }

  @Test("F-134: what a block leaves open is undone before the next one")
  func leftOpen() async throws {
    try await add(1)
    await #expect(throws: Realm.Error.self) {
      try await Realm.read(configuration: configuration) { realm in
        realm.beginWrite()
        realm.add(Person(id: 2))
      }
    }
    #expect(try await count() == 1)
    try await add(2)
    #expect(try await count() == 2)
  }

  @Test("F-134: stores in memory end with their last Realm, not later")
  func inMemory() async throws {
    var configuration = configuration
    configuration.inMemoryIdentifier = UUID().uuidString
    try await Realm.write(configuration: configuration) { $0.add(Person(id: 1)) }
    #expect(try await Realm.read(configuration: configuration) { $0.isEmpty })
  }

  // MARK: - Giving way

  @Test("F-134: a store that waits is deleted, migrated and opened with other settings")
  func givingWay() async throws {
    try await add(1)
    #expect(Store.isOpen(path))
    try Realm.performMigration(for: configuration)
    #expect(try await count() == 1)
    var migrated = configuration
    migrated.schemaVersion = 1
    migrated.migrationBlock = { _, _ in }
    #expect(try await Realm.read(configuration: migrated) { $0.objects(Person.self).count } == 1)
    await #expect(throws: Realm.Error.self) { try await count() }
    var reading = migrated
    reading.readOnly = true
    #expect(try await Realm.read(configuration: reading) { $0.objects(Person.self).count } == 1)
    #expect(try await Realm.read(configuration: migrated) { $0.objects(Person.self).count } == 1)
    #expect(Realm.fileExists(for: configuration))
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!Realm.fileExists(for: configuration))
    #expect(try await count() == 0)
    try await add(1)
    #expect(try Realm.deleteFiles(for: configuration))
  }

  @Test("F-134: a store that waits is compacted when it is opened, where that is asked for")
  @MainActor func compacting() async throws {
    try await add(1)
    let asked = Lock(0)
    var configuration = configuration
    configuration.shouldCompactOnLaunch = { _, _ in
      asked.withLock { $0 += 1 }
      return true
    }
    // The Realm that waits serves it as well; a Realm of another place is opened.
    _ = try await Realm(configuration: configuration)
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("F-134: a file that was removed, or replaced, is not read any more")
  func replaced() async throws {
    try await add(1)
    let other = folder.url.appendingPathComponent("other.realm")
    try await Realm.read(configuration: configuration) { try $0.writeCopy(toFile: other) }
    try await add(2)
    try FileManager.default.removeItem(atPath: path)
    #expect(try await count() == 0)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(at: other, to: URL(fileURLWithPath: path))
    #expect(try await count() == 1)
  }

  @Test("F-134: another process that keeps a store open lets go of it for one that needs it alone")
  func otherProcess() throws {
    let worker = try WorkerProcess("ServerWorker", ["idle", folder.url.path])
    #expect(worker.readLine() == "ready")
    let path = folder.url.appendingPathComponent("user-0.realm").path
    try Store.compact(path)
    try worker.send("")
    #expect(worker.readLine() == "read 1")
    #expect(try Store.remove(path))
    try worker.send("")
    #expect(worker.readLine() == "read 0")
    worker.closeInput()
    #expect(worker.waitUntilExit() == 0)
  }

  // MARK: - Many stores

  private struct Usage {
    let threads, descriptors, kilobytes: Int

    init(_ line: String?) throws {
      let words = try #require(line).split(separator: " ").compactMap { Int($0) }
      try #require(words.count == 3)
      (threads, descriptors, kilobytes) = (words[0], words[1], words[2])
    }
  }

  @Test("F-133: an open store costs no thread, four descriptors and 200 KB; what is closed gives its memory back")
  func many() throws {
    let count = 200
    let worker = try WorkerProcess("ServerWorker", ["many", folder.url.path, "\(count)"])
    let begin = try Usage(worker.readLine())
    let opened = try Usage(worker.readLine())
    let again = try Usage(worker.readLine())
    let closed = try Usage(worker.readLine())
    #expect(worker.waitUntilExit() == 0)
    // Those of the tasks, and the few that wait for the next store.
    #expect(opened.threads < begin.threads + 16 && again.threads < begin.threads + 16)
    #expect(opened.descriptors - begin.descriptors <= 4 * count)
    #expect(opened.kilobytes - begin.kilobytes < 200 * count)
    #expect(again.kilobytes - opened.kilobytes < 20 * count)
    #expect(closed.descriptors - begin.descriptors <= 4)
    #expect(closed.kilobytes - begin.kilobytes < (opened.kilobytes - begin.kilobytes) / 2)
  }

  @Test("F-133: where no more files may be open, stores that wait are closed for the one that is needed")
  func limited() throws {
    let result = try WorkerProcess.run("ServerWorker", ["limited", folder.url.path, "150"])
    #expect(result.output == "read 150\n", "\(result.errors)")
  }
}
