import Foundation
import Testing

@testable import Larder

extension Person {
  /// Reads one stored property.
  var initial: String { String(name.prefix(1)) }
}

/// Covers S-1 to S-33: what sections hold, and how they live.
@Suite("Sections") struct SectionedResultsTests {
  private let realm: Realm

  init() throws { realm = try makeRealm() }

  private func add(_ names: [String]) throws {
    try realm.write {
      for (number, name) in names.enumerated() { realm.add(Person(id: number, name: name, age: number % 3)) }
    }
  }

  private func text<Key>(_ sections: SectionedResults<Key, Person>) -> [String] {
    sections.map { "\($0.key): \($0.map(\.name).joined(separator: ","))" }
  }

  @Test("S-2, S-3, S-13 by a property: sorted by it, one section for each value")
  func byProperty() throws {
    try add(["a", "b", "c", "d", "e"])
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    #expect(sections.map(\.key) == [0, 1, 2] && sections.allKeys == [0, 1, 2])
    #expect(text(sections) == ["0: a,d", "1: b,e", "2: c"])
    #expect(text(realm.objects(Person.self).sectioned(by: \.age, ascending: false)) == ["2: c", "1: b,e", "0: a,d"])
  }

  @Test("S-5 by a computed property: sorted by what it reads, sections by what it returns")
  func computed() throws {
    try add(["pear", "apple", "avocado", "plum"])
    #expect(
      text(realm.objects(Person.self).sectioned(by: \.initial)) == ["a: apple,avocado", "p: pear,plum"])
  }

  @Test(
    "S-13 given sort by name under code-point order [Bob, apple, axe], key the uppercased first letter: sections B, A")
  func order() throws {
    try add(["apple", "Bob", "axe"])
    let sections = realm.objects(Person.self).sectioned(
      by: { String($0.name.prefix(1)).uppercased() }, sortDescriptors: ["name"])
    #expect(text(sections) == ["B: Bob", "A: apple,axe"])
  }

  @Test("S-13, S-14, S-15 elements of one key share a section even when others are between")
  func scattered() throws {
    try add(["a1", "b1", "a2"])
    let sections = realm.objects(Person.self).sectioned(
      by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "id")])
    #expect(text(sections) == ["a: a1,a2", "b: b1"])
    #expect(sections.allKeys == ["a", "b"])
  }

  @Test("S-1, S-2 lists, lists of values, sorted and filtered results")
  func sources() throws {
    let dog = Dog(name: "Rex")
    let person = Person(id: 1)
    try realm.write {
      realm.add(person)
      dog.tags.append(objectsIn: ["bb", "a", "cc", "d", "a"])
      person.dogs.append(objectsIn: [dog, Dog(name: "Bello"), Dog(name: "Rolf")])
    }
    let lengths = dog.tags.sectioned(by: { $0.count }, ascending: false)
    #expect(lengths.map { "\($0.key): \(Array($0))" } == ["1: [\"d\", \"a\", \"a\"]", "2: [\"cc\", \"bb\"]"])
    let dogs = person.dogs.sectioned(by: { $0.name.first == "R" }, sortDescriptors: ["name"])
    #expect(dogs.map { "\($0.key): \($0.map(\.name))" } == ["false: [\"Bello\"]", "true: [\"Rex\", \"Rolf\"]"])
    let some = person.dogs.filter("name != 'Rex'").sectioned(by: \.name)
    #expect(some.allKeys == ["Bello", "Rolf"])
  }

  @Test("S-10, S-11 keys of many types; nil is a key like others, where the sort puts it")
  func keys() throws {
    try realm.write {
      for (email, kind) in [("x", Kind.special), (nil, .plain), ("a", .special), (nil, .plain)] {
        let person = Person(id: realm.objects(Person.self).count)
        person.email = email
        realm.add(person)
        let dog = Dog(name: email ?? "")
        dog.kind = kind
        realm.add(dog)
      }
    }
    let emails = realm.objects(Person.self).sectioned(by: \.email)
    #expect(emails.allKeys == [nil, "a", "x"] && emails[0].count == 2)
    #expect(realm.objects(Dog.self).sectioned(by: \.kind).allKeys == [.plain, .special])
    #expect(realm.objects(Person.self).sectioned(by: \.active).allKeys == [true])
    #expect(realm.objects(Person.self).sectioned(by: \.score).allKeys == [0])
  }

  @Test("S-12 texts of other characters are other keys, even when they look the same")
  func exactKeys() throws {
    try add(["\u{e9}", "e\u{301}"])
    #expect(realm.objects(Person.self).sectioned(by: \.name).count == 2)
  }

  @Test("S-12 numbers are one key when they are one number: decimals of any precision, mixed values of any type")
  func numberKeys() throws {
    try realm.write {
      for text in ["1.0", "2.50", "1.00", "2.5"] {
        let value = Everything()
        value.decimal = try Decimal128(string: text)
        realm.add(value)
      }
    }
    let bags = try makeRealm(AnyRealmValueTests.types)
    try bags.write {
      let values: [AnyRealmValue] = [
        .int(1), .double(1), .decimal128(1.0), .bool(true), .float(0.5), .decimal128(0.50),
      ]
      for (id, value) in values.enumerated() {
        let bag = MixedBag()
        (bag.id, bag.value) = (id, value)
        bags.add(bag)
      }
    }
    #expect(realm.objects(Everything.self).sectioned(by: \.decimal).map(\.count) == [2, 2])
    #expect(bags.objects(MixedBag.self).sectioned(by: \.value).map(\.count) == [1, 2, 3])
  }

  @Test("S-20 counting and subscripts; no section is empty")
  func access() throws {
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    #expect(sections.isEmpty && sections.count == 0)
    try add(["a", "b", "c", "d"])
    #expect(sections.count == 3 && sections[0].count == 2 && sections[0][1].name == "d")
    #expect(sections[IndexPath(item: 0, section: 1)].name == "b")
    #expect(sections.allSatisfy { !$0.isEmpty })
    #expect(IndexPath(row: 4, section: 2).item == 4)
  }

  @Test("S-21 live, also inside of a write")
  func live() throws {
    try add(["a", "b"])
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    #expect(sections.count == 2)
    try realm.write {
      realm.add(Person(id: 9, name: "z", age: 7))
      #expect(sections.allKeys == [0, 1, 7])
      realm.delete(realm.objects(Person.self).filter("age = 0"))
      #expect(sections.allKeys == [1, 7])
    }
  }

  @Test("S-22 a section is bound to its key: gone with it, and back with it")
  func bound() throws {
    try add(["a", "b", "c"])
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    let section = sections[1]
    #expect(section.key == 1 && section.id == 1)
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 0)?.age = 5 }
    #expect(sections[0] == section && section.map(\.name) == ["b"])
    try realm.write { realm.delete(section[0]) }
    #expect(section.isInvalidated)
    try realm.write { realm.add(Person(id: 7, name: "new", age: 1)) }
    #expect(!section.isInvalidated && section.map(\.name) == ["new"])
  }

  @Test("S-23, S-24 invalidation follows the Realm; equality is identity")
  func identity() throws {
    try add(["a"])
    let people = realm.objects(Person.self)
    let sections = people.sectioned(by: \.age)
    #expect(sections == sections && sections != people.sectioned(by: \.age))
    realm.invalidate()
    #expect(sections.isInvalidated && sections.description.contains("invalidated"))
  }

  @Test("S-25 loops go over what there was when they began")
  func loops() throws {
    try add(["a", "b", "c", "d"])
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    var seen: [String] = []
    for section in sections {
      for person in section {
        seen.append(person.name)
        try realm.write { person.age += 10 }
      }
    }
    #expect(seen == ["a", "d", "b", "c"])
    #expect(sections.allKeys == [10, 11, 12] && sections.description.contains("SectionedResults"))
  }

  @Test("S-30, S-31 frozen sections stay, and never ask for keys again; thawed ones live")
  func freezing() throws {
    try add(["a", "b"])
    var calls = 0
    let sections = realm.objects(Person.self).sectioned(
      by: { (person: Person) -> Int in
        calls += 1
        return person.age
      }, sortDescriptors: ["age"])
    #expect(sections.count == 2 && calls == 2)
    let frozen = sections.freeze()
    #expect(frozen.isFrozen && frozen.freeze() == frozen)
    try realm.write { realm.deleteAll() }
    #expect(frozen.allKeys == [0, 1] && frozen[1].map(\.name) == ["b"] && calls == 2)
    elsewhere { #expect(frozen[0][0].name == "a") }
    #expect(frozen.thaw()?.count == 0 && sections.thaw() == sections)
    #expect(realm.freeze().objects(Person.self).sectioned(by: \.age).isEmpty)
  }

  @Test("S-32 freezing and thawing one section keeps its key; thaw is nil when it is gone")
  func freezingOne() throws {
    try add(["a", "b"])
    let section = realm.objects(Person.self).sectioned(by: \.age)[1]
    let frozen = section.freeze()
    #expect(frozen.isFrozen && frozen.key == 1 && frozen.thaw()?.map(\.name) == ["b"])
    try realm.write { realm.delete(section[0]) }
    #expect(frozen.map(\.name) == ["b"] && frozen.thaw() == nil)
  }

  @Test("S-33 references carry sections to other threads")
  func references() throws {
    try add(["a", "b"])
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    let all = ThreadSafeReference(to: sections)
    let one = ThreadSafeReference(to: sections[1])
    let configuration = realm.configuration
    elsewhere {
      let realm = try? Realm(configuration: configuration)
      #expect(realm?.resolve(all)?.allKeys == [0, 1])
      #expect(realm?.resolve(one)?.map(\.name) == ["b"])
    }
  }

  @Test("S-4 no descriptors") func noDescriptors() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sectioned(by: \.age, sortDescriptors: [])
    }
    #expect(misuseText(result).contains("at least one sort descriptor"))
  }

  @Test("S-4 another first descriptor") func otherDescriptor() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sectioned(by: \.age, sortDescriptors: ["name"])
    }
    #expect(misuseText(result).contains("must match the primary sort descriptor"))
  }

  @Test("S-20 a section out of bounds") func outOfBounds() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sectioned(by: \.age)[0]
    }
    #expect(misuseText(result).contains("Section 0 is out of bounds (count 0)"))
  }

  @Test("S-22 using a section that is gone") func goneSection() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try realm.write { realm.add(Person(id: 1)) }
      let section = realm.objects(Person.self).sectioned(by: \.age)[0]
      try realm.write { realm.deleteAll() }
      _ = section.count
    }
    #expect(misuseText(result).contains("was invalidated"))
  }
}
