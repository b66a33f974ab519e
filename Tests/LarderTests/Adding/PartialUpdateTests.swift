import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("Partial updates") struct PartialUpdateTests {
  private let realm: Realm
  private let ada: Person

  init() throws {
    realm = try makeRealm()
    ada = try realm.write { [realm] in
      realm.create(
        Person.self,
        value: [
          "id": 1, "name": "Ada", "age": 36, "active": false, "email": "a@example.org", "dogs": [["name": "Rex"]],
          "best": ["id": 2, "name": "Grace", "age": 40],
        ] as [String: Any])
    }
  }

  @Test("U-21: only the properties named are written; the instance becomes the accessor")
  func only() throws {
    let update = Person(id: 1, name: "Augusta", age: 1)
    try realm.write { realm.add(update, update: .modified, only: [\.name, \.email]) }
    #expect(ada.name == "Augusta" && ada.email == nil && ada.age == 36 && !ada.active && ada.dogs.count == 1)
    #expect(update.isSameObject(as: ada) && update.age == 36 && update.dogs.count == 1 && update.best?.name == "Grace")
    let new = Person(id: 9, name: "New", age: 5)
    try realm.write { realm.add(new, update: .all, only: [\.name]) }
    #expect(new.age == 5 && new.active)
  }

  @Test("U-21, O-48: what was not assigned keeps what is stored, in nested objects too")
  func onlyAssigned() throws {
    let update = Person(id: 1)
    update.email = nil
    update.best = Person()
    update.best?.id = 2
    update.best?.age = 41
    #expect(update.score == 0 && update.dogs.isEmpty)
    // What the convenience initialiser assigned counts; what was only read does not.
    try realm.write { realm.add(update, update: .modified, onlyAssigned: true) }
    #expect(ada.name == "" && ada.age == 0 && ada.email == nil && !ada.active && ada.dogs.count == 1)
    #expect(ada.best?.name == "Grace" && ada.best?.age == 41)
    let plain = Person()
    plain.id = 1
    plain.dogs = List()
    try realm.write { realm.add(plain, update: .all, onlyAssigned: true) }
    #expect(ada.dogs.isEmpty && ada.best?.age == 41 && !ada.active)
    let whole = Person()
    whole.id = 1
    try realm.write { realm.add(whole, update: .modified, onlyAssigned: false) }
    #expect(ada.active && ada.best == nil)
  }

  @Test("U-21: values from a dictionary, a decoder or by name count as assigned")
  func assignedOtherwise() throws {
    let update = Person(value: ["id": 1, "age": 50])
    update["email"] = "new@example.org"
    try realm.write { realm.add(update, update: .modified, onlyAssigned: true) }
    #expect(ada.age == 50 && ada.email == "new@example.org" && ada.name == "Ada")
  }

  @Test("E-56, E-60: policies and key paths that cannot be")
  func refused() throws {
    try realm.write {
      #expect(throws: Realm.Error.self) { try realm.throwing.add(Person(id: 1), update: .error, only: [\.name]) }
      #expect(throws: Realm.Error.self) { try realm.throwing.add(Person(id: 1), update: .error, onlyAssigned: true) }
      #expect(throws: Realm.Error.self) { try realm.throwing.add(Dog(), update: .modified, onlyAssigned: true) }
      #expect(throws: Realm.Error.self) { try realm.throwing.add(Person(id: 1), update: .all, only: [\.best?.name]) }
    }
    #expect(ada.name == "Ada")
  }
}
