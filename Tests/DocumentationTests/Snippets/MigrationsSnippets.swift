import Foundation
import Larder
import TestSupport
import Testing

@Suite("Migrations, by their examples") struct MigrationsSnippets {
  private enum Version1 {
    class Person: Object {
      @Persisted var name: String
      @Persisted var first: String
      @Persisted var last: String
    }
  }

  private enum Version3 {
    class Person: Object {
      @Persisted var givenName: String
      @Persisted var first: String
      @Persisted var last: String
      @Persisted var fullName: String
    }
  }

  private let directory: TemporaryDirectory
  private let file: URL

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.url.appendingPathComponent("people.larder")
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: file, schemaVersion: 1, objectTypes: [Version1.Person.self]))
    try realm.write {
      realm.create(Version1.Person.self, value: ["name": "Ada", "first": "Ada", "last": "Lovelace"])
    }
  }

  private func makeConfiguration() -> Realm.Configuration {
    // begin: block
    var configuration = Realm.Configuration(schemaVersion: 3) { migration, oldVersion in
      if oldVersion < 2 {
        migration.renameProperty(onType: "Person", from: "name", to: "givenName")
      }
      if oldVersion < 3 {
        try migration.enumerateObjects(ofType: "Person") { old, new in
          guard let old, let new else { return }
          let parts = [old["first"], old["last"]].compactMap { $0 as? String }
          try new.throwing.setValue(parts.joined(separator: " "), forKey: "fullName")
        }
      }
    }
    // end: block
    configuration.fileURL = file
    configuration.objectTypes = [Version3.Person.self]
    return configuration
  }

  @Test func migrating() throws {
    let realm = try Realm(configuration: makeConfiguration())
    let person = try #require(realm.objects(Version3.Person.self).first)
    #expect(person.givenName == "Ada" && person.fullName == "Ada Lovelace")
  }

  @Test func report() throws {
    var configuration = makeConfiguration()
    // begin: report
    let report = try Realm.migrationReport(for: configuration)
    for step in report.steps { print(step) }
    for loss in report.losses { print("lost:", loss) }
    // end: report
    #expect(report.oldSchemaVersion == 1 && report.newSchemaVersion == 3 && report.losses.isEmpty)
    #expect(report.steps.contains { $0.contains("givenName") }, "\(report)")
    configuration.migrationBlock = nil
    #expect(try Realm.migrationReport(for: configuration).losses.contains { $0.propertyName == "name" })
    #expect(try schemaVersionAtURL(file) == 1)
  }

  @Test func mismatch() throws {
    let configuration = Realm.Configuration(
      fileURL: file, schemaVersion: 1, objectTypes: [Version3.Person.self])
    // begin: mismatch
    do {
      _ = try Realm(configuration: configuration)
    } catch let error as Realm.Error where error.code == .schemaMismatch {
      print(error.message)
    }
    // end: mismatch
    #expect(errorCode { _ = try Realm(configuration: configuration) } == .schemaMismatch)
  }
}
