import Foundation
import TestSupport
import Testing

@testable import Larder

/// Tests of what opening refuses, and with which code.
@Suite("Opening") struct RealmOpeningTests {
  @Test("E-16 and M-31 schema versions and differences")
  func versions() throws {
    enum V1 { class Thing: Object { @Persisted var a: Int } }
    enum V2 {
      class Thing: Object {
        @Persisted var a: Int
        @Persisted var b: String?
      }
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a.realm")
    do {
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [V1.Thing.self]))
      try realm.write { realm.create(V1.Thing.self, value: ["a": 4]) }
    }
    do {
      _ = try Realm(configuration: .init(fileURL: url, objectTypes: [V2.Thing.self]))
      Issue.record("opened")
    } catch let error as Realm.Error {
      #expect(error.code == .schemaMismatch && "\(error)".contains("'Thing.b' added"))
    }
    let realm = try Realm(configuration: .init(fileURL: url, schemaVersion: 2, objectTypes: [V2.Thing.self]))
    #expect(realm.objects(V2.Thing.self).first?.a == 4 && realm.objects(V2.Thing.self).first?.b == nil)
  }

  @Test("M-110, M-111, E-4 a file that is no store throws invalidDatabase; E-1 a missing folder fileNotFound")
  func foreignFiles() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(repeating: 65, count: 100_000).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    do {
      _ = try Realm(configuration: .init(fileURL: url, objectTypes: [Dog.self, Person.self, Address.self, Room.self]))
      Issue.record("opened")
    } catch Realm.Error.invalidDatabase {
    }
    do {
      _ = try Realm(configuration: temporaryConfiguration(at: "/nonexistent/x.realm"))
      Issue.record("opened")
    } catch let error as Realm.Error {
      #expect([.fileNotFound, .filePermissionDenied, .fileAccess].contains(error.code), "\(error)")
    }
  }

  private func error(_ configuration: Realm.Configuration) -> Realm.Error? {
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
  }

  @Test("E-2 a folder without permission throws filePermissionDenied") func permission() async {
    // In a process of its own: for the superuser there are no permissions to lack.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let file = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
      #expect(chmod(folder.url.path, 0) == 0)
      let user = geteuid()
      if user == 0 { #expect(seteuid(65_534) == 0) }
      let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: file) }
      let isAsExpected = error?.code == .filePermissionDenied && error?.message.contains("permission denied") == true
      #expect(seteuid(user) == 0 && chmod(folder.url.path, 0o700) == 0)
      if !isAsExpected { fatalError("\(String(describing: error))") }
    }
  }

  @Test("E-3 a folder that is a file throws fileAccess") func fileAsFolder() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("file")
    try Data("text".utf8).write(to: file)
    let error = error(temporaryConfiguration(at: file.appendingPathComponent("a.larder").path))
    #expect(error?.code == .fileAccess && error?.path?.hasSuffix("file/a.larder") == true)
  }

  @Test("E-14 and E-15 a stored version that is higher, or not that of a read-only configuration, throws")
  func storedVersion() throws {
    let folder = try TemporaryFolder()
    do { _ = try Realm(configuration: folder.configuration([V.Thing.self], version: 5)) }
    let higher = error(folder.configuration([V.Thing.self], version: 3))
    #expect(higher?.code == .fail && higher?.message.contains("schemaVersion 3 of") == true)
    #expect(higher?.message.contains("below the stored 5") == true)
    var configuration = folder.configuration([V.Thing.self], version: 6)
    configuration.readOnly = true
    let readOnly = error(configuration)
    #expect(readOnly?.code == .fail && readOnly?.message.contains("needs schemaVersion exactly 5") == true)
  }

  enum V {
    class Thing: Object { @Persisted var a: Int }
  }
  enum Wider {
    class Thing: Object {
      @Persisted var a: Int
      @Persisted var b: String?
    }
  }

  @Test("E-17 a read-only store that lacks a property throws schemaMismatch and stays as it is")
  func readOnlyLacking() throws {
    let folder = try TemporaryFolder()
    do { _ = try Realm(configuration: folder.configuration([V.Thing.self])) }
    var configuration = folder.configuration([Wider.Thing.self])
    configuration.readOnly = true
    let error = error(configuration)
    #expect(error?.code == .schemaMismatch && error?.message.contains("'Thing.b' added") == true)
    configuration.objectTypes = [V.Thing.self]
    #expect(try Realm(configuration: configuration).objects(V.Thing.self).isEmpty)
  }

  @Test(
    "M-89, E-12 and E-13 a store that is open with another readOnly setting throws, on the same thread and on others")
  func otherSetting() throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: folder.configuration([V.Thing.self]))
    var configuration = folder.configuration([V.Thing.self])
    configuration.readOnly = true
    let same = error(configuration)
    #expect(same?.code == .fail && same?.message.contains("already open with a different readOnly setting") == true)
    let shared = configuration
    try onThread {
      let other = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: shared) }
      #expect(other?.code == .fail)
      #expect(other?.message.contains("already open for writing") == true, "\(String(describing: other))")
    }
    withExtendedLifetime(realm) {}
  }

  enum Keyed {
    class Thing: Object { @Persisted(primaryKey: true) var a: Int }
  }

  @Test("E-24 a property that becomes the primary key but has duplicates throws, and the store stays as it is")
  func duplicates() throws {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration([V.Thing.self]))
      try realm.write { for a in [3, 3] { realm.create(V.Thing.self, value: ["a": a]) } }
    }
    let error = error(folder.configuration([Keyed.Thing.self], version: 1))
    #expect(error?.code == .fail && error?.message.contains("'Thing.a' has duplicate values (3)") == true)
    do {
      let realm = try Realm(configuration: folder.configuration([V.Thing.self]))
      #expect(realm.objects(V.Thing.self).count == 2)
      try realm.write { realm.objects(V.Thing.self).last?.a = 4 }
    }
    let realm = try Realm(configuration: folder.configuration([Keyed.Thing.self], version: 1))
    #expect(realm.object(ofType: Keyed.Thing.self, forPrimaryKey: 4) != nil)
  }

  @Test("E-23 a key for a store in memory throws") func keyInMemory() {
    var configuration = temporaryConfiguration()
    configuration.encryptionKey = Data(count: 64)
    let error = error(configuration)
    #expect(error?.code == .fail && error?.message.contains("In-memory databases cannot be encrypted") == true)
  }

  @Test("E-32 a task that is cancelled opens nothing") func cancelled() async {
    let configuration = temporaryConfiguration()
    let task = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await Realm(configuration: configuration)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
