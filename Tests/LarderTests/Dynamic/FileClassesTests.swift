import Foundation
import Testing

@testable import Larder

@Suite("Realms without classes of their own") struct FileClassesTests {
  @Test(
    "F-130: a Realm opened with no object types has the classes of the file in its schema, and counts and deletes their objects"
  )
  func schema() throws {
    let folder = try TemporaryFolder()
    do {
      let realm = try Realm(configuration: folder.configuration([Person.self, Dog.self, Address.self, Room.self]))
      try realm.write {
        realm.create(
          Person.self, value: ["id": 1, "dogs": [["name": "Rex"]], "address": ["city": "Ulm"]] as [String: Any])
      }
    }
    let realm = try Realm(configuration: folder.configuration([]))
    #expect(realm.schema.objectSchema.map(\.className).sorted() == ["Address", "Dog", "Person", "Room"])
    let person = try #require(realm.schema["Person"])
    #expect(
      person.primaryKeyProperty?.name == "id" && person["dogs"]?.objectClassName == "Dog"
        && person["dogs"]?.isArray == true)
    #expect(realm.schema["Address"]?.isEmbedded == true && person.objectClass == DynamicObject.self)
    #expect(realm.freeze().schema == realm.schema && !realm.isEmpty && realm.dynamicObjects("Dog").count == 1)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty && realm.dynamicObjects("Person").isEmpty && realm.dynamicObjects("Dog").isEmpty)
    // A Realm with classes of its own has these.
    #expect(try makeRealm([Dog.self, Person.self, Address.self, Room.self]).schema["Everything"] == nil)
  }
}
