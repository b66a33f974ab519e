import Foundation
import Testing

@testable import Larder

/// Tests that a value that would end the process while an unmanaged object is filled, or while a collection is read on the way, throws where
/// throwing is asked for.
@Suite("Validating values") struct ValidatingTests {
  @Test("E-61 to E-63 and E-130: an unmanaged object is made from a value that fits, else the error says what does not")
  func objects() throws {
    let person = try Person(
      validating: ["id": 3, "best": ["id": 4], "dogs": [["name": "Rex"]], "address": ["rooms": [[1]]]] as [String: Any])
    #expect(person.best?.id == 4 && person.dogs[0].name == "Rex" && person.address?.rooms[0].size == 1)
    #expect(try Address(validating: ["city": "Ulm"]).city == "Ulm")
    for (value, part) in [
      (["age": "old"] as [String: Any] as Any, "'old' (type String) does not fit Person.age (type int)"),
      (["name": NSNull()], "Person.name is required"),
      (["dogs": [["name": 5]]] as [String: Any], "does not fit Dog.name"),
      (["best": ["best": ["age": "x"]]] as [String: Any], "does not fit Person.age"),
      (["best": Dog()], "does not fit Person.best"),
      (["dogs": 7], "does not fit Person.dogs"),
      (["address": ["rooms": [["size": 1], ["size": "big"]]]] as [String: Any], "does not fit Room.size"),
      (Array(repeating: NSNull(), count: 11), "Person expects at most 10 values, got 11"),
      (NSNull(), "A Person cannot be made from"), (5, "A Person cannot be made from '5'"),
    ] {
      let error = #expect(throws: Realm.Error.self, "\(part)") { try Person(validating: value) }
      #expect(error?.message.contains(part) == true && error?.code == .invalidInput, "\(String(describing: error))")
    }
    let unmanaged = Person(id: 1)
    #expect(throws: Realm.Error.self) { try unmanaged.throwing.setValue(["age": "x"], forKey: "best") }
    #expect(throws: Realm.Error.self) { try unmanaged.throwing.setValue([["name": 5]], forKey: "dogs") }
    try unmanaged.throwing.setValue([["name": "a"]], forKey: "dogs")
    #expect(unmanaged.best == nil && unmanaged.dogs.map(\.name) == ["a"] && unmanaged.id == 1)
  }

  @Test("E-82: a collection whose owner was deleted throws as a value, or as what is added from, and changes nothing")
  func deadCollections() throws {
    let realm = try makeRealm([MixedBag.self, Thing.self, Person.self, Dog.self, Address.self, Room.self])
    let (gone, bag) = try realm.write {
      let gone = realm.create(Person.self, value: ["id": 1, "dogs": [["name": "a", "tags": ["t"]]]] as [String: Any])
      return (gone, realm.create(MixedBag.self, value: ["id": 1, "value": ["a", ["b"]]] as [String: Any]))
    }
    let (dogs, tags, dog) = (gone.dogs, gone.dogs[0].tags, gone.dogs[0])
    let nested = bag.value
    try realm.write {
      realm.delete(dog)
      realm.delete(gone)
      bag.value = .int(1)
      let person = realm.create(Person.self, value: ["id": 2])
      let other = realm.create(Dog.self)
      func refused(_ body: () throws -> Void) {
        let error = #expect(throws: Realm.Error.self, performing: body)
        #expect(error?.message.contains("deleted") == true || error?.message.contains("removed") == true)
      }
      refused { try realm.throwing.delete(dogs) }
      refused { try realm.throwing.create(Dog.self, value: ["tags": tags]) }
      refused { try realm.throwing.create(Person.self, value: ["id": 3, "dogs": dogs] as [String: Any]) }
      refused { try person.throwing.setValue(dogs, forKey: "dogs") }
      refused { try person.dogs.throwing.append(objectsIn: dogs) }
      refused { try person.dogs.throwing.insert(contentsOf: dogs, at: 0) }
      refused { try person.dogs.throwing.replaceSubrange(0..<0, with: dogs) }
      refused { try other.tags.throwing.append(objectsIn: tags) }
      refused { _ = try Dog(validating: ["tags": tags]) }
      refused { try bag.throwing.setValue(nested, forKey: "value") }
      #expect(person.dogs.isEmpty && other.tags.isEmpty && bag.value == .int(1))
    }
    #expect(realm.objects(Person.self).count == 1 && realm.objects(Dog.self).count == 1)
  }

  @Test(
    "E-60 and E-61: key paths and collections by name: what is not there or does not fit throws, and changes nothing")
  func names() throws {
    let realm = try makeRealm()
    let person = try realm.write {
      realm.create(
        Person.self,
        value: ["id": 1, "best": ["id": 2, "name": "b"], "dogs": [["name": "x", "tags": ["t"]], ["name": "y"]]]
          as [String: Any])
    }
    #expect(try person.throwing.value(forKeyPath: "best.name") as? String == "b")
    #expect(try person.throwing.value(forKeyPath: "best.best.name") == nil)
    for path in ["nmae", "best.nmae", "name.length", "dogs.name"] {
      let error = #expect(throws: Realm.Error.self, "\(path)") { try person.throwing.value(forKeyPath: path) }
      #expect(error?.code == .invalidInput)
    }
    try realm.write {
      try person.dogs.throwing.setValue("z", forKey: "name")
      try realm.objects(Person.self).throwing.setValue(7, forKey: "age")
      for (key, value) in [("nmae", 1), ("name", 1), ("tags", 3)] as [(String, Any)] {
        #expect(throws: Realm.Error.self) { try person.dogs.throwing.setValue(value, forKey: key) }
      }
      #expect(throws: Realm.Error.self) { try realm.objects(Person.self).throwing.setValue(NSNull(), forKey: "age") }
      #expect(throws: Realm.Error.self) { try realm.objects(Person.self).throwing.setValue(9, forKey: "id") }
      #expect(throws: Realm.Error.self) { try person.dogs[0].tags.throwing.setValue(9, forKey: "self") }
    }
    #expect(person.dogs.map(\.name) == ["z", "z"] && realm.objects(Person.self).map(\.age) == [7, 7])
    #expect(throws: Realm.Error.self) { try person.dogs.throwing.setValue("w", forKey: "name") }
  }
}
