import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("Rules of objects") struct ObjectRulesTests {
  private let realm: Realm

  init() throws { realm = try makeRealm() }

  @Test("O-6: a property that nothing supplies has its default; O-30: what converts and what does not")
  func conversions() throws {
    let made = try realm.write {
      realm.create(
        Everything.self,
        value: [
          "int": 3.0, "double": 4, "float": NSNumber(value: 1.5), "bool": 1, "kind": Kind.special, "level": 10,
          "decimal": 7, "data": Data([1]), "ints": Set([5]), "strings": ["a"][...], "optInt": NSNumber(value: 8),
        ] as [String: Any])
    }
    #expect(made.int == 3 && made.double == 4 && made.float == 1.5 && made.bool && made.kind == .special)
    #expect(made.level == .high && made.decimal == 7 && Array(made.ints) == [5] && Array(made.strings) == ["a"])
    #expect(made.optInt == 8 && made.string == "" && made.optString == nil)
    try realm.write {
      #expect(throws: Realm.Error.self) { try made.throwing.setValue(3.5, forKey: "int") }
      #expect(throws: Realm.Error.self) { try made.throwing.setValue("7x", forKey: "level") }
      #expect(throws: Realm.Error.self) { try made.throwing.setValue(2, forKey: "bool") }
      #expect(throws: Realm.Error.self) { try made.throwing.setValue(1, forKey: "string") }
    }
  }

  @Test("O-8: deleting takes the Realm from the instance given and invalidates all others")
  func deleting() throws {
    let dog = try realm.write { realm.create(Dog.self) }
    let other = try #require(realm.objects(Dog.self).first)
    try realm.write {
      realm.delete(dog)
      #expect(dog.realm == nil && dog.isInvalidated && other.isInvalidated && other.realm != nil)
    }
    #expect(other.isInvalidated && other.description == "[invalid object]" && dog.description == "[invalid object]")
    #expect(dog == dog && dog != other && !dog.isSameObject(as: other))
  }

  @Test("O-10: validity through deletion elsewhere, rollback and invalidate()")
  func validity() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    #expect(!Dog().isInvalidated)
    let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
    try onThread {
      let other = try Realm(configuration: configuration)
      try other.write { other.deleteAll() }
    }
    #expect(!person.isInvalidated)
    realm.refresh()
    #expect(person.isInvalidated)
    realm.beginWrite()
    let unborn = realm.create(Person.self, value: ["id": 2])
    #expect(!unborn.isInvalidated)
    realm.cancelWrite()
    #expect(unborn.isInvalidated)
    let kept = try realm.write { realm.create(Person.self, value: ["id": 3]) }
    realm.invalidate()
    #expect(kept.isInvalidated && realm.objects(Person.self).count == 1)
  }

  @Test("O-12: deleteAll empties the classes of the schema, not others")
  func deleteAll() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appendingPathComponent("a.realm")
    do {
      let both = try Realm(configuration: .init(fileURL: url, objectTypes: [Unrelated.self, Tagged.self]))
      try both.write {
        both.add(Unrelated())
        both.create(Tagged.self, value: ["key": "a"])
      }
      #expect(!both.isEmpty)
    }
    do {
      let one = try Realm(configuration: .init(fileURL: url, objectTypes: [Tagged.self]))
      try one.write { one.deleteAll() }
      #expect(one.isEmpty && one.dynamicObjects("Unrelated").count == 1)
    }
  }

  @Test("O-14: accessors show the Realm's version; nothing is kept in them")
  func cheapViews() throws {
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "a"]) }
    let same = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    realm.beginWrite()
    person.name = "b"
    #expect(same.name == "b")
    realm.cancelWrite()
    #expect(same.name == "a" && person.name == "a")
  }

  @Test(
    "E-90 and E-91: elements of frozen results are not changed; what an empty collection has no first or largest of is nil"
  )
  func results() throws {
    let realm = try makeRealm()
    let people = realm.objects(Person.self)
    #expect(people.first == nil && people.last == nil && (people.max(ofProperty: "age") as Int?) == nil)
    #expect((people.min(ofProperty: "age") as Int?) == nil && (people.average(ofProperty: "age") as Double?) == nil)
    try realm.write { realm.add(Person(id: 1, name: "a")) }
    let frozen = people.freeze()
    try realm.write {
      let error = #expect(throws: Realm.Error.self) { try frozen.first?.throwing.setValue("b", forKey: "name") }
      #expect(error?.message.contains("frozen") == true && people.first?.name == "a")
    }
  }

  @Test("O-14: a Realm that goes takes along what it knows of classes, also of those that link to themselves")
  func cursorsGo() throws {
    weak var typed: _ClassCursor?
    weak var dynamic: _ClassCursor?
    do {
      let realm = try makeRealm()
      let person = try realm.write { realm.create(Person.self, value: ["id": 1, "best": ["id": 2]] as [String: Any]) }
      #expect(person.best?.id == 2 && realm.dynamicObject(ofType: "Person", forPrimaryKey: 1)?["best"] is Person)
      try realm.write { realm.dynamicObjects("Person").first?["age"] = 4 }
      (typed, dynamic) = (realm.core.cursor(for: Person.self), realm.core.dynamicCursor("Person"))
      #expect(typed != nil && dynamic != nil)
    }
    #expect(typed == nil && dynamic == nil)
  }

  @Test("O-22 and O-28: only @Persisted is stored, and a subclass is a class of its own")
  func inheritance() throws {
    let realm = try makeRealm([Animal.self, Cat.self])
    try realm.write {
      realm.create(Animal.self, value: ["name": "a"])
      let cat = realm.create(Cat.self, value: ["name": "c", "lives": 9])
      cat.mood = "good"
      #expect(cat.shout == "C" && cat.mood == "good")
    }
    #expect(realm.objects(Animal.self).count == 1 && realm.objects(Cat.self).first?.name == "c")
    #expect(realm.schema["Cat"]?.properties.map(\.name) == ["name", "lives"])
    #expect(realm.objects(Cat.self).first?.mood == "none")
  }

  @Test("O-60: assigning an unmanaged object to a link adds it, with its own links")
  func linking() throws {
    let person = try realm.write {
      let person = realm.create(Person.self, value: ["id": 1])
      let friend = Person(id: 2)
      friend.best = person
      person.best = friend
      person.dogs.append(Dog(name: "x"))
      #expect(friend.realm == realm)
      return person
    }
    #expect(person.best?.best == person && realm.objects(Dog.self).count == 1)
  }

  @Test("O-73 and O-74: an embedded object goes with its slot, at once, with all it holds")
  func embeddedDeletion() throws {
    try realm.write {
      let person = realm.create(
        Person.self,
        value: ["id": 1, "address": ["rooms": [["size": 1, "guest": ["name": "g"]], ["size": 2]]]] as [String: Any])
      let address: Address = try #require(person.address)
      let room = address.rooms[0]
      let second = address.rooms[1]
      realm.delete(second)
      #expect(address.rooms.count == 1 && second.isInvalidated)
      person.address = Address(value: address)
      #expect(address.isInvalidated && room.isInvalidated && person.address?.rooms.count == 1)
      #expect(realm.dynamicObjects("Room").count == 1)
      let last: Address = try #require(person.address)
      realm.delete(last)
      #expect(
        (person.address as Address?) == nil && realm.dynamicObjects("Room").isEmpty
          && realm.objects(Dog.self).count == 1)
    }
  }

  @Test("O-71: assigning an embedded object to its own slot changes nothing")
  func ownSlot() throws {
    try realm.write {
      let person = realm.create(Person.self, value: ["id": 1, "address": ["city": "Ulm"]] as [String: Any])
      let address: Address? = person.address
      person.address = address
      #expect(address?.isInvalidated == false && person.address?.city == "Ulm")
    }
  }

  @Test("O-75: parents are found and sorted through embedded objects")
  func embeddedPaths() throws {
    try realm.write {
      for (id, city) in ["Ulm", "Aachen", "Bonn"].enumerated() {
        realm.create(Person.self, value: ["id": id, "address": ["city": city]] as [String: Any])
      }
    }
    let people = realm.objects(Person.self)
    #expect(people.filter("address.city BEGINSWITH 'A'").map(\.id) == [1])
    #expect(people.sorted(byKeyPath: "address.city").map(\.id) == [1, 2, 0])
  }

  @Test("O-100 to O-102: identity and equality")
  func identity() throws {
    let (one, two) = (Person(id: 1), Person(id: 1))
    #expect(one != two && one == one && !one.isSameObject(as: two) && one.isSameObject(as: one))
    try realm.write { realm.add(one) }
    let again = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(again == one && again.hash == one.hash && again.isSameObject(as: one) && one != two)
    let dog = try realm.write { realm.create(Dog.self) }
    let sameDog = try #require(realm.objects(Dog.self).first)
    #expect(dog != sameDog && dog.isSameObject(as: sameDog))
    #expect(dog.freeze() == sameDog.freeze() && dog.freeze().hash == sameDog.freeze().hash)
    let other = try makeRealm()
    let foreign = try other.write { other.create(Person.self, value: ["id": 1]) }
    #expect(foreign != one && !foreign.isSameObject(as: one) && !one.isSameObject(as: nil))
    // Adding or deleting changes nothing between distinct instances, and a deleted object can be hashed.
    try realm.write { realm.delete(one) }
    #expect(one != two && one == one && Set([one, two, foreign]).count == 3)
  }

  @Test("O-103: description nests to a depth of five and shortens data")
  func description() throws {
    let person = Person(id: 1)
    var last = person
    for id in 2...8 {
      last.best = Person(id: id)
      last = last.best ?? last
    }
    let text = person.description
    #expect(text.contains("<Maximum depth exceeded>") && text.contains("id = 5;") && !text.contains("id = 6;"))
    let everything = Everything()
    everything.data = Data(repeating: 0xAB, count: 30)
    #expect(everything.description.contains("<" + String(repeating: "ab", count: 24) + " — 30 total bytes>"))
  }

  @Test("O-131 and O-135: what is read from a frozen object is frozen; freezing again gives the same")
  func frozen() throws {
    let person = try realm.write {
      realm.create(
        Person.self,
        value: ["id": 1, "best": ["id": 2], "dogs": [["name": "a"]], "address": ["city": "x"]] as [String: Any])
    }
    let frozen = person.freeze()
    #expect(frozen.isFrozen && frozen.freeze() === frozen && frozen.realm?.isFrozen == true)
    #expect(frozen.best?.isFrozen == true && frozen.dogs.isFrozen && frozen.dogs.first?.isFrozen == true)
    #expect(frozen.address?.isFrozen == true && !Person().isFrozen && !person.isFrozen)
    #expect(frozen.realm?.freeze() == frozen.realm && frozen.realm?.refresh() == false)
  }

  @Test("O-132 and O-133: one frozen Realm per version, which keeps its version")
  func frozenVersions() throws {
    let person = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "a"]) }
    let (first, second) = (person.freeze(), person.freeze())
    #expect(first.realm == second.realm && first == second)
    try realm.write { person.name = "b" }
    #expect(first.name == "a" && person.freeze().name == "b" && person.freeze() != first)
  }

  @Test("E-44: a frozen Realm that was invalidated ends the process when read") func invalidatedFrozen() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm().freeze()
      realm.invalidate()
      _ = realm.objects(Person.self).count
    }
    #expect(misuseText(result).contains("This frozen Realm was invalidated"))
  }

  @Test("E-45: autorefresh of a frozen Realm ends the process") func frozenAutorefresh() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try makeRealm().freeze().autorefresh = true
    }
    #expect(misuseText(result).contains("Frozen Realms never change"))
  }

  @Test("E-69: freezing an unmanaged object ends the process") func freezingUnmanaged() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person().freeze()
    }
    #expect(misuseText(result).contains("Only committed, managed objects can be frozen"))
  }

  @Test("E-61: a value that does not fit ends the process in the plain form") func mismatch() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { realm.create(Person.self, value: ["id": 1, "age": "old"] as [String: Any]) }
    }
    #expect(misuseText(result).contains("'old' (type String) does not fit Person.age (type int)"))
  }

  @Test("E-63: an array that is too long ends the process in the plain form") func tooLong() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Room(value: [1, NSNull(), 3] as [Any])
    }
    #expect(misuseText(result).contains("Room expects at most 2 values, got 3"))
  }

  @Test("Contract 9: an asymmetric object ends the process in a local Realm") func asymmetric() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      realm.create(Measurement.self, value: ["value": 1])
    }
    #expect(misuseText(result).contains("Measurement is asymmetric"))
    #expect(Measurement(value: ["value": 3]).value == 3 && Measurement.isAsymmetric())
    #expect(Measurement(value: ["value": 3])["value"] as? Int == 3)
    #expect(!ModelDiscovery.modelClasses().contains { $0 == Measurement.self })
  }
}

class Animal: Object {
  @Persisted var name: String
  var mood = "none"
  var shout: String { name.uppercased() }
}

final class Cat: Animal {
  @Persisted var lives: Int
}

final class Measurement: AsymmetricObject {
  @Persisted var value: Int
}
