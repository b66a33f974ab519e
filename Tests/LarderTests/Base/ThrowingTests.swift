import Foundation
import Testing

@testable import Larder

/// The two faces of a call: what ends the process in its plain form is thrown by the other one (E-130).
@Suite("Throwing forms") struct ThrowingTests {
  @Test("U-5, O-9 and E-50: a deleted object is nil by ifValid and throws when read")
  func deleted() throws {
    let realm = try makeRealm()
    let person = Person(id: 1, name: "Ann")
    #expect(person.ifValid === person)
    try realm.write { realm.add(person) }
    #expect(person.ifValid?.name == "Ann")
    #expect(try person.throwing[\.name] == "Ann")
    try realm.write { realm.delete(person) }
    #expect(person.ifValid == nil)
    let error = #expect(throws: Realm.Error.self) { try person.throwing[\.name] }
    #expect(error?.code == .invalidInput)
    #expect(error?.className == "Person")
    #expect(error?.message == "This Person was deleted or invalidated. Check isInvalidated before using it.")
    #expect(throws: Realm.Error.self) { try person.throwing.value(forKey: "name") }
  }

  @Test("E-60: an unknown name throws and lists the names there are")
  func unknownName() throws {
    for object in [Person(id: 1), try addedPerson()] {
      let error = #expect(throws: Realm.Error.self) { try object.throwing.value(forKey: "nme") }
      #expect(error?.className == "Person")
      #expect(error?.message.hasPrefix("Person has no property 'nme'. Its properties are: id, name") == true)
    }
  }

  @Test("A key path over links is checked at each step")
  func keyPaths() throws {
    let person = try addedPerson()
    #expect(try person.throwing[\.best?.name] == nil)
    try person.realm?.write { person.best = Person(id: 2, name: "Bea") }
    #expect(try person.throwing[\.best?.name] == "Bea")
    #expect(try person.throwing[\.best?.name.count] == 3)
    #expect(try person.throwing[\.dogs].count == 0)
  }

  private func addedPerson() throws -> Person {
    let realm = try makeRealm()
    return try realm.write { realm.create(Person.self, value: ["id": 1]) }
  }
}
