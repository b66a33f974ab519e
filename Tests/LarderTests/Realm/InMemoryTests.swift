import Foundation
import Testing

@testable import Larder

/// Covers M-105 and M-106, and the options that this version does not support.
@Suite("In-memory stores and options") struct InMemoryTests {
  @Test("M-105, M-106 the data and its files go with the last instance, frozen ones included")
  func lifetime() throws {
    let configuration = temporaryConfiguration()
    let path = try configuration.checkedPath()
    var frozen: Results<Person>?
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Person(id: 1, name: "A")) }
      frozen = realm.freeze().objects(Person.self)
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(frozen?.first?.name == "A" && FileManager.default.fileExists(atPath: path))
    #expect(try Realm(configuration: configuration).objects(Person.self).count == 1)
    frozen = nil
    #expect(!FileManager.default.fileExists(atPath: path) && !FileManager.default.fileExists(atPath: path + "-lock"))
    #expect(try Realm(configuration: configuration).objects(Person.self).isEmpty)
  }

  @Test("The process's folder goes with the process, and no other")
  func exit() async throws {
    let base = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let foreign = URL(fileURLWithPath: base).appendingPathComponent("larder-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: foreign) }
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let realm = try makeRealm()
      print("pid \(getpid()) \(FileManager.default.fileExists(atPath: realm.core.store.path)) end")
      // Still in use when the process ends.
      withExtendedLifetime(realm) { Foundation.exit(EXIT_SUCCESS) }
    }
    let words = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    let position = try #require(words.firstIndex(of: "pid"))
    #expect(words[position + 2] == "true")
    #expect(!FileManager.default.fileExists(atPath: base + "/larder-\(words[position + 1])"))
    #expect(FileManager.default.fileExists(atPath: foreign))
  }

  enum V1 { class Thing: Object { @Persisted var a: Int } }
  enum V2 {
    class Thing: Object {
      @Persisted var a: Int
      @Persisted var b: Int
    }
  }

  private func message(_ configuration: Realm.Configuration) -> (Realm.Error.Code, String)? {
    do {
      _ = try Realm(configuration: configuration)
      return nil
    } catch let error as Realm.Error {
      return (error.code, "\(error)")
    } catch {
      return (.fail, "\(error)")
    }
  }

  @Test("Options that are not supported yet are refused where they would matter, and nothing is lost")
  func options() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).realm")
    defer { for suffix in ["", "-lock"] { try? FileManager.default.removeItem(atPath: url.path + suffix) } }
    var configuration = Realm.Configuration(fileURL: url, schemaVersion: 1, objectTypes: [V1.Thing.self])
    configuration.deleteRealmIfMigrationNeeded = true
    configuration.migrationBlock = { _, _ in }
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(V1.Thing.self, value: ["a": 4]) }
    }
    #expect(message(configuration) == nil)

    configuration.objectTypes = [V2.Thing.self]
    var refused = try #require(message(configuration))
    #expect(refused.0 == .schemaMismatch && refused.1.contains("deleteRealmIfMigrationNeeded is not supported"))
    configuration.schemaVersion = 2
    refused = try #require(message(configuration))
    #expect(refused.0 == .schemaMismatch && refused.1.contains("deleteRealmIfMigrationNeeded is not supported"))
    configuration.deleteRealmIfMigrationNeeded = false
    refused = try #require(message(configuration))
    #expect(refused.0 == .schemaMismatch && refused.1.contains("migration blocks are not supported"))
    configuration.migrationBlock = nil
    configuration.shouldCompactOnLaunch = { _, _ in true }
    refused = try #require(message(configuration))
    #expect(refused.0 == .fail && refused.1.contains("shouldCompactOnLaunch is not supported"))
    configuration.shouldCompactOnLaunch = nil
    #expect(try Realm(configuration: configuration).objects(V2.Thing.self).first?.a == 4)
    configuration.encryptionKey = Data(count: 64)
    refused = try #require(message(configuration))
    #expect(refused.0 == .fail && refused.1.contains("Encrypted stores are not supported"))
  }
}
