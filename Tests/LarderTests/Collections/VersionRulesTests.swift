import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Larder

/// Covers: versions, when contents are found again, loops and texts.
@Suite("Versions, contents and loops") struct VersionRulesTests {
  private func filled(_ count: Int = 5) throws -> Realm {
    let realm = try makeRealm()
    try realm.write { for id in 0..<count { realm.add(Person(id: id, name: "p\(id)", age: id)) } }
    return realm
  }

  @Test("R-1 a version begins at the first access, after opening and after invalidating, and then stays")
  func lazyVersions() throws {
    let configuration = temporaryConfiguration()
    let writer = try Realm(configuration: configuration)
    try writer.write { writer.add(Person(id: 0)) }
    elsewhere {
      do {
        let realm = try Realm(configuration: configuration)
        #expect(realm.core.snapshot == nil)
        try Self.add(1, configuration)
        #expect(realm.objects(Person.self).count == 2)
        try Self.add(2, configuration)
        #expect(realm.objects(Person.self).count == 2 && realm.objects(Person.self).map(\.id) == [0, 1])
        realm.invalidate()
        try Self.add(3, configuration)
        #expect(realm.objects(Person.self).count == 4)
      } catch {
        Issue.record(error)
      }
    }
  }

  /// Adds on a thread of its own.
  private static func add(_ id: Int, _ configuration: Realm.Configuration) throws {
    elsewhere {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(Person(id: id)) }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("R-1 readers never wait for a writer, and a writer waits for another") func oneWriter() async throws {
    let configuration = temporaryConfiguration()
    let keeper = Keeper()
    try await keeper.open(configuration)
    try await keeper.add(1)
    let blocker = try await HeldLock(configuration)
    #expect(try await keeper.ids() == [1])
    elsewhere {
      // Beginning a version while the lock is held.
      #expect((try? Realm(configuration: configuration))?.objects(Person.self).count == 1)
    }
    let waiting = Task { try await keeper.add(2) }
    await Task.yield()
    #expect(try await keeper.ids() == [1])
    blocker.release()
    try await waiting.value
    #expect(try await keeper.ids() == [1, 2])
    await keeper.close()
  }

  @Test("R-11 contents are found again only when a class they depend on has changed") func dependencies() throws {
    let realm = try filled()
    let people = realm.objects(Person.self).filter("age > 1 AND best.name != 'x'").sorted(byKeyPath: "name")
    #expect(people[0].id == 2 && Array(people).count == 3)
    let found = people.state.evaluations
    for name in ["a", "b", "c"] { try realm.write { realm.add(Dog(name: name)) } }
    #expect(Array(people).map(\.id) == [2, 3, 4] && people.count == 3 && people.last?.id == 4)
    #expect(people.state.evaluations == found)
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 3)?.age = 0 }
    #expect(Array(people).map(\.id) == [2, 4] && people.state.evaluations == found + 1)
    let dogs = realm.objects(Person.self).filter("ANY dogs.name = 'a'")
    #expect(Array(dogs).isEmpty)
    try realm.write {
      realm.objects(Person.self)[0].dogs.append(realm.objects(Dog.self)[0])
      #expect(Array(dogs).map(\.id) == [0])
    }
    #expect(Array(dogs).map(\.id) == [0])
    try realm.write { realm.objects(Dog.self)[0].name = "z" }
    #expect(Array(dogs).isEmpty && dogs.count == 0)
    let tags = realm.objects(Dog.self)[0].tags
    let sorted = tags.sorted()
    try realm.write { tags.append(objectsIn: ["b", "a"]) }
    #expect(Array(sorted) == ["a", "b"])
    try realm.write { realm.add(Person(id: 99)) }
    #expect(Array(sorted) == ["a", "b"])
    try realm.write { tags.append("0") }
    #expect(Array(sorted) == ["0", "a", "b"])
  }

  @Test("R-18 a text shows 100 elements and five levels, and says what it leaves out") func texts() throws {
    let realm = try filled(103)
    let text = realm.objects(Person.self).description
    #expect(text.contains("[99] Person") && !text.contains("[100] Person"))
    #expect(text.contains("3 objects skipped"))
    try realm.write { for id in 0..<10 { realm.objects(Person.self)[id].best = realm.objects(Person.self)[id + 1] } }
    let deep = realm.objects(Person.self)[0].description
    #expect(deep.contains("name = p4;") && !deep.contains("name = p5;") && deep.contains("Maximum depth exceeded"))
  }

  @Test("R-32 the number of elements is fixed when the loop begins") func fixedCount() throws {
    let realm = try filled()
    var seen = 0
    try realm.write {
      for person in realm.objects(Person.self) {
        seen += 1
        realm.add(Person(id: 100 + person.id))
      }
      for dog in try #require(realm.objects(Person.self).first).dogs { realm.delete(dog) }
    }
    #expect(seen == 5 && realm.objects(Person.self).count == 10)
  }

  @Test("R-32 a Realm that is invalidated in a loop") func invalidatedInLoop() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { for id in 0..<3 { realm.add(Person(id: id)) } }
      for _ in realm.objects(Person.self) { realm.invalidate() }
    }
    #expect(misuseText(result).contains("The collection is no longer valid"))
  }

  @Test("R-33 indices see live contents: a loop over them skips what moves up") func indices() throws {
    let realm = try filled(6)
    let young = realm.objects(Person.self).filter("age < 100")
    var seen: [Int] = []
    var index = 0
    while index < young.count {
      let person = young[index]
      seen.append(person.id)
      try realm.write { person.age = 100 }
      index += 1
    }
    #expect(seen == [0, 2, 4])
  }

  @Test("R-33 a loop over indices that were counted before") func indicesBeyond() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { for id in 0..<4 { realm.add(Person(id: id)) } }
      let people = realm.objects(Person.self)
      for index in 0..<people.count { try realm.write { realm.delete(people[index]) } }
    }
    #expect(misuseText(result).contains("Index 2 is out of bounds (count 2)"))
  }

  @Test("R-35 unmanaged collections are looped over as they were") func unmanaged() {
    let dog = Dog(name: "a")
    dog.tags.append(objectsIn: ["a", "b"])
    var seen: [String] = []
    for tag in dog.tags {
      seen.append(tag)
      dog.tags.append(tag + tag)
      dog.tags.remove(at: 0)
    }
    #expect(seen == ["a", "b"] && Array(dog.tags) == ["aa", "bb"])
    let bag = Bag()
    bag.ints.insert(objectsIn: [1, 2])
    bag.counts["x"] = 1
    var numbers: [Int] = []
    for number in bag.ints {
      numbers.append(number)
      bag.ints.insert(number + 10)
    }
    for entry in bag.counts { bag.counts[entry.key + "y"] = entry.value }
    #expect(numbers.sorted() == [1, 2] && bag.ints.count == 4 && bag.counts.count == 2)
  }
}
