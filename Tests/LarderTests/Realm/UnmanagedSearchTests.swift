import Foundation
import TestSupport
import Testing

@testable import Larder

@Suite("Searching unmanaged lists") struct UnmanagedSearchTests {
  @Test("F-28: the first object that a predicate fits is found in an unmanaged list, in every form of predicate")
  func objects() {
    let person = Person()
    for (name, weight) in [("Rex", 3), ("Fido", 1), ("Rex", 1)] {
      let dog = Dog(name: name)
      dog.tags.append("\(weight)")
      if name == "Fido" { dog.owner = Person(id: 7, name: "Ada", age: 30) }
      person.dogs.append(dog)
    }
    let dogs = person.dogs
    #expect(dogs.index(matching: "name == 'Fido'") == 1)
    #expect(dogs.index(matching: NSPredicate(format: "name == %@", "Rex")) == 0)
    #expect(dogs.index(matching: { $0.name == "Rex" && $0.tags.contains("1") }) == 2)
    #expect(dogs.index(matching: "owner.name BEGINSWITH[c] 'a'") == 1)
    #expect(dogs.index(matching: { $0.owner.age > 20 }) == 1)
    #expect(dogs.index(matching: "name == 'none'") == nil)
    #expect(AnyRealmCollection(dogs).index(matching: "name == 'Fido'") == 1)
    // Nothing of this makes them managed, or changes them.
    #expect(dogs.allSatisfy { $0.realm == nil } && dogs[1].owner?.realm == nil && dogs[1].owner?.name == "Ada")
  }

  @Test("F-28: the same for objects with primary keys, equal ones included, and for managed ones among them")
  func keys() throws {
    let realm = try makeRealm()
    let managed = try realm.write { realm.create(Person.self, value: ["id": 1, "name": "managed"]) }
    let people = List<Person>()
    people.append(objectsIn: [Person(id: 1, name: "A"), Person(id: 1, name: "B"), managed])
    #expect(people.index(matching: "name == 'B'") == 1 && people.index(matching: { $0.name == "managed" }) == 2)
    #expect(people.index(matching: "id == 1") == 0 && realm.objects(Person.self).count == 1)
  }

  @Test("F-28: embedded objects in unmanaged lists are found, with what they hold, and stay unowned") func embedded()
    throws
  {
    let rooms = List<Room>()
    rooms.append(objectsIn: [Room(size: 10), Room(size: 20), Room(size: 30)])
    rooms[2].guest = Dog(name: "Rex")
    #expect(rooms.index(matching: "size > 15") == 1 && rooms.index(matching: { $0.guest.name == "Rex" }) == 2)
    #expect(rooms.index(matching: NSPredicate(format: "size == %d", 40)) == nil)
    let addresses = List<Address>()
    addresses.append(objectsIn: [Address(), Address()])
    addresses[1].rooms.append(Room(size: 7))
    #expect(addresses.index(matching: "ANY rooms.size == 7") == 1)
    #expect(rooms.allSatisfy { $0.realm == nil } && addresses[1].rooms[0].realm == nil)
    let realm = try makeRealm()
    try realm.write { realm.create(Person.self, value: ["id": 1]).address = addresses[1] }
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 1)?.address?.rooms.first?.size == 7)
    // A managed one among them is looked at where it is.
    #expect(
      addresses.index(matching: "ANY rooms.size == 7") == 1 && addresses.index(matching: "rooms.@count == 0") == 0)
  }

  @Test("F-28: values in unmanaged lists are found, too") func values() {
    let ints = List<Int>()
    ints.append(objectsIn: [3, 1, 2])
    #expect(ints.index(matching: "self < 3") == 1 && ints.index(matching: NSPredicate(format: "SELF == 2")) == 2)
    let strings = List<String?>()
    strings.append(objectsIn: ["a", nil, "b"])
    #expect(strings.index(matching: "self == nil") == 1 && strings.index(matching: "self CONTAINS 'b'") == 2)
    #expect(List<Int>().index(matching: "self == 1") == nil)
  }
}
