import Foundation
import Testing

@testable import Larder

@Suite struct MisuseTests {
  @Test("E-40 a change outside of a write transaction ends the process")
  func outsideOfWrite() async {
    await #expect(processExitsWith: .failure) {
      let realm = try makeRealm()
      realm.add(Person(id: 1))
    }
  }

  @Test("E-55 a primary key that exists ends the process")
  func duplicate() async {
    await #expect(processExitsWith: .failure) {
      let realm = try makeRealm()
      try realm.write {
        realm.add(Person(id: 1))
        realm.add(Person(id: 1))
      }
    }
  }

  @Test("E-50 a deleted object cannot be read; E-33 nor one of another thread's Realm")
  func deleted() async {
    await #expect(processExitsWith: .failure) {
      let realm = try makeRealm()
      let person = Person(id: 1)
      try realm.write {
        realm.add(person)
        realm.delete(person)
      }
      print(person.name)
    }
  }
}

@Suite struct OpeningTests {
  @Test("E-14, E-16 and M-31 schema versions and differences")
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

  @Test("E-4 a file that is no store throws invalidDatabase; E-1 a missing folder fileNotFound")
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
}
