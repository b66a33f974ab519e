import Foundation
import LarderStorage
import Testing

@testable import Larder

/// A class that looks like a person in some ways.
final class Visitor: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var badge: String
}

/// Covers O-1 to O-9: making, adding and deleting objects.
@Suite("Rules of making and deleting objects") struct CreatingRulesTests {
  private let realm: Realm

  init() throws {
    realm = try makeRealm([Person.self, Dog.self, Address.self, Room.self, Everything.self, Visitor.self])
  }

  @Test("O-1: an object is filled from one of another class as far as names agree; O-3: the input stays as it was")
  func otherClasses() throws {
    let visitor = Visitor(value: ["name": "Vi", "age": 5, "badge": "x"] as [String: Any])
    let person = Person(value: visitor)
    #expect(person.name == "Vi" && person.age == 5 && person.id == 0 && person.active && person.realm == nil)
    let dictionary = ["id": 3, "dogs": [["name": "a"]]] as NSDictionary
    let (made, copy) = try realm.write {
      (realm.create(Person.self, value: visitor), realm.create(Person.self, value: dictionary))
    }
    #expect(made.name == "Vi" && visitor.realm == nil && copy.dogs[0].name == "a" && dictionary.count == 2)
    let template = Person(id: 7, name: "T")
    template.dogs.append(Dog(name: "d"))
    let fromObject = try realm.write { realm.create(Person.self, value: template) }
    #expect(template.realm == nil && template.dogs.realm == nil && template.dogs.count == 1)
    #expect(fromObject !== template && fromObject.name == "T" && fromObject.dogs[0].name == "d")
  }

  @Test("O-1 and E-63: nil makes no object") func nilValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person(value: NSNull())
    }
    #expect(misuseText(result).contains("A Person cannot be made from"))
  }

  @Test(
    "O-2: adding what this Realm manages already changes nothing; collections become managed as the instances they are")
  func again() throws {
    let object = Everything()
    object.ints.append(3)
    let (list, unread) = (object.ints, object.strings)
    try realm.write {
      realm.add(object)
      object.int = 4
      realm.add(object)
      try realm.throwing.add(object)
    }
    #expect(object.ints === list && object.strings === unread && list.realm == realm && unread.realm == realm)
    #expect(object.int == 4 && realm.objects(Everything.self).count == 1)
    try realm.write { unread.append("x") }
    #expect(realm.objects(Everything.self)[0].strings.first == "x")
  }

  @Test("O-2: every unmanaged object that is reached is added once, over links, lists, cycles and embedded objects")
  func reach() throws {
    let (person, friend, dog) = (Person(id: 1), Person(id: 2), Dog(name: "d"))
    (person.best, friend.best, dog.owner) = (friend, person, person)
    friend.dogs.append(objectsIn: [dog, dog])
    let address = Address(value: ["rooms": [["size": 1]]])
    address.rooms[0].guest = dog
    person.address = address
    try realm.write { realm.add(friend) }
    #expect(realm.objects(Person.self).count == 2 && realm.objects(Dog.self).count == 1)
    #expect(
      [person, friend].allSatisfy { $0.realm == realm } && dog.realm == realm && address.rooms[0].guest?.name == "d")
  }

  @Test(
    "O-4 and E-55: a managed object with a key copied under .error is there already; nested ones are linked, not copied"
  )
  func ownObjects() throws {
    let person = try realm.write {
      realm.create(Person.self, value: ["id": 1, "dogs": [["name": "a"]]] as [String: Any])
    }
    let other = try makeRealm()
    let foreign = try other.write { other.create(Dog.self, value: ["name": "f"]) }
    try realm.write {
      let error = #expect(throws: Realm.Error.self) { try realm.throwing.create(Person.self, value: person) }
      #expect(error?.message.contains("Person with id = 1 exists") == true)
      let made = realm.create(
        Person.self, value: ["id": 2, "best": person, "dogs": [person.dogs[0], foreign]] as [String: Any])
      #expect(made.best == person && made.dogs[0].isSameObject(as: person.dogs[0]) && made.dogs[1].realm == realm)
    }
    #expect(realm.objects(Dog.self).map(\.name) == ["a", "f"] && foreign.realm == other)
  }

  @Test(
    "O-5: what is left out has its default, later values of an array too; nil empties, or throws where it cannot be")
  func leavingOut() throws {
    try realm.write {
      let made = realm.create(Person.self, value: [1, "n"] as [Any])
      #expect(made.active && made.email == nil && made.dogs.isEmpty && made.score == 0)
      realm.create(
        Person.self,
        value: ["id": 1, "email": "e", "address": ["city": "c"], "dogs": [["name": "d"]]] as [String: Any],
        update: .modified)
      for policy in [Realm.UpdatePolicy.modified, .all] {
        realm.create(Person.self, value: ["id": 1], update: policy)
        #expect(made.name == "n" && made.email == "e" && made.dogs.count == 1 && made.address?.city == "c")
      }
      realm.create(
        Person.self, value: ["id": 1, "email": NSNull(), "address": NSNull(), "dogs": NSNull()] as [String: Any],
        update: .modified)
      #expect(made.email == nil && made.address == nil && made.dogs.isEmpty && made.name == "n")
      for name in ["name", "age", "score", "active", "created"] {
        #expect(throws: Realm.Error.self) {
          try realm.throwing.create(Person.self, value: ["id": 1, name: NSNull()] as [String: Any], update: .modified)
        }
        #expect(throws: Realm.Error.self) {
          try realm.throwing.create(Person.self, value: ["id": 2, name: String?.none as Any] as [String: Any])
        }
      }
    }
    #expect(realm.objects(Person.self).count == 1)
  }

  private func opened(_ url: URL) throws -> Realm { try Realm(configuration: temporaryConfiguration(at: url.path)) }

  @Test("O-7, E-0a and E-0b: a call that ends the process part-way commits nothing, and the store is sound")
  func partWay() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("a.larder")
    do {
      let realm = try opened(url)
      try realm.write { realm.add(Person(id: 1, name: "kept")) }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = url.path as String] in
      let realm = try Realm(configuration: temporaryConfiguration(at: path))
      try realm.write {
        realm.objects(Person.self)[0].name = "lost"
        let graph = Person(id: 2)
        graph.dogs.append(objectsIn: (0..<50).map { Dog(name: "d\($0)") })
        graph.dogs[49].owner = Person(id: 1)
        realm.add(graph)
      }
    }
    #expect(misuseText(result).contains("Person with id = 1 exists"))
    let realm = try opened(url)
    #expect(realm.objects(Person.self).map(\.name) == ["kept"] && realm.objects(Dog.self).isEmpty)
    #expect(try StoreVerifier.verify(realm.core.store.snapshot()).isEmpty)
    try realm.write { realm.add(Person(id: 2)) }
    #expect(realm.objects(Person.self).count == 2)
  }

  @Test("O-8: an object is deleted in a write, once, and through its own Realm only") func deleting() throws {
    let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    let same = try #require(realm.objects(Person.self).first)
    #expect(throws: Realm.Error.self) { try realm.throwing.delete(person) }
    try realm.write {
      try realm.throwing.delete(person)
      #expect(throws: Realm.Error.self) { try realm.throwing.delete(person) }
      #expect(throws: Realm.Error.self) { try realm.throwing.delete(same) }
    }
    #expect(person.realm == nil && same.isInvalidated && realm.isEmpty)
  }

  @Test("O-9 and E-50: a deleted object throws when it is read, written, frozen or linked; asking about it is safe")
  func deleted() throws {
    let person = try realm.write {
      realm.create(Person.self, value: ["id": 1, "dogs": [["name": "a"]]] as [String: Any])
    }
    let same = try #require(realm.objects(Person.self).first)
    let other = try realm.write { realm.create(Person.self, value: ["id": 2]) }
    try realm.write { realm.delete(person) }
    try realm.write {
      for gone in [person, same] {
        func refused(_ body: () throws -> Void) {
          let error = #expect(throws: Realm.Error.self, performing: body)
          #expect(error?.message.contains("deleted") == true, "\(String(describing: error))")
        }
        refused { _ = try gone.throwing[\.name] }
        refused { _ = try gone.throwing.value(forKey: "dogs") }
        refused { try gone.throwing.setValue("x", forKey: "name") }
        refused { _ = try gone.throwing.freeze() }
        refused { _ = try gone.throwing.detached() }
        refused { try other.throwing.setValue(gone, forKey: "best") }
        refused { try realm.throwing.add(gone) }
        #expect(gone.isInvalidated && gone.ifValid == nil && gone.description == "[invalid object]" && gone == gone)
        #expect(gone != other && gone.hashValue == gone.hashValue && gone.objectSchema.className == "Person")
        #expect(!gone.isFrozen && gone.thaw() == nil && !gone.isSameObject(as: other))
      }
    }
    #expect(other.best == nil)
  }

  @Test("O-9 and E-50: reading, writing, observing and linking a deleted object end the process in the plain form")
  func deletedPlain() async {
    for number in 0..<4 {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [number = number as Int] in
        let realm = try makeRealm()
        let (gone, other) = try realm.write {
          (realm.create(Person.self, value: ["id": 1]), realm.create(Person.self, value: ["id": 2]))
        }
        try realm.write {
          realm.delete(gone)
          switch number {
          case 0: _ = gone.name
          case 1: gone.name = "x"
          case 2: other.best = gone
          default: break
          }
        }
        _ = gone.observe(on: DispatchQueue(label: "q")) { (_: ObjectChange<Person>) in }
      }
      #expect(misuseText(result).contains("This Person was deleted or invalidated"), "\(number)")
    }
  }

  @Test("O-85: deleting a set or a map deletes the objects; the map keeps its keys, with nil") func collections() throws
  {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write {
      bag.pets.insert(objectsIn: [Pet(name: "a"), Pet(name: "b")])
      bag.petsByName["c"] = Pet(name: "c")
      bag.petsByName["a"] = bag.pets[0]
      realm.delete(bag.petsByName)
      #expect(bag.petsByName.keys == ["a", "c"] && bag.petsByName.values.allSatisfy { $0 == nil })
      #expect(bag.pets.map(\.name) == ["b"] && realm.objects(Pet.self).count == 1)
      realm.delete(bag.pets)
    }
    #expect(bag.pets.isEmpty && realm.objects(Pet.self).isEmpty)
  }

  @Test("O-130: freezing in a write shows the committed version") func freezing() throws {
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "a"]) }
    try realm.write {
      person.name = "b"
      realm.create(Person.self, value: ["id": 2])
      #expect(person.freeze().name == "a" && realm.freeze().objects(Person.self).count == 1)
      #expect(realm.objects(Person.self).freeze().count == 1 && person.dogs.freeze().isEmpty)
    }
    #expect(person.freeze().name == "b")
  }
}
