import Dispatch
import Foundation
import Testing

@testable import Larder

/// Covers, E-50 and E-83: what ends with the version, and what a cancelled write leaves.
@Suite("Invalidating and cancelling", .timeLimit(.minutes(30))) struct InvalidatingTests {
  private static let types: [ObjectBase.Type] = [
    Person.self, Dog.self, Address.self, Room.self, Bag.self, Owner.self, Pet.self, Holder.self, Shelf.self,
  ]

  @Test("R-7 objects, lists, sets, maps, inverses, results and sections become invalid; the Realm stays usable")
  func everything() throws {
    let realm = try makeRealm(Self.types)
    let (owner, bag, pet) = (Owner(id: 1), Bag(id: 1), Pet(name: "Rex"))
    try realm.write {
      realm.add([owner, bag] as [Object])
      owner.pets.append(pet)
      bag.ints.insert(1)
      bag.counts["x"] = 1
    }
    let (list, set, map, inverse) = (owner.pets, bag.ints, bag.counts, pet.owners)
    let results = realm.objects(Owner.self)
    let sections = results.sectioned(by: \.age)
    let erased = AnyRealmCollection(list)
    #expect(!list.isInvalidated && !set.isInvalidated && !map.isInvalidated && !inverse.isInvalidated)
    realm.invalidate()
    #expect(owner.isInvalidated && bag.isInvalidated && pet.isInvalidated)
    #expect(list.isInvalidated && set.isInvalidated && map.isInvalidated && inverse.isInvalidated)
    #expect(results.isInvalidated && sections.isInvalidated && erased.isInvalidated)
    #expect(realm.objects(Owner.self).count == 1 && realm.objects(Bag.self).first?.counts["x"] == 1)
    // Without a version there is nothing to give up, and what is new stays valid.
    let again = realm.objects(Owner.self)
    #expect(!again.isInvalidated && list.isInvalidated)
  }

  @Test("R-7 in a write it undoes the write, and says so in the log") func inWrite() async {
    await #expect(processExitsWith: .success) {
      let recorder = Recorder()
      Logger.shared = Logger(level: .warn) { level, text in recorder.add("\(level) \(text)") }
      let realm = try makeRealm()
      try realm.write { realm.add(Person(id: 1)) }
      realm.beginWrite()
      realm.add(Person(id: 2))
      realm.invalidate()
      guard !realm.isInWriteTransaction, realm.objects(Person.self).map(\.id) == [1], recorder.all.count == 1,
        recorder.all[0].hasPrefix("warn invalidate() undoes the open write transaction")
      else { fatalError("\(recorder.all)") }
    }
  }

  @Test("R-7 while notifications are delivered it does nothing") func inCallback() throws {
    try onQueue(Self.types) { realm in
      var isValid: Bool?
      let people = realm.objects(Person.self)
      let token = people.observe { _ in
        realm.invalidate()
        isValid = !people.isInvalidated
      }
      realm.refresh()
      #expect(isValid == true)
      token.invalidate()
    }
  }

  @Test("R-8, N-50 a cancelled write notifies no collection, no object and no Realm") func cancelled() throws {
    try onQueue(Self.types) { realm in
      var told: [String] = []
      let person = Person(id: 1)
      try realm.write {
        realm.add(person)
        person.dogs.append(Dog(name: "a"))
      }
      let tokens = [
        realm.objects(Person.self).observe { change in if case .update = change { told.append("results") } },
        person.dogs.observe { change in if case .update = change { told.append("list") } },
        person.observe { (_: ObjectChange<Person>) in told.append("object") },
        realm.observe { _, _ in told.append("Realm") },
      ]
      realm.refresh()
      realm.beginWrite()
      person.age = 5
      person.dogs.removeAll()
      realm.add(Person(id: 2))
      realm.cancelWrite()
      #expect(told.isEmpty)
      // Delivers what is due; only the Realm's observer has something to be notified of, of this commit.
      try realm.write {}
      realm.refresh()
      #expect(told == ["Realm"])
      try realm.write { person.age = 6 }
      realm.refresh()
      try realm.write {}
      #expect(told == ["Realm", "Realm", "results", "object", "Realm"])
      for token in tokens { token.invalidate() }
    }
  }

  @Test("R-14, E-83 elements of invalidated results") func subscripting() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { realm.add(Person(id: 1)) }
      let people = realm.objects(Person.self)
      realm.invalidate()
      _ = people[0]
    }
    #expect(misuseText(result).contains("These Results were invalidated with their Realm; query again"))
  }

  @Test("R-14, E-83 filtering invalidated results") func filtering() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let people = realm.objects(Person.self)
      _ = people.count
      realm.invalidate()
      _ = people.filter("age > 1")
    }
    #expect(misuseText(result).contains("These Results were invalidated with their Realm; query again"))
  }

  @Test("R-14 and N-60 observing invalidated results, and sections of them") func observing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let people = realm.objects(Person.self)
      _ = people.count
      realm.invalidate()
      _ = people.observe(on: DispatchQueue(label: "q")) { _ in }
    }
    #expect(misuseText(result).contains("These Results were invalidated with their Realm; query again"))
    let sectioned = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let sections = realm.objects(Person.self).sectioned(by: \.age)
      _ = sections.count
      realm.invalidate()
      _ = sections.observe(on: DispatchQueue(label: "q")) { _ in }
    }
    #expect(misuseText(sectioned).contains("invalidated with their Realm; query again"))
  }

  @Test("R-16, E-50 the position of a deleted object") func deletedObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let person = Person(id: 1)
      try realm.write { realm.add(person) }
      try realm.write { realm.delete(realm.objects(Person.self)) }
      _ = realm.objects(Person.self).index(of: person)
    }
    #expect(misuseText(result).contains("This Person was deleted"))
  }

  @Test("R-16 objects of another class, of another store and unmanaged ones are at no position") func elsewhereObjects()
    throws
  {
    let (realm, other) = (try makeRealm(), try makeRealm())
    let (mine, theirs, dog) = (Person(id: 1), Person(id: 1), Dog(name: "a"))
    try realm.write {
      realm.add(mine)
      realm.add(dog)
    }
    try other.write { other.add(theirs) }
    let people = realm.objects(Person.self)
    #expect(people.index(of: mine) == 0 && people.index(of: theirs) == nil && people.index(of: Person(id: 1)) == nil)
    #expect(realm.dynamicObjects("Person").index(of: realm.dynamicObjects("Dog")[0]) == nil)
  }
}
