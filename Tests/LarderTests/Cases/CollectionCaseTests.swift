import Foundation
import Larder
import Testing

class CaseGift: EmbeddedObject { @Persisted var name: String }

class CaseDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<CasePerson>
  @Persisted(originProperty: "favourite") var favouriteOf: LinkingObjects<CasePerson>
}

class CasePerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var isKnown: Bool
  @Persisted var dogs: List<CaseDog>
  @Persisted var favourite: CaseDog?
  @Persisted var tags: List<String>
  @Persisted var gifts: List<CaseGift>
  @Persisted var map: Map<String, Int>
  @Persisted var mixed: AnyRealmValue
  @Persisted var children: List<CasePerson>
  @Persisted var key: String
  @Persisted var number: Int
}

/// Deleting in loops, distinct, lists, backlinks, maps and conditions over collections, from public reports of object databases. The answers
/// were written down before the first run.
@Suite("Reported cases: collections and conditions over them") struct CollectionCaseTests {
  private let realm: Realm
  private var people: Results<CasePerson> { realm.objects(CasePerson.self) }

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [CasePerson.self, CaseDog.self, CaseGift.self]))
  }

  private func fill(_ count: Int, _ set: (CasePerson, Int) -> Void = { _, _ in }) throws {
    try realm.write {
      realm.deleteAll()
      for id in 0..<count {
        let person = CasePerson()
        person.id = id
        set(person, id)
        realm.add(person)
      }
    }
  }

  private func ids(_ format: String, _ arguments: Any...) -> [Int] {
    people.filter(NSPredicate(format: format, argumentArray: arguments)).map(\.id)
  }

  private func ids(rql: String) throws -> [Int] { try people.throwing.filter(rql: rql).map(\.id) }

  @Test("a loop over results may delete what it visits, and slices can be deleted")
  func deleting() throws {
    try fill(290)
    try realm.write { for person in people { realm.delete(person) } }
    #expect(people.isEmpty)
    try fill(999)
    try realm.write { for person in people.filter("id < 100") { realm.delete(person) } }
    #expect(Array(people.prefix(5).map(\.id)) == [100, 101, 102, 103, 104])
    try fill(1000)
    try realm.write { realm.delete(people.suffix(100)) }
    #expect(people.count == 900)
    #expect(people.last?.id == 899)
    try realm.write { realm.delete(people.sorted(byKeyPath: "id", ascending: false).prefix(100)) }
    #expect(people.count == 800)
    #expect(people.last?.id == 799)
  }

  @Test("distinct counts as it lists, and one after the other is not both at once")
  func distinct() throws {
    try fill(1913) { person, id in person.number = id % 611 }
    let distinct = people.distinct(by: ["number"])
    #expect(distinct.count == 611)
    #expect(distinct.map(\.number).count == 611)
    try fill(6) { person, id in
      person.key = ["A", "A", "B", "B", "A", "A"][id]
      person.number = id < 3 ? 1 : 2
    }
    #expect(people.distinct(by: ["key"]).distinct(by: ["number"]).map(\.id) == [0])
    #expect(people.distinct(by: ["number"]).distinct(by: ["key"]).map(\.id) == [0, 3])
    #expect(people.distinct(by: ["key", "number"]).map(\.id) == [0, 2, 3, 4])
  }

  @Test("count and elements agree after a change of the property of the condition")
  func countAndElements() throws {
    try fill(20)
    let five = people.filter("number == 5")
    #expect(five.count == 0)
    try realm.write { for person in people where person.id % 4 == 0 { person.number = 5 } }
    #expect(five.count == 5)
    #expect(five.map(\.id) == [0, 4, 8, 12, 16])
  }

  @Test("adding under the same key replaces lists, and leaves those that are not given")
  func updating() throws {
    func add(_ count: Int, _ names: (Int) -> String, _ policy: Realm.UpdatePolicy) throws {
      try realm.write {
        let person = CasePerson()
        person.id = 1
        for id in 0..<count {
          person.dogs.append(CaseDog(value: ["id": id]))
          person.gifts.append(CaseGift(value: ["name": names(id)]))
        }
        realm.add(person, update: policy)
      }
    }
    for _ in 0..<3 { try add(5, { "\($0)" }, .all) }
    let person = try #require(people.first)
    #expect(person.dogs.count == 5)
    #expect(realm.objects(CaseDog.self).count == 5)
    #expect(person.gifts.map(\.name) == ["0", "1", "2", "3", "4"])
    for _ in 0..<3 { try add(4, { "\($0 + 5)" }, .modified) }
    #expect(person.dogs.count == 4)
    #expect(realm.objects(CaseDog.self).count == 5)
    #expect(person.gifts.map(\.name) == ["5", "6", "7", "8"])
    try realm.write {
      realm.create(CasePerson.self, value: ["id": 1, "name": "x"] as [String: Any], update: .all)
      realm.create(CasePerson.self, value: ["id": 1, "number": 3] as [String: Any], update: .modified)
    }
    #expect(person.dogs.count == 4)
    #expect(person.gifts.count == 4)
    #expect(person.name == "x")
    #expect(person.number == 3)
  }

  @Test("F-125: backlinks count each link, by property and of all classes")
  func backlinks() throws {
    try fill(1) { person, _ in
      for id in 0..<5 { person.dogs.append(CaseDog(value: ["id": id])) }
    }
    let person = try #require(people.first)
    let dog = try #require(realm.objects(CaseDog.self).first)
    try realm.write {
      person.dogs.removeAll()
      person.dogs.append(objectsIn: [dog, dog, dog])
      person.favourite = dog
      person.favourite = dog
    }
    let dogs = realm.objects(CaseDog.self)
    #expect(dog.owners.count == 3)
    #expect(dog.favouriteOf.count == 1)
    #expect(dogs.filter("owners.@count == 3").count == 1)
    #expect(dogs.filter("owners.@count == 0").count == 4)
    #expect(try dogs.throwing.filter(rql: "@links.@count == 0").count == 4)
    #expect(try dogs.throwing.filter(rql: "@links.@count == 4").count == 1)
  }

  @Test("keys of maps may have dots, dollars and quotes, and be empty")
  func mapKeys() throws {
    try fill(1) { person, _ in
      for (value, key) in ["com.apple.Safari", "$x", "keys", "", "it's \"q\""].enumerated() {
        person.map[key] = value + 1
      }
    }
    #expect(people[0].map["com.apple.Safari"] == 1)
    #expect(ids("map['com.apple.Safari'] == 1") == [0])
    #expect(ids("map['$x'] == 2") == [0])
    #expect(ids("map[%@] == 3", "keys") == [0])
    #expect(ids("map[''] == 4") == [0])
    #expect(ids("map[%@] == 5", "it's \"q\"") == [0])
    #expect(ids("ANY map.@allKeys == 'com.apple.Safari'") == [0])
    #expect(ids("map['nosuch'] == nil") == [0])
    #expect(people.where { $0.map["com.apple.Safari"] == 1 }.count == 1)
  }

  @Test("F-125: keys of a dictionary within a value of any type")
  func anyKeys() throws {
    try fill(1) { person, _ in
      person.mixed = .fromDictionary(["a": .string("s"), "b": .string("s"), "keys": .int(1)])
    }
    for key in ["a", "b", "keys"] { #expect(try ids(rql: "mixed.@keys == '\(key)'") == [0]) }
    #expect(try ids(rql: "mixed.@keys == 'c'") == [])
    #expect(try ids(rql: "mixed['keys'] == 1") == [0])
    #expect(try ids(rql: "mixed['b'] == 's'") == [0])
  }

  @Test("conditions over a list of texts, by its length and its elements")
  func textLists() throws {
    try fill(3) { person, id in person.tags.append(objectsIn: Array(repeating: "t", count: id)) }
    #expect(ids("tags.@count == 0") == [0])
    #expect(ids("tags.@count > 1") == [2])
    #expect(ids("ANY tags == 't'") == [1, 2])
    #expect(ids("NONE tags == 't'") == [0])
    #expect(people.where { $0.tags.count == 0 }.count == 1)
  }

  @Test("a subquery within a subquery")
  func subqueries() throws {
    func person(_ id: Int, _ name: String, _ children: [CasePerson] = [], dogsOfAges ages: [Int] = []) -> CasePerson {
      let person = CasePerson()
      person.id = id
      person.name = name
      person.children.append(objectsIn: children)
      for (place, age) in ages.enumerated() {
        person.dogs.append(CaseDog(value: ["id": id * 10 + place, "age": age] as [String: Any]))
      }
      return person
    }
    try realm.write {
      realm.add(person(1, "top", [person(2, "mid", dogsOfAges: [3, 9]), person(3, "mid", dogsOfAges: [1])]))
      realm.add(person(4, "top", [person(5, "mid", dogsOfAges: [2]), person(6, "low", dogsOfAges: [9])]))
    }
    let nested = "SUBQUERY($k.dogs, $d, $d.age > 5 AND $d.id > 0).@count > 0"
    #expect(ids("SUBQUERY(children, $k, $k.name == 'mid' AND \(nested)).@count > 0") == [1])
    #expect(ids("SUBQUERY(children, $k, $k.name == 'mid').@count == 2") == [1])
    #expect(people.where { ($0.children.name == "mid" && $0.children.number == 0).count == 2 }.count == 1)
  }

  @Test("a Bool alone, and its opposite, in where")
  func bools() throws {
    try fill(4) { person, id in person.isKnown = id % 2 == 0 }
    #expect(people.where { $0.isKnown }.map(\.id) == [0, 2])
    #expect(people.where { !$0.isKnown }.map(\.id) == [1, 3])
    #expect(people.where { $0.isKnown && !($0.id == 0) }.map(\.id) == [2])
  }

  @Test("sorting, distinct and a limit in the order in which they are written")
  func descriptors() throws {
    try fill(6) { person, id in
      person.key = ["a", "b", "a", "b", "c", "a"][id]
      person.number = [1, 5, 9, 2, 4, 3][id]
    }
    #expect(try ids(rql: "TRUEPREDICATE SORT(number DESC) DISTINCT(key)") == [2, 1, 4])
    #expect(try ids(rql: "TRUEPREDICATE DISTINCT(key) SORT(number DESC)") == [1, 4, 0])
    #expect(try ids(rql: "TRUEPREDICATE SORT(number DESCENDING) LIMIT(2)") == [2, 1])
    #expect(try ids(rql: "TRUEPREDICATE SORT(key ascending, number descending)") == [2, 5, 0, 1, 3, 4])
    #expect(try ids(rql: "TRUEPREDICATE LIMIT(3) SORT(number DESC)") == [2, 1, 0])
    #expect(try ids(rql: "TRUEPREDICATE SORT(number DESC) LIMIT(3) DISTINCT(key)") == [2, 1, 4])
    #expect(try ids(rql: "number > 2 SORT(number ASC) LIMIT(2)") == [5, 4])
  }

  @Test("F-120: a set of texts keeps two that are canonically equal, however it is filled")
  func sets() throws {
    let texts = ["é", "e\u{301}"]
    let configurations = (0..<2).map { _ in
      Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: [CaseTextSet.self])
    }
    let realms = try configurations.map { try Realm(configuration: $0) }
    let object = CaseTextSet()
    try realms[0].write {
      object.id = 1
      realms[0].add(object)
      object.texts.insert(objectsIn: texts)
      #expect(object.texts.count == 2)
      #expect(realms[0].create(CaseTextSet.self, value: ["id": 2, "texts": texts] as [String: Any]).texts.count == 2)
    }
    try realms[1].write { #expect(realms[1].create(CaseTextSet.self, value: object).texts.count == 2) }
    #expect(object.detached().texts.count == 2)
  }
}

class CaseTextSet: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var texts: MutableSet<String>
}
