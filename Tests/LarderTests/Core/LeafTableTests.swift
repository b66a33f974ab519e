import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import Larder

/// Properties read here and there: after some jumps between clusters their leaves are kept, and must be those of the version.
@Suite("Reading here and there") struct LeafTableTests {
  private static let count = 12_000
  private let configuration: Realm.Configuration
  private let realm: Realm

  init() throws {
    configuration = temporaryConfiguration([Person.self, Dog.self, Address.self, Room.self])
    realm = try Realm(configuration: configuration)
    try realm.write { [realm] in
      for id in 0..<Self.count { realm.add(Person(id: id, name: "n\(id)", age: id * 7)) }
    }
  }

  /// Reads several properties of objects in an order that jumps from cluster to cluster, more often than leaves are waited for.
  private func check(_ people: [Person], _ expected: (Int) -> (name: String, age: Int), _ when: Comment) {
    #expect(realm.core.store.clusterSize * 8 < Self.count, "too few clusters to jump between")
    for (position, person) in people.enumerated() {
      let wanted = expected(position)
      #expect(person.name == wanted.name && person.age == wanted.age && person.email == nil, when)
    }
  }

  private func jumps(_ random: inout SeededRandom) -> [Int] { (0..<400).map { _ in random.int(0..<Self.count) } }

  @Test("Random reads agree with what was written: before a change, in the write, after it, and after a refresh")
  func versions() throws {
    var random = SeededRandom.forTest()
    let ids = jumps(&random)
    let people = try ids.map { try #require(realm.object(ofType: Person.self, forPrimaryKey: $0)) }
    var ages = Dictionary(uniqueKeysWithValues: (0..<Self.count).map { ($0, $0 * 7) })
    func check(_ when: Comment) { self.check(people, { (name: "n\(ids[$0])", age: ages[ids[$0]] ?? -1) }, when) }
    check("before")
    check("again")
    realm.beginWrite()
    for id in Set(ids.prefix(200)) {
      realm.object(ofType: Person.self, forPrimaryKey: id)?.age = -id
      ages[id] = -id
    }
    check("in the write")
    try realm.commitWrite()
    check("after the commit")
    let before = ages
    realm.beginWrite()
    for person in people { person.age = 1 }
    realm.cancelWrite()
    #expect(ages == before)
    check("after a cancelled write")
    let configuration = configuration
    try onThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { for person in realm.objects(Person.self) { person.age += 1 } }
    }
    check("before the refresh")
    realm.refresh()
    for id in ages.keys { ages[id, default: 0] += 1 }
    check("after the refresh")
  }

  @Test("Sorted results read each object's own values, before and after changes") func sorted() throws {
    let sorted = realm.objects(Person.self).sorted(byKeyPath: "name")
    func check(_ shift: Int, _ when: Comment) {
      let names = (0..<Self.count).map { "n\($0)" }.sorted()
      for (person, name) in zip(sorted, names) {
        #expect(person.name == name && person.age == (Int(name.dropFirst()) ?? 0) * 7 + shift, when)
      }
    }
    check(0, "before")
    try realm.write { for person in realm.objects(Person.self) { person.age += 3 } }
    check(3, "after")
  }

  @Test("Frozen objects keep the values of their version, on any thread, while the live ones move on") func frozen()
    throws
  {
    var random = SeededRandom.forTest()
    let ids = jumps(&random)
    let people = try ids.map { try #require(realm.object(ofType: Person.self, forPrimaryKey: $0)) }
    let frozen = people.map { $0.freeze() }
    try realm.write { for person in realm.objects(Person.self) { person.age = -1 } }
    check(people, { (name: "n\(ids[$0])", age: -1) }, "live")
    check(frozen, { (name: "n\(ids[$0])", age: ids[$0] * 7) }, "frozen")
    let passed = Passed<[Person]>()
    passed.value = frozen
    try onThread {
      for (id, person) in zip(ids, passed.value ?? []) { #expect(person.age == id * 7 && person.name == "n\(id)") }
    }
  }

  @Test("Clusters that come, go and empty after leaves were kept are read as they are") func clusters() throws {
    var random = SeededRandom.forTest()
    var ids = jumps(&random)
    func people() throws -> [Person] {
      try ids.map { try #require(realm.object(ofType: Person.self, forPrimaryKey: $0)) }
    }
    check(try people(), { (name: "n\(ids[$0])", age: ids[$0] * 7) }, "before")
    try realm.write {
      realm.delete(realm.objects(Person.self).filter("id < 6000"))
      for id in Self.count..<Self.count + 3_000 { realm.add(Person(id: id, name: "n\(id)", age: id * 7)) }
    }
    ids = (0..<400).map { _ in random.int(6_000..<Self.count + 3_000) }
    check(try people(), { (name: "n\(ids[$0])", age: ids[$0] * 7) }, "after")
  }
}
