import Dispatch
import Foundation
import LarderLocks
import Testing

@testable import Larder

/// Covers: what results and lists show as the Realm moves.
@Suite("Live collections") struct LivenessTests {
  private func filled() throws -> Realm {
    let realm = try makeRealm()
    try realm.write { for id in 0..<5 { realm.add(Person(id: id, name: "p\(id)", age: id)) } }
    return realm
  }

  @Test("R-5 refresh() is false in a write, on frozen Realms and when nothing is newer")
  func refreshing() throws {
    let realm = try filled()
    #expect(!realm.refresh() && !realm.freeze().refresh())
    try realm.write { #expect(!realm.refresh()) }
    realm.invalidate()
    #expect(realm.refresh() && !realm.refresh())
  }

  @Test("R-13 and O-100, O-101 two reads give two instances of one row, equal when there is a primary key")
  func instances() throws {
    let realm = try filled()
    let people = realm.objects(Person.self)
    #expect(people[0] !== people[0] && people[0] == people[0] && people[0].isSameObject(as: people[0]))
    #expect(people[0].hashValue == people[0].hashValue && people[0] != people[1])
    try realm.write { realm.add(Dog(name: "a")) }
    let dogs = realm.objects(Dog.self)
    #expect(dogs[0] != dogs[0] && dogs[0].isSameObject(as: dogs[0]))
    #expect(dogs.freeze()[0] == dogs.freeze()[0])
  }

  @Test("R-14 results of a deleted owner's list are empty, not invalid")
  func deletedOwner() throws {
    let realm = try filled()
    let person = realm.objects(Person.self)[0]
    try realm.write { person.dogs.append(objectsIn: [Dog(name: "a"), Dog(name: "b")]) }
    let sorted = person.dogs.sorted(byKeyPath: "name")
    let list = person.dogs
    #expect(sorted.count == 2)
    try realm.write { realm.delete(person) }
    #expect(sorted.isEmpty && sorted.first == nil && !sorted.isInvalidated && list.isInvalidated)
  }

  @Test("O-130 a frozen object and its collections are read from many threads at once") func manyThreads() throws {
    let realm = try makeBagRealm()
    let bag = try makeBag(realm)
    try realm.write {
      bag.ints.insert(objectsIn: 0..<2_000)
      for number in 0..<300 { bag.counts["\(number)"] = number }
      bag.pets.insert(objectsIn: (0..<50).map { Pet(name: "\($0)") })
      let owner = realm.create(Owner.self, value: ["id": 1])
      owner.pets.append(objectsIn: bag.pets)
    }
    let passed = Passed<(Bag, Owner, Results<Bag>, DynamicObject)>()
    let frozen = realm.freeze()
    passed.value = (
      bag.freeze(), frozen.objects(Owner.self)[0], frozen.objects(Bag.self).filter("id == 1"),
      frozen.dynamicObjects("Owner")[0]
    )
    let wrong = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      guard let (bag, owner, bags, dynamic) = passed.value else { return }
      for round in 0..<40 {
        let place = (number * 311 + round * 97) % 2_000
        let name = "\(place % 50)"
        let isRight =
          bag.ints[place] == place && bag.counts["\(place % 300)"] == place % 300 && bag.pets[place % 50].name == name
          && owner.pets[place % 50].name == name && owner.pets[place % 50].owners.count == 1 && bags.count == 1
          && owner.pets.reduce(0) { $0 + ($1.name == name ? 1 : 0) } == 1
          && (dynamic["pets"] as? List<DynamicObject>)?[place % 50]["name"] as? String == name
        if !isRight { wrong.withLock { $0 += 1 } }
      }
    }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test("R-17 lists are equal as places, results as instances")
  func equality() throws {
    let realm = try filled()
    let people = realm.objects(Person.self)
    #expect(people == people && people != realm.objects(Person.self))
    #expect(people[0].dogs == people[0].dogs && people[0].dogs != people[1].dogs)
  }

  @Test("R-20 and R-30 deleting results; objects deleted in a loop come as invalidated")
  func deletingInLoop() throws {
    let realm = try filled()
    try realm.write {
      realm.delete(realm.objects(Person.self).filter("age < 2"))
      #expect(realm.objects(Person.self).map(\.id) == [2, 3, 4])
      var seen: [Int?] = []
      for person in realm.objects(Person.self).filter("age > 1") {
        if person.isInvalidated {
          seen.append(nil)
          continue
        }
        seen.append(person.id)
        if person.id == 2, let last = realm.object(ofType: Person.self, forPrimaryKey: 4) { realm.delete(last) }
        person.age = 0
      }
      #expect(seen == [2, 3, nil])
    }
  }

  @Test("O-5 nil, missing keys and short arrays; O-81 a list assigned to itself keeps its contents")
  func supplying() throws {
    let realm = try makeRealm()
    try realm.write {
      let person = realm.create(Person.self, value: [7, "A"] as [Any])
      #expect(person.id == 7 && person.name == "A" && person.age == 0 && person.active)
      person.dogs.append(Dog(name: "a"))
      person.dogs = person.dogs
      #expect(person.dogs.count == 1)
      realm.create(
        Person.self, value: ["id": 7, "email": NSNull(), "dogs": NSNull()] as [String: Any], update: .modified)
      #expect(person.dogs.isEmpty && person.email == nil && person.name == "A")
    }
  }

  @Test("O-72 one unmanaged embedded object in two places ends the process") func embeddedTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let room = Room(size: 1)
      let address = Address()
      address.rooms.append(room)
      address.rooms.append(room)
      let person = Person(id: 1)
      person.address = address
      try realm.write { realm.add(person) }
    }
    #expect(misuseText(result).contains("Room is embedded and already has a parent"))
  }
}
