import Foundation
import Testing

@testable import Larder

/// Options of a configuration (M-86, M-87).
@Suite("Configuration") struct ConfigurationTests {
  class Dog: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test("A migration block of RealmSwift's form compiles and is kept") func blockInInitializer() throws {
    var configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, schemaVersion: 2,
      migrationBlock: { migration, _ in
        migration.enumerateObjects(ofType: "Dog") { old, new in new!["name"] = old!["name"] }
      })
    configuration.objectTypes = [Dog.self]
    configuration.migrationBlock = { migration, _ in
      let enumerate: MigrationObjectEnumerateBlock = { _, _ in }
      migration.enumerateObjects(ofType: "Dog", enumerate)
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.configuration == configuration && realm.objects(Dog.self).isEmpty)
    #expect(configuration.migrationBlock != nil && configuration.fileURL == nil)
  }

  @Test("M-86 a file and a name in memory exclude each other, the last one counts") func exclusive() {
    var configuration = Realm.Configuration(inMemoryIdentifier: "x")
    #expect(configuration.fileURL == nil)
    configuration.fileURL = URL(fileURLWithPath: "/tmp/a.larder")
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "y"
    #expect(configuration.fileURL == nil)
    #expect(Realm.Configuration.defaultConfiguration.fileURL != nil)
  }

  @Test("M-107 a store in memory that is alive is migrated by the rules of any other") func inMemory() throws {
    enum Next {
      class Dog: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted var age = 3
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
      }
    }
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [Dog.self])
    let frozen: Realm
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Dog.self, value: ["id": 1, "name": "Rex"]) }
      frozen = realm.freeze()
    }
    configuration.objectTypes = [Next.Dog.self]
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .schemaMismatch)
    configuration.schemaVersion = 1
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Next.Dog.self).map(\.age) == [3])
    #expect(frozen.objects(Dog.self).map(\.name) == ["Rex"])
  }
}
