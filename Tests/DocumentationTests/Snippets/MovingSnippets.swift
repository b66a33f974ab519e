import Foundation
import Larder
import TestSupport
import Testing

@Suite("Moving from Realm, by its examples") struct MovingSnippets {
  class Dog: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var owner: Person?
  }

  class Person: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var born: Date?
    @Persisted(originProperty: "owner") var dogs: LinkingObjects<Dog>
  }

  class Setting: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var value: String?
    @Persisted var revision: Int
    @Persisted var origin: String
  }

  class Log: Object {
    @Persisted var line: String
  }

  private let directory: TemporaryDirectory
  private let file: URL
  private let realm: Realm

  init() throws {
    directory = try TemporaryDirectory()
    file = directory.url.appendingPathComponent("default.realm")
    realm = try Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [Dog.self, Person.self]))
    let realm = realm
    try realm.write {
      let ada = realm.create(
        Person.self, value: ["name": "Ada", "born": Date(timeIntervalSince1970: 0)] as [String: Any])
      realm.create(Dog.self, value: ["name": "Rex", "age": 3, "owner": ada] as [String: Any])
      realm.create(Dog.self, value: ["name": "Fly", "age": 5] as [String: Any])
    }
  }

  private static var sample: URL { URL(fileURLWithPath: "\(fixtures)/realm/schema-version.realm") }

  @Test func importing() throws {
    let (old, store) = (Self.sample, directory.url.appendingPathComponent("new.larder"))
    // begin: import
    var configuration = Realm.Configuration(fileURL: store, schemaVersion: 9)
    configuration.importsRealmFile = RealmFileImport(fileURL: old)
    configuration.migrationBlock = { migration, oldVersion in
      guard oldVersion < 9 else { return }
      migration.enumerateObjects(ofType: Setting.className()) { _, new in new?["origin"] = "realm" }
    }
    // end: import
    configuration.objectTypes = [Setting.self, Log.self]
    // begin: import
    let realm = try Realm(configuration: configuration)
    // end: import
    #expect(realm.objects(Setting.self).map(\.name) == ["theme", "font"])
    #expect(realm.objects(Setting.self).map(\.origin) == ["realm", "realm"])
  }

  @Test func followingAnImport() throws {
    let old = Self.sample
    var configuration = Realm.Configuration(
      fileURL: directory.url.appendingPathComponent("new.larder"), schemaVersion: 9,
      objectTypes: [Setting.self, Log.self])
    // begin: import-option
    configuration.importsRealmFile = RealmFileImport(fileURL: old)
    // end: import-option
    // begin: import-progress
    configuration.importsRealmFile = RealmFileImport(
      fileURL: old,
      progress: { progress in print("\(progress.className): \(Int(progress.fraction * 100)) %") },
      completion: { report in for omission in report.omissions { print(omission) } })
    // end: import-progress
    #expect(try Realm(configuration: configuration).objects(Log.self).count == 1)
  }

  @Test func exporting() throws {
    let target = directory.url.appendingPathComponent("Dog.jsonl")
    // begin: export
    func line(_ dog: Dog) throws -> Data {
      var fields: [String: Any] = ["id": dog.id.stringValue, "name": dog.name, "age": dog.age]
      fields["owner"] = dog.owner?.name
      return try JSONSerialization.data(withJSONObject: fields) + Data("\n".utf8)
    }

    var text = Data()
    for dog in realm.objects(Dog.self) { text += try line(dog) }
    try text.write(to: target)
    // end: export
    let lines = try String(contentsOf: target, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("\"name\"") })

    // What the page says next: both files are read in, and the program opens the store.
    try directory.write(#"{"name": "Ada", "born": "1970-01-01T00:00:00Z"}"# + "\n", to: "Person.jsonl")
    try Data(contentsOf: Self.sample).write(to: directory.url.appendingPathComponent("old.realm"))
    let commands = try Documentation().commands()["Sources/Larder/Larder.docc/MovingFromRealm.md"] ?? []
    #expect(commands.count == 4)
    for line in commands { try ShellLine.run(line, in: directory) }
    let imported = try Realm(
      configuration: Realm.Configuration(
        fileURL: directory.url.appendingPathComponent("store.larder"), schemaVersion: 7,
        objectTypes: [Dog.self, Person.self]))
    #expect(imported.objects(Dog.self).map(\.id) == realm.objects(Dog.self).map(\.id))
    let ada = try #require(imported.object(ofType: Person.self, forPrimaryKey: "Ada"))
    #expect(ada.dogs.map(\.name) == ["Rex"] && ada.born == Date(timeIntervalSince1970: 0))
  }

  @Test func queryingAsBefore() throws {
    // begin: same
    let young = realm.objects(Dog.self).where { $0.age < 4 }.sorted(byKeyPath: "name")
    try realm.write {
      for dog in young { dog.age += 1 }
    }
    // end: same
    #expect(realm.objects(Dog.self).sum(of: \.age) == 9)
  }
}
