import Dispatch
import Foundation
import Testing

@testable import Larder

/// A word by a code that only accepts some words.
private final class Coded: Object {
  @Persisted var text: Code?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The same class to a program that knows of no rule.
private enum Plain {
  final class Coded: Object {
    @Persisted var text: String?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}

extension Code: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// Covers S-6, S-16, S-17, S-34 and S-54.
@Suite("Rules of sections", .timeLimit(.minutes(30))) struct SectionRulesTests {
  private static func fill(_ realm: Realm) throws {
    try realm.write { for id in 0..<4 { realm.add(Person(id: id, name: "p\(id)", age: id % 2)) } }
  }

  @Test("S-6 sections cannot be filtered or sorted: they are no collection of their elements")
  func noCollection() throws {
    let sections = try makeRealm().objects(Person.self).sectioned(by: \.age)
    #expect(!((sections as Any) is any RealmCollection))
  }

  @Test("S-16 the key function is called once for each element, where the sections live, and not in the background")
  func keyFunction() throws {
    let queue = DispatchQueue(label: "owner")
    let other = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: other, value: true)
    let recorder = Recorder()
    let holder = UncheckedBox(
      try queue.sync { () throws -> (Realm, NotificationToken) in
        let realm = try Realm(configuration: temporaryConfiguration(), queue: queue)
        try Self.fill(realm)
        let sections = realm.objects(Person.self).sectioned(
          by: { (person: Person) -> Int in
            recorder.add("key \(person.id) \(DispatchQueue.getSpecific(key: other) == true)")
            return person.age
          }, sortDescriptors: ["id"])
        #expect(recorder.all.isEmpty)
        #expect(sections.count == 2 && sections[0].count == 2 && sections.allKeys == [0, 1])
        #expect(recorder.all == (0..<4).map { "key \($0) true" })
        let token = sections.observe { _ in recorder.add("told") }
        return (realm, token)
      })
    while recorder.all.last != "told" { _ = recorder.wait() }
    try queue.sync { try holder.value.0.write { holder.value.0.add(Person(id: 9)) } }
    while recorder.all.count(where: { $0 == "told" }) < 2 { _ = recorder.wait() }
    // Once for each version: the initial call found nothing new, the update five elements.
    #expect(recorder.all.count { $0.hasPrefix("key") } == 9)
    #expect(recorder.all.allSatisfy { $0 == "told" || $0.hasSuffix("true") })
    queue.sync { _ = holder.value.1.invalidate() }
  }

  @Test("S-16 a key function that writes") func writingKeyFunction() async {
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try Self.fill(realm)
      let sections = realm.objects(Person.self).sectioned(
        by: { (person: Person) -> Int in
          try? realm.write { person.age += 1 }
          return person.age
        }, sortDescriptors: ["id"])
      _ = sections.count
    }
    #expect(misuseText(outside).contains("the key function must only read"))
    let inside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      try Self.fill(realm)
      let sections = realm.objects(Person.self).sectioned(
        by: { (person: Person) -> Int in
          person.age += 1
          return person.age
        }, sortDescriptors: ["id"])
      try realm.write { _ = sections.count }
    }
    #expect(misuseText(inside).contains("the key function must only read"))
  }

  @Test("S-17 a stored value that the key's type refuses: nil where the key is optional") func refusedKey() throws {
    let folder = try TemporaryFolder()
    do {
      let plain = try Realm(configuration: folder.configuration([Plain.Coded.self]))
      try plain.write {
        for text in ["A", "lower", "A"] { plain.create(Plain.Coded.self, value: ["text": text]) }
      }
    }
    let sections = try Realm(configuration: folder.configuration([Coded.self])).objects(Coded.self)
      .sectioned(by: \.text)
    #expect(sections.map { $0.key?.text } == ["A", nil] && sections.map(\.count) == [2, 1])
  }

  @Test("S-34, O-130 frozen inside of a write, sections are those of the last version") func freezingInWrite() throws {
    let realm = try makeRealm()
    try Self.fill(realm)
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    var frozen: SectionedResults<Int, Person>?
    try realm.write {
      realm.add(Person(id: 9, age: 7))
      #expect(sections.allKeys == [0, 1, 7])
      frozen = sections.freeze()
      #expect(frozen?.allKeys == [0, 1])
    }
    #expect(frozen?.allKeys == [0, 1] && frozen?[1].count == 2 && sections.freeze().allKeys == [0, 1, 7])
  }

  @Test("S-34 a section that only the open write has") func freezingNewSection() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      let sections = realm.objects(Person.self).sectioned(by: \.age)
      try realm.write {
        realm.add(Person(id: 9, age: 7))
        _ = sections[0].freeze()
      }
    }
    #expect(misuseText(result).contains("was not found in the frozen version"))
  }

  @Test("S-54 the first call comes even when the section is gone already") func goneSection() throws {
    try onQueue([Person.self, Dog.self, Address.self, Room.self]) { realm in
      try Self.fill(realm)
      let section = realm.objects(Person.self).sectioned(by: \.age)[1]
      try realm.write { realm.delete(realm.objects(Person.self).filter("age = 1")) }
      #expect(section.isInvalidated)
      var told: [String] = []
      let token = section.observe { change in
        switch change {
        case .initial(let section): told.append("initial \(section.isInvalidated)")
        case .update(let section, _, let insertions, _, let inserted, let deleted):
          told.append("+\(insertions.map(\.item)) \(Array(inserted)) \(Array(deleted)) \(section.isInvalidated)")
        }
      }
      try realm.write { realm.add(Person(id: 10, age: 0)) }
      try realm.write { realm.add(Person(id: 11, age: 1)) }
      try realm.write {}
      #expect(told == ["initial true", "+[0] [1] [] false"])
      token.invalidate()
    }
  }
}
