import Dispatch
import Foundation
import KnotModel
import LarderLocks
import Testing

@testable import Larder

/// Observers whose own accessors ended while what they observe goes on, and handlers that run while a Realm moves.
@Suite("Observers of accessors that ended", .timeLimit(.minutes(30))) struct LostAccessorTests {
  private struct Undo: Error {}

  private let queue = DispatchQueue(label: "observing")

  /// Runs on a queue with a Realm of three people.
  private func withRealm(_ body: (Realm) throws -> Void) throws {
    try queue.sync {
      let realm = try Realm(configuration: temporaryConfiguration(), queue: queue)
      try realm.write { for id in 1...3 { realm.add(Person(id: id, name: "p\(id)")) } }
      try body(realm)
    }
  }

  private func age(_ realm: Realm, _ id: Int, _ age: Int) throws {
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: id)?.age = age }
    realm.refresh()
  }

  @Test("N-40, R-7, R-8 an object is observed on after a deletion that was undone, and after its version was let go")
  func object() throws {
    try withRealm { realm in
      let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
      var told: [String] = []
      let token = person.observe { (change: ObjectChange<Person>) in
        if case .change(let person, let properties) = change { told.append("\(person.age) \(properties.map(\.name))") }
        if case .deleted = change { told.append("deleted") }
      }
      try? realm.write {
        realm.delete(person)
        throw Undo()
      }
      try age(realm, 1, 5)
      realm.invalidate()
      try age(realm, 1, 6)
      try age(realm, 1, 7)
      #expect(told == ["5 [\"age\"]", "6 [\"age\"]", "7 [\"age\"]"])
      try realm.write { realm.delete(realm.objects(Person.self)) }
      realm.refresh()
      #expect(told.last == "deleted")
      token.invalidate()
    }
  }

  @Test("S-40, R-7 sections are observed on after their version was let go, also before the first call")
  func sections() throws {
    try withRealm { realm in
      var told: [String] = []
      let sections = realm.objects(Person.self).sectioned(by: \.active, ascending: true)
      let token = sections.observe { change in
        switch change {
        case .initial(let sections): told.append("initial \(sections.map(\.count))")
        case .update(let sections, _, let insertions, _, _, _): told.append("\(sections.map(\.count)) +\(insertions)")
        }
      }
      realm.invalidate()
      realm.refresh()
      #expect(told == ["initial [3]"])
      realm.invalidate()
      try realm.write { realm.add(Person(id: 4)) }
      realm.refresh()
      #expect(told.last == "[4] +[[0, 3]]")
      token.invalidate()
    }
  }

  @Test("R-20, O-11 deleting results that hold an object twice deletes it once") func twice() throws {
    try withRealm { realm in
      try realm.write {
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
        let rex = realm.create(Dog.self, value: ["name": "Rex"])
        person.dogs.append(objectsIn: [rex, rex])
        realm.delete(person.dogs.filter("name == 'Rex'"))
        #expect(person.dogs.isEmpty && rex.isInvalidated)
      }
    }
  }

  @Test("S-60 a section key that is no sort property is watched, whatever the filter says") func sectionKey() throws {
    try withRealm { realm in
      let sections = realm.objects(Person.self).sectioned(
        by: { (person: Person) in person.active }, sortDescriptors: [Larder.SortDescriptor(keyPath: "name")])
      var told: [String] = []
      let token = sections.observe(keyPaths: ["age"]) { change in
        guard case .update(_, let deletions, let insertions, let modifications, let new, _) = change else { return }
        told.append("-\(deletions) +\(insertions) ~\(modifications) \(Array(new))")
      }
      realm.refresh()
      try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.active = false }
      realm.refresh()
      try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 2)?.email = "x" }
      realm.refresh()
      try age(realm, 2, 9)
      #expect(told.count == 2)
      #expect(told.last?.hasSuffix("~[[1, 0]] []") == true, "\(told)")
      token.invalidate()
    }
  }

  @Test("R-5, R-7, N-4 a handler that is notified of a commit cannot move the Realm again") func handler() throws {
    try withRealm { realm in
      var told: [String] = []
      let people = realm.objects(Person.self).observe { change in
        if case .update = change { told.append("people") }
      }
      realm.refresh()
      let token = realm.observe { _, realm in
        told.append("realm \(realm.refresh())")
        realm.invalidate()
      }
      let person = try realm.write { realm.create(Person.self, value: ["id": 9]) }
      told.append("after \(person.isInvalidated)")
      realm.refresh()
      #expect(told == ["realm false", "after false", "people"])
      people.invalidate()
      token.invalidate()
    }
  }

  @Test("N-42 an old value has the type of the new one") func oldValue() throws {
    try queue.sync {
      let configuration = temporaryConfiguration()
      let realm = try Realm(configuration: configuration, queue: queue)
      let everything = Everything()
      everything.int64 = 1
      everything.int8 = 1
      try realm.write { realm.add(everything) }
      var told: [PropertyChange] = []
      let token = everything.observe { (change: ObjectChange<Everything>) in
        if case .change(_, let properties) = change { told = properties }
      }
      elsewhere {
        let other = try? Realm(configuration: configuration)
        try? other?.write {
          let found = other?.objects(Everything.self).first
          found?.int64 = 2
          found?.int8 = 2
        }
      }
      realm.refresh()
      #expect(told.map(\.name) == ["int8", "int64"])
      #expect(told.first?.oldValue as? Int8 == 1 && told.first?.newValue as? Int8 == 2)
      #expect(told.last?.oldValue as? Int64 == 1 && told.last?.newValue as? Int64 == 2)
      token.invalidate()
    }
  }

  @Test("O-101, O-102 the hash of an object with a key is that of the key, before and after it is added") func hash()
    throws
  {
    try withRealm { realm in
      let person = Person(id: 7)
      let people: Set<Person> = [person]
      #expect(person.hash == Person(id: 7).hash && person != Person(id: 7))
      try realm.write { realm.add(person) }
      #expect(people.contains(person))
      #expect(person.hash == realm.object(ofType: Person.self, forPrimaryKey: 7)?.freeze().hash)
    }
  }

  @Test("O-115 what @ThreadSafe keeps in use is the version that was read last") func threadSafe() throws {
    let configuration = temporaryConfiguration()
    let realm = try Realm(configuration: configuration)
    let person = Person(id: 1)
    try realm.write { realm.add(person) }
    let shared = ThreadSafe(wrappedValue: person)
    for age in 0..<5 {
      try realm.write { person.age = age }
      #expect(shared.wrappedValue?.age == age)
    }
    let newest = try #require(realm.liveVersions.map(\.version).max())
    #expect(realm.liveVersions.map(\.version).min() == newest)
  }

  @Test("Q-151, R-3 an order over backlinks in the transaction that made them is right while it writes them out")
  func orderInWrite() throws {
    let realm = try Realm(configuration: temporaryConfiguration([Knot.self, KnotPart.self]))
    func order() -> [String] {
      let knots = realm.objects(Knot.self).sorted(by: [
        Larder.SortDescriptor(keyPath: "label"), Larder.SortDescriptor(keyPath: "previous.@count"),
      ])
      return knots.map { "\($0.label) \($0.previous.count)" }
    }
    let found = try realm.write {
      var last: Knot?
      for number in 0..<60 {
        let knot = realm.create(Knot.self, value: ["id": number])
        knot.label = String(repeating: "n", count: 40) + "\(number / 2 + 10)"
        if number % 2 == 0 { last?.next = knot }
        last = knot
      }
      return order()
    }
    #expect(found == order() && found.count == 60 && found == found.sorted())
  }
}
