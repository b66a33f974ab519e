import Foundation
import Larder
import TestSupport
import Testing

@Suite("Operations, by their examples") struct OperationsSnippets {
  class Entry: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text: String
  }

  private let directory: TemporaryDirectory
  private var configuration: Realm.Configuration

  init() throws {
    directory = try TemporaryDirectory()
    configuration = Realm.Configuration(
      fileURL: directory.url.appendingPathComponent("log.larder"), objectTypes: [Entry.self])
  }

  @Test func copying() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(Entry.self, value: ["id": 1, "text": "a"] as [String: Any]) }
    let folder = directory.url
    // begin: copy
    try realm.writeCopy(toFile: folder.appendingPathComponent("backup.larder"))
    // end: copy
    var restored = configuration
    restored.fileURL = folder.appendingPathComponent("backup.larder")
    #expect(try Realm(configuration: restored).objects(Entry.self).count == 1)
    #expect(errorCode { try realm.writeCopy(toFile: folder.appendingPathComponent("backup.larder")) } == .fileExists)
  }

  @Test func seeding() throws {
    let seed = directory.url.appendingPathComponent("seed.larder")
    do {
      var first = configuration
      first.fileURL = seed
      let realm = try Realm(configuration: first)
      try realm.write { realm.create(Entry.self, value: ["id": 1]) }
    }
    var configuration = configuration
    // begin: seed
    configuration.seedFilePath = seed
    configuration.shouldCompactOnLaunch = { fileBytes, usedBytes in
      fileBytes > 50_000_000 && usedBytes < fileBytes / 2
    }
    let realm = try Realm(configuration: configuration)
    // end: seed
    #expect(realm.objects(Entry.self).count == 1)
  }

  @Test func durability() throws {
    var configuration = configuration
    // begin: durability
    configuration.durability = .relaxed
    let realm = try Realm(configuration: configuration)
    // end: durability
    try realm.write { realm.create(Entry.self, value: ["id": 1]) }
    #expect(realm.objects(Entry.self).count == 1)
    configuration.durability = .full
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
  }

  @Test func versions() throws {
    var configuration = configuration
    // begin: versions
    configuration.maximumNumberOfActiveVersions = 50
    let realm = try Realm(configuration: configuration)
    for version in realm.liveVersions where version.age > 60 { print(version) }
    // end: versions
    let frozen = realm.freeze()
    try realm.write { realm.create(Entry.self, value: ["id": 1]) }
    #expect(realm.liveVersions.count == 2)
    withExtendedLifetime(frozen) {}
  }

  @Test func inspecting() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(Entry.self, value: ["id": 1, "text": "a"] as [String: Any]) }
    // begin: inspection
    let inspection = try realm.inspection()
    print(inspection.fileSize, inspection.freePages * inspection.pageSize)
    for stored in inspection.classes {
      print(stored.name, stored.objectCount, stored.space.total, stored.space.indexes)
    }
    for reader in inspection.readers where reader.commitsBehind > 1_000 {
      print("process", reader.processIdentifier, "keeps old pages, for", reader.heldFor ?? 0, "seconds")
    }
    // end: inspection
    #expect(inspection.classes.first?.objectCount == 1 && inspection.fileSize > 0)
  }

  @Test func diskFull() throws {
    let realm = try Realm(configuration: configuration)
    // begin: disk-full
    do {
      try realm.write { realm.create(Entry.self, value: ["id": 1]) }
    } catch let error as Realm.Error where error.code == .outOfDiskSpace {
      print("nothing of the transaction was stored:", error.message)
    }
    // end: disk-full
    #expect(realm.objects(Entry.self).count == 1)
  }

  @Test func logging() throws {
    // begin: logging
    let logger = Logger(level: .warn) { level, text in
      FileHandle.standardError.write(Data("[\(level)] \(text)\n".utf8))
    }
    // end: logging
    // The shared logger belongs to all tests; it is left alone.
    #expect(logger.level == .warn)
  }

  @Test func deleting() throws {
    do { _ = try Realm(configuration: configuration) }
    // begin: delete
    let wasThere = try Realm.deleteFiles(for: configuration)
    // end: delete
    #expect(wasThere)
    #expect(!Realm.fileExists(for: configuration))
  }
}
