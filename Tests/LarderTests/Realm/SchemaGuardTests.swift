import Dispatch
import Foundation
import LarderStorage
import Testing

@testable import Larder

/// Covers N-81: another process changes the schema while a Realm is open.
@Suite("Schemas changed by others", .timeLimit(.minutes(30))) struct SchemaGuardTests {
  private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  /// Changes the stored classes as a program with other classes would.
  private func change(_ realm: Realm, _ edit: (inout [ClassDeclaration]) -> Void) throws {
    var classes = realm.core.models.map(\.declaration)
    edit(&classes)
    let writer = try realm.core.store.beginWrite()
    try writer.apply(classes, schemaVersion: 1)
    try writer.commit()
  }

  @Test("M-85, N-81 added classes and properties are no matter: the Realm goes on with those it knows") func added()
    throws
  {
    let realm = try makeRealm(Self.types)
    try realm.write { realm.add(Dog(name: "Rex")) }
    try change(realm) { classes in
      classes.append(ClassDeclaration(name: "Extra", columns: [ColumnDeclaration(name: "x", type: .int)]))
      for index in classes.indices where classes[index].name == "Dog" {
        classes[index].columns.append(ColumnDeclaration(name: "extra", type: .int))
      }
    }
    #expect(realm.refresh())
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex"] && realm.schema["Extra"] == nil)
    try realm.write {
      realm.objects(Dog.self)[0].name = "Bello"
      realm.add(Dog(name: "Ida"))
    }
    #expect(realm.objects(Dog.self).filter("name = 'Bello'").count == 1 && realm.objects(Dog.self).count == 2)
  }

  @Test(
    "N-81 a property that is gone or retyped makes moving on fail: the Realm stays, writes throw, observers are not told"
  )
  func retyped() throws {
    try onQueue(Self.types) { realm in
      try realm.write { realm.add(Dog(name: "Rex")) }
      let dogs = realm.objects(Dog.self)
      var told = 0
      let token = dogs.observe { _ in told += 1 }
      realm.refresh()
      #expect(told == 1)
      try change(realm) { classes in
        for index in classes.indices where classes[index].name == "Dog" {
          classes[index].columns.removeAll { $0.name == "name" }
          classes[index].columns.append(ColumnDeclaration(name: "name", type: .int))
        }
      }
      #expect(!realm.refresh() && dogs.map(\.name) == ["Rex"])
      let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(Dog(name: "Ida")) } }
      #expect(error?.code == .schemaMismatch && error?.message.contains("'Dog.name' was removed") == true)
      #expect(!realm.isInWriteTransaction && dogs.count == 1 && told == 1)
      token.invalidate()
    }
  }

  @Test("M-83 a frozen Realm reads its version as before, whatever was added, taken away or retyped since")
  func frozen()
    throws
  {
    let realm = try makeRealm(Self.types)
    try realm.write { realm.add(Dog(name: "Rex")) }
    let first = realm.freeze()
    try change(realm) { classes in
      classes.append(ClassDeclaration(name: "Extra", columns: [ColumnDeclaration(name: "x", type: .int)]))
      for index in classes.indices where classes[index].name == "Dog" {
        classes[index].columns.append(ColumnDeclaration(name: "extra", type: .int, isIndexed: true))
      }
    }
    #expect(realm.refresh())
    // More than the classes need is in this version.
    let second = realm.freeze()
    try change(realm) { classes in
      for index in classes.indices where classes[index].name == "Dog" {
        classes[index].columns.removeAll { $0.name == "name" }
      }
    }
    #expect(!realm.refresh())
    for frozen in [first, second, realm.freeze()] {
      let dogs = frozen.objects(Dog.self)
      #expect(dogs.map(\.name) == ["Rex"] && dogs.filter("name BEGINSWITH 'R'").count == 1)
      #expect(frozen.schema["Extra"] == nil && frozen.schema["Dog"]?["extra"] == nil)
      #expect(frozen.objects(Person.self).isEmpty)
      // Back to the Realm, which stays at the last version that it can read.
      #expect(dogs.first?.thaw()?.name == "Rex")
    }
  }
}
