import Foundation
import ModelLibrary
import Testing

@testable import Larder

@Suite struct ModelDiscoveryTests {
  private class Hidden: Object { @Persisted var value: Int }
  class Derived: Person { @Persisted var extra: Int }
  class Renamed: Object {
    @Persisted var given: String
    override class func propertiesMapping() -> [String: String] { ["given": "first_name"] }
    override class func _realmObjectName() -> String? { "Customer" }
  }
  class Excluded: Object {
    @Persisted var value: Int
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test("M-1 every model class of the program is found, private and nested ones too")
  func discovery() {
    let names = Set(ModelDiscovery.modelClasses().map { $0.className() })
    #expect(names.isSuperset(of: ["Person", "Dog", "Address", "Room", "Everything", "Hidden", "Derived", "Customer"]))
    #expect(!names.contains("Excluded") && !names.contains("Object"))
  }

  @Test("M-1 classes of libraries are found as well, also those that are nested or internal there, and can be stored")
  func libraries() throws {
    let names = Set(ModelDiscovery.modelClasses().map { $0.className() })
    #expect(names.isSuperset(of: ["LibraryThing", "LibraryPart", "LibraryInner"]))
    var configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    configuration.objectTypes = [LibraryThing.self, LibraryPart.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.create(LibraryThing.self, value: ["id": 1, "part": ["name": "wheel"]] as [String: Any])
    }
    #expect(realm.object(ofType: LibraryThing.self, forPrimaryKey: 1)?.part?.name == "wheel")
  }

  @Test("M-4 properties come in the order of declaration, the superclass's first")
  func order() {
    let names = ModelClass.of(Derived.self).properties.map(\.name)
    #expect(
      names == [
        "id", "name", "age", "score", "active", "created", "email", "best", "dogs", "address", "extra",
      ])
  }

  @Test("O-27 mapped names, types and marks")
  func schema() throws {
    let schema = try #require(Renamed.sharedSchema())
    #expect(schema.className == "Customer")
    #expect(schema["given"]?.columnName == "first_name")
    let person = try #require(Person.sharedSchema())
    #expect(person.primaryKeyProperty?.name == "id")
    #expect(person["name"]?.isIndexed == true && person["age"]?.isIndexed == false)
    #expect(person["email"]?.isOptional == true && person["dogs"]?.isArray == true)
    #expect(person["best"]?.objectClassName == "Person" && person["best"]?.type == .object)
    #expect(Everything.sharedSchema()?["kind"]?.type == .string)
    #expect(Everything.sharedSchema()?["level"]?.type == .int)
    #expect(Everything.sharedSchema()?["optInts"]?.isOptional == true)
  }
}
