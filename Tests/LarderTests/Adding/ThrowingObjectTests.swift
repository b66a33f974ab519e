import Foundation
import TestSupport
import Testing

@testable import Larder

/// Tests of the throwing forms: a fault of the data throws, names the class, and has changed nothing. Covers E-40, E-50 to E-52, E-54 to E-65,
/// E-67 and E-71, O-7 and O-41.
@Suite("Throwing forms of making and changing objects") struct ThrowingObjectTests {
  private let realm: Realm
  private let ada: Person

  init() throws {
    realm = try makeRealm()
    ada = try realm.write { [realm] in
      realm.create(
        Person.self,
        value: ["id": 1, "name": "Ada", "address": ["city": "Ulm"], "dogs": [["name": "Rex"]]] as [String: Any])
    }
  }

  /// The error of a call in a write transaction; fails when there is none, or when the call changed anything.
  @discardableResult
  private func failing(
    _ part: String, className: String? = nil, location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws -> Realm.Error? {
    try realm.write {
      let before = contents()
      let error = #expect(throws: Realm.Error.self, sourceLocation: location, performing: body)
      #expect(error?.message.contains(part) == true, "\(String(describing: error))", sourceLocation: location)
      if let className { #expect(error?.className == className, sourceLocation: location) }
      #expect(contents() == before, "changed by a call that threw", sourceLocation: location)
      return error
    }
  }

  private func contents() -> String {
    ["Person", "Dog", "Address", "Room", "Everything"].map { name in
      realm.dynamicObjects(name).map { $0.description.replacing(/<0x[0-9a-f]+>/, with: "") }.joined()
    }.joined()
  }

  @Test("E-55, O-7 and O-41: a key that exists, anywhere in the graph; nothing of it is made") func duplicates() throws
  {
    let error = try failing("Person with id = 1 exists; use update", className: "Person") {
      try realm.throwing.create(Person.self, value: ["id": 1])
    }
    #expect(error?.propertyName == "id" && error?.code == .invalidInput)
    try failing("Person with id = 1 exists") { try realm.throwing.add(Person(id: 1)) }
    try failing("Person with id = 1 exists") {
      try realm.throwing.create(Person.self, value: ["id": 2, "best": ["id": 3, "best": ["id": 1]]] as [String: Any])
    }
    try failing("Person with id = 1 exists") {
      let new = Person(id: 2)
      new.dogs.append(Dog(name: "x"))
      new.dogs[0].owner = Person(id: 1)
      try realm.throwing.add(new)
    }
    try failing("Person with id = 2 exists") { try realm.throwing.add([Person(id: 2), Person(id: 2)]) }
    try failing("Person with id = 7 exists") {
      try realm.throwing.create(Person.self, value: ["id": 7, "best": ["id": 7]] as [String: Any])
    }
    try realm.write {
      try realm.throwing.create(
        Person.self, value: ["id": 2, "best": ["id": 1, "age": 4]] as [String: Any], update: .modified)
    }
    #expect(ada.age == 4 && ada.name == "Ada")
  }

  @Test("E-61 and E-62: values of another type, and nil for what is required, however deep") func types() throws {
    let error = try failing("'old' (type String) does not fit Person.age (type int)", className: "Person") {
      try realm.throwing.create(Person.self, value: ["id": 2, "age": "old"] as [String: Any])
    }
    #expect(error?.propertyName == "age")
    try failing("Person.name is required") {
      try realm.throwing.create(Person.self, value: ["id": 2, "name": NSNull()] as [String: Any])
    }
    try failing("does not fit Room.size") {
      try realm.throwing.create(
        Person.self,
        value: ["id": 2, "dogs": [["name": "a"]], "address": ["rooms": [["size": 1], ["size": "big"]]]] as [String: Any]
      )
    }
    try failing("does not fit Person.dogs") {
      try realm.throwing.create(Person.self, value: ["id": 2, "dogs": 5] as [String: Any])
    }
    try failing("does not fit Person.best") {
      try realm.throwing.create(Person.self, value: ["id": 2, "best": 5] as [String: Any])
    }
    try failing("does not fit Dog.tags") {
      try realm.throwing.create(Dog.self, value: ["tags": ["a", 5]] as [String: Any])
    }
    try failing("does not fit Dog.kind") { try realm.throwing.create(Dog.self, value: ["kind": 5]) }
    try failing("does not fit Person.id") { try realm.throwing.create(Person.self, value: ["id": "x"]) }
    try failing("does not fit Everything.int8") { try realm.throwing.create(Everything.self, value: ["int8": 300]) }
    try failing("does not fit Person.age") {
      try realm.throwing.create(
        Person.self, value: ["id": 1, "name": "new", "age": 1.5] as [String: Any], update: .modified)
    }
  }

  @Test("E-71: texts that are no Decimal128, ObjectId or UUID") func texts() throws {
    for (name, value) in [("decimal", "x1"), ("objectId", "12"), ("uuid", "not-a-uuid")] {
      try failing("does not fit Everything.\(name)") {
        try realm.throwing.create(Everything.self, value: [name: value])
      }
    }
    try realm.write {
      let made = try realm.throwing.create(
        Everything.self,
        value: [
          "decimal": "1.25", "objectId": "0123456789abcdef01234567", "uuid": "01234567-89AB-CDEF-0123-456789ABCDEF",
        ])
      #expect(made.decimal == 1.25 && made.objectId.stringValue == "0123456789abcdef01234567")
    }
  }

  @Test("E-63: nil, an array that is too long, and what no object is made from") func shapes() throws {
    try failing("Dog expects at most 4 values, got 5") {
      try realm.throwing.create(Dog.self, value: ["a", "plain", NSNull(), [String](), 1] as [Any])
    }
    try failing("cannot be made from 'nil'") { try realm.throwing.create(Dog.self, value: String?.none as Any) }
    try failing("cannot be made from '5'") { try realm.throwing.create(Dog.self, value: 5) }
  }

  @Test("E-52 and E-51: objects of another Realm and deleted ones") func foreign() throws {
    let other = try makeRealm()
    let theirs = try other.write { other.create(Person.self, value: ["id": 5]) }
    try failing("managed by another Realm; use create") { try realm.throwing.add(theirs) }
    try failing("managed by another Realm") {
      let new = Person(id: 2)
      new.best = theirs
      try realm.throwing.add(new)
    }
    let gone = try realm.write { realm.create(Person.self, value: ["id": 6]) }
    let again = try #require(realm.object(ofType: Person.self, forPrimaryKey: 6))
    try realm.write { realm.delete(gone) }
    try failing("A deleted object cannot be added") { try realm.throwing.add(gone) }
    try failing("deleted or invalidated") { try ada.throwing.setValue(again, forKey: "best") }
    try failing("deleted or invalidated") { try realm.throwing.create(Person.self, value: again) }
  }

  @Test("E-54: deleting what is not of this Realm, or twice") func deleting() throws {
    let other = try makeRealm()
    let theirs = try other.write { other.create(Dog.self) }
    try failing("Only objects of this Realm can be deleted") { try realm.throwing.delete(theirs) }
    try failing("Only objects of this Realm can be deleted") { try realm.throwing.delete(Dog()) }
    try failing("Only objects of this Realm can be deleted") { try realm.throwing.delete([ada, Person(id: 8)]) }
    let rex = ada.dogs[0]
    let same = ada.dogs[0]
    try realm.write { try realm.throwing.delete(rex) }
    #expect(rex.realm == nil && rex.isInvalidated && same.isInvalidated && ada.dogs.isEmpty)
    try failing("deleted or invalidated") { try realm.throwing.delete(same) }
    try failing("Only objects of this Realm can be deleted") { try realm.throwing.delete(rex) }
  }

  @Test("E-65: embedded objects alone, in two places, and with a second parent") func embedded() throws {
    try failing("Address is embedded and already has a parent", className: "Address") {
      let new = Person(id: 2)
      new.address = ada.address
      try realm.throwing.add(new)
    }
    try failing("Room is embedded and already has a parent") {
      let new = Person(id: 2)
      let room = Room(size: 1)
      new.address = Address()
      new.address?.rooms.append(objectsIn: [room, room])
      try realm.throwing.add(new)
    }
    try failing("Address is embedded and lives only in a parent") { try realm.throwing.dynamicCreate("Address") }
  }

  @Test("E-67: an object of another class") func otherClass() throws {
    try failing("Person.best holds Person, got Dog", className: "Person") {
      try ada.throwing.setValue(Dog(), forKey: "best")
    }
    try failing("Person.dogs holds Dog, got Person") {
      try realm.throwing.create(Person.self, value: ["id": 2, "dogs": [ada]] as [String: Any])
    }
  }

  @Test("E-56, E-58 and E-59: updating or finding without a key, keys of another type, classes that are not there")
  func keys() throws {
    try failing("Dog has no primary key; updating needs one") { try realm.throwing.add(Dog(), update: .all) }
    try failing("Dog has no primary key; use objects(_:)") {
      _ = try realm.throwing.object(ofType: Dog.self, forPrimaryKey: 1)
    }
    try failing("Key of Person is int, got 'x'") {
      _ = try realm.throwing.object(ofType: Person.self, forPrimaryKey: "x")
    }
    try failing("Key of Person is int") { _ = try realm.throwing.object(ofType: Person.self, forPrimaryKey: Int?.none) }
    try failing("Unrelated is not in this Realm's schema") { _ = try realm.throwing.objects(Unrelated.self) }
    try failing("Unrelated is not in this Realm's schema") { try realm.throwing.add(Unrelated()) }
    try failing("no class 'Cat'") { _ = try realm.throwing.dynamicObjects("Cat") }
    try failing("no class 'Cat'") { try realm.throwing.dynamicCreate("Cat") }
    try failing("Key of Person is int") { _ = try realm.throwing.dynamicObject(ofType: "Person", forPrimaryKey: "x") }
    #expect(try realm.throwing.object(ofType: Person.self, forPrimaryKey: 1)?.name == "Ada")
    #expect(try realm.throwing.dynamicObject(ofType: "Person", forPrimaryKey: 1)?["name"] as? String == "Ada")
  }

  @Test("E-57, E-60 and E-61: assigning by key") func assigning() throws {
    try failing("Primary key Person.id cannot change") { try ada.throwing.setValue(1, forKey: "id") }
    try failing("Person has no property 'nmae'") { try ada.throwing.setValue(1, forKey: "nmae") }
    try failing("does not fit Person.age") { try ada.throwing.setValue("x", forKey: "age") }
    try failing("Person.age is required") { try ada.throwing.setValue(nil, forKey: "age") }
    try failing("Person.best leads to no object") { try ada.throwing.setValue(1, forKeyPath: "best.age") }
    try failing("does not fit Address.city") { try ada.throwing.setValue(1, forKeyPath: "address.city") }
    try realm.write {
      try ada.throwing.setValue("Bonn", forKeyPath: "address.city")
      try ada.throwing.setValue(nil, forKey: "email")
      try ada.throwing.setValue([["name": "a"], ["name": "b"]], forKey: "dogs")
    }
    #expect(ada.address?.city == "Bonn" && ada.dogs.map(\.name) == ["a", "b"])
    #expect(throws: Realm.Error.self) { try Person().throwing.setValue("x", forKey: "age") }
    #expect(throws: Realm.Error.self) { try Person().throwing.setValue("x", forKey: "nmae") }
  }

  @Test("E-40 and E-36: outside of a write transaction, and frozen") func outside() throws {
    #expect(throws: Realm.Error.self) { try realm.throwing.add(Person(id: 2)) }
    #expect(throws: Realm.Error.self) { try realm.throwing.delete(ada) }
    let error = #expect(throws: Realm.Error.self) { try ada.throwing.setValue(1, forKey: "age") }
    #expect(error?.code == .fail && error?.message == "Change Person.age inside realm.write { }.")
    let frozen = try ada.throwing.freeze()
    let refusal = #expect(throws: Realm.Error.self) { try frozen.throwing.setValue(1, forKey: "age") }
    #expect(refusal?.message.contains("frozen") == true)
  }

  @Test("E-69: freezing what is unmanaged, deleted, or made in the open write") func freezing() throws {
    #expect(throws: Realm.Error.self) { try Person().throwing.freeze() }
    try realm.write {
      let unborn = realm.create(Dog.self)
      let error = #expect(throws: Realm.Error.self) { try unborn.throwing.freeze() }
      #expect(error?.message.contains("created in the open write transaction cannot be frozen") == true)
      realm.delete(unborn)
      #expect(throws: Realm.Error.self) { try unborn.throwing.freeze() }
    }
  }

  @Test("E-33: another thread") func otherThread() throws {
    let passed = Passed<(Realm, Person)>()
    passed.value = (realm, ada)
    try onThread {
      guard let (realm, ada) = passed.value else { return }
      let error = #expect(throws: Realm.Error.self) { try realm.throwing.objects(Person.self) }
      #expect(error?.code == .fail && error?.message.contains("belongs to") == true)
      #expect(throws: Realm.Error.self) { try ada.throwing.setValue(1, forKey: "age") }
      #expect(throws: Realm.Error.self) { try realm.throwing.add(Person(id: 2)) }
      #expect(throws: Realm.Error.self) { try realm.throwing.delete(ada) }
    }
  }
}
