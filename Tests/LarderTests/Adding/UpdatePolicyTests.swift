import Foundation
import LarderStorage
import Testing

@testable import Larder

/// Covers O-40 to O-48: primary keys, and what `.error`, `.modified` and `.all` do to values, lists and nested objects.
@Suite("Update policies") struct UpdatePolicyTests {
  private func realm() throws -> Realm {
    try makeRealm([Person.self, Dog.self, Address.self, Room.self, Tagged.self, Box.self, Part.self])
  }

  private func number(_ property: String, of object: ObjectBase) throws -> ObjectKey {
    let linked = try #require(object.value(forKey: property) as? ObjectBase)
    return linked._objectKey
  }

  @Test("O-40 keys may be texts, identifiers, enums and optionals; nil is one value")
  func keyTypes() throws {
    let realm = try realm()
    try realm.write {
      realm.create(Tagged.self, value: ["key": "a", "value": 1])
      realm.create(Tagged.self, value: ["key": NSNull(), "value": 2] as [String: Any])
      realm.create(Tagged.self, value: ["key": NSNull(), "value": 3] as [String: Any], update: .modified)
    }
    #expect(realm.objects(Tagged.self).count == 2)
    #expect(realm.object(ofType: Tagged.self, forPrimaryKey: nil as String?)?.value == 3)
    #expect(realm.object(ofType: Tagged.self, forPrimaryKey: "a")?.value == 1)
    #expect(realm.object(ofType: Tagged.self, forPrimaryKey: "A") == nil)
  }

  @Test("O-41 a nested object with a key that exists ends the process under .error") func nestedDuplicate() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write {
        realm.add(Person(id: 1))
        realm.create(Person.self, value: ["id": 2, "best": ["id": 1]] as [String: Any])
      }
    }
    #expect(misuseText(result).contains("Person with id = 1 exists"))
  }

  @Test("O-42 the key of a managed object cannot be set, not even to itself") func keyChange() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write {
        let person = realm.create(Person.self, value: ["id": 1])
        person.id = 1
      }
    }
    #expect(misuseText(result).contains("Primary key Person.id cannot change"))
  }

  @Test("O-43 a key of another type") func keyOfOtherType() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().object(ofType: Person.self, forPrimaryKey: "x")
    }
    #expect(misuseText(result).contains("Key of Person is"))
  }

  @Test("O-43 a class without a key") func classWithoutKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().object(ofType: Dog.self, forPrimaryKey: 1)
    }
    #expect(misuseText(result).contains("Dog has no primary key"))
  }

  @Test("O-44 updating needs a key") func policyWithoutKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { realm.add(Dog(name: "a"), update: .modified) }
    }
    #expect(misuseText(result).contains("Dog has no primary key; updating needs one"))
  }

  @Test("O-44 .all writes what is supplied, equal or not; .modified only what differs")
  func marking() throws {
    let realm = try realm()
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "A", "age": 5]) }
    func changed(_ policy: Realm.UpdatePolicy, _ value: [String: Any]) throws -> Set<String> {
      let before = realm.core.currentSnapshot()
      try realm.write { realm.create(Person.self, value: value, update: policy) }
      let cursor = realm.core.cursor(for: Person.self)
      let summary = try realm.core.currentSnapshot().changes(since: before.version)
      return Set(
        cursor.model.properties.filter {
          summary.classes[cursor.classID]?.modified[cursor.columns[$0.index]]?.contains(person._objectKey) ?? false
        }.map(\.name))
    }
    #expect(try changed(.modified, ["id": 1, "name": "A", "age": 5]) == [])
    #expect(try changed(.modified, ["id": 1, "name": "A", "age": 6]) == ["age"])
    #expect(try changed(.all, ["id": 1, "name": "A", "age": 7]) == ["name", "age"])
    #expect(person.age == 7)
    try realm.write { realm.create(Person.self, value: ["id": 2, "name": "new"], update: .modified) }
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 2)?.name == "new")
  }

  @Test("O-45 lists of values: .modified position by position, nil clears, an absent key leaves them")
  func listsOfValues() throws {
    let realm = try realm()
    let box = try realm.write { realm.create(Box.self, value: ["id": 1, "numbers": [1, 2, 3, 4]] as [String: Any]) }
    func update(_ value: Any, _ policy: Realm.UpdatePolicy) throws -> [Int] {
      try realm.write {
        realm.create(Box.self, value: ["id": 1, "numbers": value] as [String: Any], update: policy)
      }
      return Array(box.numbers)
    }
    #expect(try update([1, 9], .modified) == [1, 9])
    #expect(try update([1, 9, 7], .modified) == [1, 9, 7])
    #expect(try update([5], .all) == [5])
    try realm.write { realm.create(Box.self, value: ["id": 1], update: .all) }
    #expect(Array(box.numbers) == [5])
    #expect(try update(NSNull(), .modified) == [])
  }

  @Test("O-46 a nested object without a key: .all makes another, .modified updates the linked one")
  func nestedWithoutKey() throws {
    let realm = try realm()
    let box = try realm.write {
      realm.create(Box.self, value: ["id": 1, "main": ["name": "a", "size": 1]] as [String: Any])
    }
    let first = try number("main", of: box)
    try realm.write {
      realm.create(Box.self, value: ["id": 1, "main": ["name": "b"]] as [String: Any], update: .modified)
    }
    #expect(try number("main", of: box) == first && box.main?.name == "b" && box.main?.size == 1)
    let instance = Box(value: ["id": 1, "main": ["name": "c"]] as [String: Any])
    let part = try #require(instance.main)
    try realm.write { realm.add(instance, update: .modified) }
    // All properties of an instance count as supplied.
    #expect(try number("main", of: box) == first && box.main?.name == "c" && box.main?.size == 0)
    #expect(part.isSameObject(as: box.main) && realm.objects(Part.self).count == 1)
    try realm.write {
      realm.create(Box.self, value: ["id": 1, "main": ["name": "d"]] as [String: Any], update: .all)
    }
    #expect(try number("main", of: box) != first && box.main?.name == "d" && realm.objects(Part.self).count == 2)
    try realm.write {
      realm.create(Box.self, value: ["id": 1, "main": NSNull()] as [String: Any], update: .modified)
      realm.create(Box.self, value: ["id": 1, "main": ["name": "e"]] as [String: Any], update: .modified)
    }
    #expect(box.main?.name == "e" && realm.objects(Part.self).count == 3)
  }

  @Test("O-46 in a list: .modified updates position by position, .all makes others")
  func nestedInList() throws {
    let realm = try realm()
    let box = try realm.write {
      realm.create(
        Box.self, value: ["id": 1, "parts": [["name": "a", "size": 1], ["name": "b", "size": 2]]] as [String: Any])
    }
    let keys = Array(box.parts.map(\._objectKey))
    func update(_ parts: [Any], _ policy: Realm.UpdatePolicy) throws {
      try realm.write {
        realm.create(Box.self, value: ["id": 1, "parts": parts] as [String: Any], update: policy)
      }
    }
    try update([["name": "x"], ["size": 9], ["name": "new"]], .modified)
    #expect(box.parts.map(\.name) == ["x", "b", "new"] && box.parts.map(\.size) == [1, 9, 0])
    #expect(Array(box.parts.map(\._objectKey).prefix(2)) == keys && realm.objects(Part.self).count == 3)
    try update([box.parts[2], Part(value: ["name": "y"])], .modified)
    #expect(box.parts.map(\.name) == ["new", "y"] && box.parts[1]._objectKey == keys[1])
    #expect(realm.objects(Part.self).count == 3)
    try update([["name": "z"]], .all)
    #expect(box.parts.map(\.name) == ["z"] && realm.objects(Part.self).count == 4)
  }

  @Test("O-46 embedded objects: .all replaces them, .modified updates them in place, in lists too")
  func nestedEmbedded() throws {
    let realm = try realm()
    let person = try realm.write {
      realm.create(
        Person.self, value: ["id": 1, "address": ["city": "A", "rooms": [["size": 1], ["size": 2]]]] as [String: Any])
    }
    let address = try #require(person.address)
    let rooms = Array(address.rooms)
    func update(_ value: Any, _ policy: Realm.UpdatePolicy) throws {
      try realm.write {
        realm.create(Person.self, value: ["id": 1, "address": value] as [String: Any], update: policy)
      }
    }
    try update(["city": "B"], .modified)
    #expect(!address.isInvalidated && address.city == "B" && address.rooms.map(\.size) == [1, 2])
    try update(["rooms": [["size": 5]]], .modified)
    #expect(!rooms[0].isInvalidated && rooms[0].size == 5 && rooms[1].isInvalidated && address.city == "B")
    try update(["rooms": [["size": 6], ["size": 7]]], .modified)
    #expect(rooms[0].size == 6 && address.rooms.map(\.size) == [6, 7])
    try realm.write {
      let instance = Person(id: 1)
      instance.address = Address(value: ["city": "C", "rooms": [["size": 8]]] as [String: Any])
      realm.add(instance, update: .modified)
    }
    #expect(!address.isInvalidated && address.city == "C" && rooms[0].size == 8 && address.rooms.count == 1)
    try update(["city": "D"], .all)
    #expect(address.isInvalidated && rooms[0].isInvalidated && person.address?.city == "D")
    #expect(person.address?.rooms.count == 0)
  }

  @Test("O-46 and O-47 nested objects with a key follow the policy by key, through links and lists")
  func nestedWithKey() throws {
    let realm = try realm()
    try realm.write {
      realm.add([Person(id: 1, name: "A", age: 1), Person(id: 2, name: "B", age: 2), Person(id: 3, name: "C", age: 3)])
      realm.create(Box.self, value: ["id": 1])
    }
    try realm.write {
      realm.create(
        Box.self,
        value: [
          "id": 1, "owner": ["id": 2, "best": ["id": 3, "name": "CC"]],
          "guests": [["id": 1, "age": 11], Person(id: 2, name: "BB"), ["id": 4]],
        ] as [String: Any], update: .modified)
    }
    let people = realm.objects(Person.self).sorted(byKeyPath: "id")
    #expect(people.map(\.name) == ["A", "BB", "CC", ""] && people.map(\.age) == [11, 0, 3, 0])
    let box = try #require(realm.object(ofType: Box.self, forPrimaryKey: 1))
    #expect(box.owner?.id == 2 && box.owner?.best == nil && Array(box.guests.map(\.id)) == [1, 2, 4])
    try realm.write {
      realm.create(Box.self, value: ["id": 1, "guests": [["id": 4, "name": "D"]]] as [String: Any], update: .all)
    }
    #expect(box.guests.map(\.name) == ["D"] && realm.objects(Person.self).count == 4)
  }

  @Test("O-48 all properties of an instance count as supplied, lists too")
  func instances() throws {
    let realm = try realm()
    for policy in [Realm.UpdatePolicy.modified, .all] {
      try realm.write {
        realm.deleteAll()
        realm.create(
          Person.self,
          value: ["id": 1, "name": "A", "dogs": [["name": "Rex"]], "address": ["city": "X"]] as [String: Any])
      }
      let instance = Person(id: 1)
      let list = instance.dogs
      try realm.write { realm.add(instance, update: policy) }
      let stored = try #require(realm.objects(Person.self).first)
      #expect(stored.name == "" && stored.dogs.isEmpty && stored.address == nil && instance.isSameObject(as: stored))
      #expect(instance.dogs === list && list.realm == realm)
    }
  }

  @Test("O-4 an object of the same Realm is returned as it is, or copied under .error")
  func ownObjects() throws {
    let realm = try realm()
    try realm.write {
      let dog = realm.create(Dog.self, value: ["name": "Rex"])
      #expect(!realm.create(Dog.self, value: dog).isSameObject(as: dog))
      let person = realm.create(Person.self, value: ["id": 1])
      #expect(realm.create(Person.self, value: person, update: .modified).isSameObject(as: person))
      #expect(realm.create(Person.self, value: person, update: .all).isSameObject(as: person))
    }
    #expect(realm.objects(Dog.self).count == 2 && realm.objects(Person.self).count == 1)
  }
}

final class Tagged: Object {
  @Persisted(primaryKey: true) var key: String?
  @Persisted var value: Int
}

final class Box: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var numbers: List<Int>
  @Persisted var main: Part?
  @Persisted var parts: List<Part>
  @Persisted var owner: Person?
  @Persisted var guests: List<Person>
}

final class Part: Object {
  @Persisted var name: String
  @Persisted var size: Int
}
