import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite struct RealmObjectTests {
  @Test("O-2 adding makes the same instance managed, with everything it reaches")
  func adding() throws {
    let realm = try makeRealm()
    let person = Person(id: 1, name: "Ada", age: 36)
    let dog = Dog(name: "Rex")
    dog.owner = person
    dog.tags.append(objectsIn: ["a", "b"])
    person.dogs.append(dog)
    person.best = person
    person.address = Address(value: ["city": "Ulm", "rooms": [["size": 3], ["size": 5]]])
    let list = person.dogs
    try realm.write { realm.add(person) }
    #expect(person.realm == realm && dog.realm == realm && person.dogs === list)
    #expect(person.name == "Ada" && person.age == 36 && person.active && person.email == nil)
    #expect(person.dogs.count == 1 && person.dogs[0].name == "Rex" && person.dogs[0].owner?.id == 1)
    #expect(person.best?.best?.name == "Ada")
    #expect(person.address?.city == "Ulm" && person.address?.rooms.map(\.size) == [3, 5])
    #expect(Array(dog.tags) == ["a", "b"])
    #expect(realm.objects(Person.self).count == 1 && realm.objects(Dog.self).count == 1)
    #expect(realm.objects(Person.self).first == person)
  }

  @Test("Values of every type survive, nil and extremes included")
  func everything() throws {
    let realm = try makeRealm()
    let value = Everything()
    value.bool = true
    value.int = .max
    value.int8 = .min
    value.int16 = -300
    value.int32 = .max
    value.int64 = .min
    value.float = -0.5
    value.double = .infinity
    value.string = "grüße \u{0} 東京"
    value.data = Data([0, 1, 255])
    value.date = Date(timeIntervalSince1970: 1_700_000_000.25)
    value.decimal = 12.5
    value.kind = .special
    value.level = .high
    value.optBool = false
    value.optInt = -7
    value.optInt8 = 7
    value.optFloat = 1.5
    value.optDouble = -1.5
    value.optString = ""
    value.optData = Data()
    value.optDate = Date(timeIntervalSince1970: -1.5)
    value.optUuid = UUID()
    value.optObjectId = .generate()
    value.optDecimal = "1E+10"
    value.optKind = .special
    value.optLevel = .low
    value.ints.append(objectsIn: [3, 1, 2])
    value.optInts.append(objectsIn: [1, nil, 3])
    value.strings.append("x")
    value.dates.append(Date(timeIntervalSince1970: 5))
    value.kinds.append(objectsIn: [.special, .plain])
    let copy = Everything(value: value)
    try realm.write { realm.add(value) }
    for property in ModelClass.of(Everything.self).properties where property.kind == .none {
      let stored = value[property.name].map { "\($0)" }
      #expect(stored == copy[property.name].map { "\($0)" }, "\(property.name)")
    }
    #expect(value.date == copy.date && value.optDate == copy.optDate)
    #expect(
      Array(value.ints) == [3, 1, 2] && Array(value.optInts) == [1, nil, 3] && Array(value.kinds) == [.special, .plain])
    let empty = try realm.write { realm.create(Everything.self) }
    #expect(empty.optInt == nil && empty.optString == nil && empty.optKind == nil && empty.int == 0)
    try realm.write {
      value.optInt = nil
      value.optString = nil
      value.optKind = nil
      value.int += 0
    }
    #expect(value.optInt == nil && value.optString == nil && value.optKind == nil && value.int == .max)
  }

  @Test("O-43 objects by primary key")
  func primaryKeys() throws {
    let realm = try makeRealm()
    try realm.write {
      for id in 0..<1_000 { realm.add(Person(id: id * 3, name: "p\(id)")) }
    }
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 300)?.name == "p100")
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 301) == nil)
  }

  @Test("O-44 and O-48 updating by primary key")
  func updating() throws {
    let realm = try makeRealm()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "A", "age": 5]) }
    try realm.write { realm.create(Person.self, value: ["id": 1, "age": 6] as [String: Any], update: .modified) }
    let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(person.name == "A" && person.age == 6)
    let instance = Person(id: 1, name: "B")
    try realm.write { realm.add(instance, update: .modified) }
    #expect(person.name == "B" && person.age == 0 && instance.isSameObject(as: person))
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test("O-3 creating from nested values links, adds and embeds")
  func creating() throws {
    let realm = try makeRealm()
    let dog = Dog(name: "Old")
    try realm.write { realm.add(dog) }
    let person = try realm.write {
      realm.create(
        Person.self,
        value: [
          "id": 1, "best": ["id": 2, "name": "B"], "dogs": [["name": "New"], dog], "address": ["city": "X"],
        ])
    }
    #expect(
      person.best?.name == "B" && person.dogs.map(\.name) == ["New", "Old"] && person.dogs[1].isSameObject(as: dog))
    #expect(person.address?.city == "X" && realm.objects(Dog.self).count == 2 && realm.objects(Person.self).count == 2)
  }

  @Test("O-11 deleting nulls links, shortens lists and takes embedded objects along")
  func deleting() throws {
    let realm = try makeRealm()
    let person = Person(id: 1)
    let dog = Dog(name: "Rex")
    try realm.write {
      person.dogs.append(objectsIn: [dog, Dog(name: "Bello"), dog])
      person.best = Person(id: 2)
      realm.add(person)
    }
    let room = Address(value: ["rooms": [["size": 1]]])
    try realm.write { person.address = room }
    let kept = try #require(person.best)
    try realm.write {
      realm.delete(dog)
      realm.delete(kept)
    }
    #expect(dog.isInvalidated && dog.realm == nil && dog.description == "[invalid object]")
    #expect(person.dogs.map(\.name) == ["Bello"] && person.best == nil)
    let other = try #require(realm.objects(Person.self).first)
    try realm.write { realm.delete(other) }
    #expect(person.isInvalidated && room.isInvalidated && room.rooms.isInvalidated)
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }

  @Test("O-71 an assigned embedded object replaces the former one")
  func embedding() throws {
    let realm = try makeRealm()
    let person = Person(id: 1)
    let first = Address(value: ["city": "A"])
    let second = Address(value: ["city": "B"])
    try realm.write {
      realm.add(person)
      person.address = first
      person.address = second
      #expect(first.isInvalidated)
      second.rooms.append(Room(size: 4))
      second.rooms.insert(Room(size: 3), at: 0)
    }
    #expect(person.address?.city == "B" && person.address?.rooms.map(\.size) == [3, 4])
    try realm.write { person.address = nil }
    #expect(second.isInvalidated && person.address == nil)
  }

  @Test("R-3 and R-8 a write sees its own changes; cancelling undoes them and invalidates new objects")
  func cancelling() throws {
    let realm = try makeRealm()
    try realm.write { realm.add(Person(id: 1, name: "A")) }
    let person = try #require(realm.objects(Person.self).first)
    let adults = realm.objects(Person.self).filter("age > 10")
    let new = Person(id: 2)
    realm.beginWrite()
    person.age = 20
    realm.add(new)
    #expect(person.age == 20 && adults.count == 1 && realm.isInWriteTransaction)
    realm.cancelWrite()
    #expect(person.age == 0 && adults.count == 0 && new.isInvalidated && !realm.isInWriteTransaction)
    try realm.write { realm.add(Person(id: 3)) }
    #expect(new.isInvalidated)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try realm.write {
        person.name = "B"
        throw Stop()
      }
    }
    #expect(person.name == "A")
  }

  @Test("R-8 a cancelled deletion brings the row back; the instance that was deleted stays invalid")
  func cancelledDeletion() throws {
    let realm = try makeRealm()
    let person = Person(value: ["id": 1, "name": "A", "address": ["city": "X"]] as [String: Any])
    try realm.write { realm.add(person) }
    let other = try #require(realm.objects(Person.self).first)
    let address = try #require(other.address)
    realm.beginWrite()
    realm.delete(person)
    #expect(person.isInvalidated && other.isInvalidated && address.isInvalidated && person.realm == nil)
    realm.cancelWrite()
    #expect(person.isInvalidated && person.realm == nil)
    #expect(!other.isInvalidated && other.name == "A" && address.city == "X")
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 1)?.name == "A" && realm.objects(Person.self).count == 1)
  }

  @Test("O-111 one thread, one instance; R-2 another thread's commit is seen after refresh")
  func threads() throws {
    let configuration = temporaryConfiguration()
    let directory = try Realm(configuration: configuration)
    #expect(try Realm(configuration: configuration) == directory)
    let person = Person(id: 1, name: "A")
    try directory.write { directory.add(person) }
    let thread = Thread {
      let realm = try? Realm(configuration: configuration)
      try? realm?.write { realm?.object(ofType: Person.self, forPrimaryKey: 1)?.name = "B" }
    }
    thread.start()
    while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    #expect(person.name == "A")
    #expect(directory.refresh() && person.name == "B")
    #expect(!directory.refresh())
  }

  @Test("O-130 to O-134 freezing and thawing")
  func freezing() throws {
    let realm = try makeRealm()
    let person = Person(id: 1, name: "A")
    try realm.write { realm.add(person) }
    let frozen = person.freeze()
    let results = realm.objects(Person.self).freeze()
    try realm.write {
      person.name = "B"
      realm.add(Person(id: 2))
    }
    #expect(frozen.isFrozen && frozen.name == "A" && person.name == "B" && results.count == 1)
    #expect(frozen.realm?.isFrozen == true && results.first?.name == "A")
    #expect(frozen.thaw()?.name == "B" && results.thaw()?.count == 2)
    try realm.write { realm.delete(person) }
    #expect(frozen.thaw() == nil && frozen.name == "A")
  }

  @Test("R-7 and E-83: after invalidating, objects are invalid and results empty; new ones begin a new version")
  func invalidating() throws {
    let realm = try makeRealm()
    let person = Person(id: 1)
    try realm.write { realm.add(person) }
    let results = realm.objects(Person.self)
    realm.invalidate()
    #expect(person.isInvalidated && results.isInvalidated && results.count == 0)
    #expect(realm.objects(Person.self).first?.id == 1)
  }
}
