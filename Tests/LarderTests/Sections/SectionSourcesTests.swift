import Dispatch
import Foundation
import Testing

@testable import Larder

/// A person as sections show it.
final class NameCard: Projection<Person> {
  @Projected(\Person.name) var title
  @Projected(\Person.age) var years
}

extension Person {
  /// Reads nothing stored.
  fileprivate var kingdom: String { "animals" }
  /// Reads two stored properties.
  fileprivate var nameAndAge: String { "\(name) \(age)" }
  /// Reads one stored property twice, and those after a link on one path.
  fileprivate var shortName: String { name.isEmpty ? "-" : String(name.prefix(1)) }
  fileprivate var friendName: String? { best?.name }
}

/// Covers S-1, S-5, S-10, S-11, S-22, S-25, S-30, S-32, S-41 and N-60 for sections.
@Suite("Sources of sections", .timeLimit(.minutes(30))) struct SectionSourcesTests {
  private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  private static func fill(_ realm: Realm, _ names: [String]) throws {
    try realm.write {
      for (id, name) in names.enumerated() { realm.add(Person(id: id, name: name, age: id % 2)) }
    }
  }

  @Test("S-1 sets of objects and of values, inverses, any collections, and projections, are sectioned as lists are")
  func sources() throws {
    let realm = try makeBagRealm()
    let (bag, rex) = (try makeBag(realm), Pet(name: "Rex"))
    try realm.write {
      for (id, name) in ["Ann", "Ben", "Abe"].enumerated() {
        let owner = Owner(id: id, name: name)
        realm.add(owner)
        owner.pets.append(rex)
      }
      bag.pets.insert(objectsIn: [rex, Pet(name: "Max"), Pet(name: "Rolf")])
      bag.ints.insert(objectsIn: [1, 2, 3, 4])
    }
    func texts<Key, Element>(_ sections: SectionedResults<Key, Element>, _ text: (Element) -> String) -> [String] {
      sections.map { "\($0.key): \($0.map(text).joined(separator: ","))" }
    }
    #expect(
      texts(bag.pets.sectioned(by: { $0.name.prefix(1) == "R" }, sortDescriptors: ["name"]), \.name)
        == ["false: Max", "true: Rex,Rolf"])
    #expect(texts(bag.ints.sectioned(by: { $0 % 2 }), { "\($0)" }) == ["1: 1,3", "0: 2,4"])
    #expect(
      texts(rex.owners.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["name"]), \.name)
        == ["A: Abe,Ann", "B: Ben"])
    #expect(texts(AnyRealmCollection(rex.owners).sectioned(by: \.id, ascending: false), \.name).first == "2: Abe")
    let people = try makeRealm(Self.types)
    try Self.fill(people, ["a", "b", "c"])
    let cards = people.objects(NameCard.self)
    #expect(texts(cards.sectioned(by: \.years), \.title) == ["0: a,c", "1: b"])
    #expect(texts(cards.sectioned(by: \.years, sortDescriptors: ["age", "name"]), \.title) == ["0: a,c", "1: b"])
    #expect(texts(cards.sectioned(by: { $0.title == "b" }, sortDescriptors: ["name"]), \.title).last == "true: b")
  }

  @Test("S-5 a computed property may read one property often, and along one path over links") func onePath() throws {
    let realm = try makeRealm(Self.types)
    try Self.fill(realm, ["pear", "apple", "plum"])
    #expect(realm.objects(Person.self).sectioned(by: \.shortName).allKeys == ["a", "p"])
    try realm.write { realm.objects(Person.self)[0].best = realm.objects(Person.self)[1] }
    #expect(realm.objects(Person.self).sectioned(by: \.friendName).allKeys == ["apple", nil])
  }

  @Test("S-5 a computed property that reads nothing stored, and one that reads several") func noPath() async {
    let nothing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sectioned(by: \.kingdom)
    }
    #expect(misuseText(nothing).contains("reads no stored property"))
    let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sectioned(by: \.nameAndAge)
    }
    #expect(misuseText(several).contains("reads several stored properties"))
  }

  @Test("S-10, S-11 dates, data, identifiers, floats and whole numbers are keys, with nil where it is sorted")
  func keys() throws {
    let realm = try makeRealm([Everything.self])
    let (day, id, uuid) = (Date(timeIntervalSince1970: 86_400), ObjectId.generate(), UUID())
    try realm.write {
      for number in 0..<3 {
        let value = Everything()
        (value.date, value.objectId, value.uuid) = (day, id, uuid)
        (value.data, value.float, value.int8) = (Data([1]), 0.5, 3)
        if number > 0 {
          (value.optDate, value.optObjectId, value.optUuid) = (day, id, uuid)
          (value.optData, value.optFloat, value.optInt8) = (Data([UInt8(number)]), Float(number), Int8(number))
        }
        realm.add(value)
      }
    }
    let all = realm.objects(Everything.self)
    #expect(all.sectioned(by: \.date).allKeys == [day] && all.sectioned(by: \.optDate).allKeys == [nil, day])
    #expect(all.sectioned(by: \.objectId).allKeys == [id] && all.sectioned(by: \.optObjectId).allKeys == [nil, id])
    #expect(all.sectioned(by: \.uuid).allKeys == [uuid])
    #expect(all.sectioned(by: \.optUuid, ascending: false).allKeys == [uuid, nil])
    #expect(all.sectioned(by: \.data).allKeys == [Data([1])])
    #expect(all.sectioned(by: \.optData, ascending: false).allKeys == [Data([2]), Data([1]), nil])
    #expect(all.sectioned(by: { $0.data }, sortDescriptors: ["optInt8"]).allKeys == [Data([1])])
    #expect(
      all.sectioned(by: { $0.optData }, sortDescriptors: ["optInt8"]).allKeys == [nil, Data([1]), Data([2])])
    #expect(all.sectioned(by: \.float).allKeys == [0.5] && all.sectioned(by: \.optFloat).allKeys == [nil, 1, 2])
    #expect(all.sectioned(by: \.int8).allKeys == [3] && all.sectioned(by: \.optInt8).allKeys == [nil, 1, 2])
  }

  @Test("S-22 key and subscript of a section that is gone") func goneSection() async {
    let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.goneSection().key
    }
    #expect(misuseText(key).contains("was invalidated"))
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Self.goneSection()[0]
    }
    #expect(misuseText(element).contains("was invalidated"))
    let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm(Self.types)
      try Self.fill(realm, ["a"])
      _ = realm.objects(Person.self).sectioned(by: \.age)[0][1]
    }
    #expect(misuseText(outside).contains("Index 1 is out of bounds (count 1)"))
  }

  private static func goneSection() throws -> ResultsSection<Int, Person> {
    let realm = try makeRealm(types)
    try fill(realm, ["a"])
    let section = realm.objects(Person.self).sectioned(by: \.age)[0]
    try realm.write { realm.deleteAll() }
    return section
  }

  @Test("S-25 a description names at most 100 sections, and at most 100 elements of each") func descriptions() throws {
    let realm = try makeRealm(Self.types)
    try realm.write {
      for id in 0..<103 { realm.add(Person(id: id, name: "single \(id)!", age: id)) }
      for id in 200..<305 { realm.add(Person(id: id, name: "crowd \(id)!", age: 0)) }
    }
    func count(_ part: String, in text: String) -> Int { text.components(separatedBy: part).count - 1 }
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    let text = sections.description
    #expect(count("ResultsSection<", in: text) == 100 && text.contains("3 sections skipped"))
    let first = sections[0].description
    #expect(count("!", in: first) == 100 && first.contains("6 objects skipped"))
    #expect(sections[1].description.contains("single 1!") && count("skipped", in: sections[1].description) == 0)
  }

  @Test("S-30 a frozen source can be sectioned: keys are found once, whatever reads them, and stay") func frozenSource()
    throws
  {
    let realm = try makeRealm(Self.types)
    try Self.fill(realm, ["a", "b", "c"])
    let recorder = Recorder()
    let sections = realm.objects(Person.self).freeze().sectioned(
      by: { (person: Person) -> Int in
        recorder.add("key")
        return person.age
      }, sortDescriptors: ["id"])
    #expect(sections.isFrozen && recorder.all.isEmpty)
    #expect(sections.allKeys == [0, 1] && recorder.all.count == 3)
    try realm.write { realm.deleteAll() }
    #expect(sections[0].map(\.name) == ["a", "c"] && sections.count == 2)
    elsewhere { #expect(sections[1][0].name == "b") }
    #expect(recorder.all.count == 3)
    #expect(sections.thaw()?.count == 0)
  }

  @Test("S-32 a reference to a section that has vanished resolves to nothing") func vanished() throws {
    let realm = try makeRealm(Self.types)
    try Self.fill(realm, ["a", "b"])
    let sections = realm.objects(Person.self).sectioned(by: \.age)
    let (gone, stays) = (ThreadSafeReference(to: sections[1]), ThreadSafeReference(to: sections[0]))
    try realm.write { realm.delete(sections[1][0]) }
    let configuration = realm.configuration
    elsewhere {
      let realm = try? Realm(configuration: configuration)
      // Where the section was removed already.
      #expect(realm?.objects(Person.self).count == 1)
      #expect(realm?.resolve(gone) == nil && realm?.resolve(stays)?.map(\.name) == ["a"])
    }
  }

  // MARK: - Observing

  private func text(_ change: SectionedResultsChange<SectionedResults<String, Person>>) -> String {
    switch change {
    case .initial(let sections): "initial \(sections.allKeys)"
    case .update(let sections, let deletions, let insertions, _, let inserted, let deleted):
      "\(sections.allKeys) -\(deletions.count) +\(insertions.count) s-\(Array(deleted)) s+\(Array(inserted))"
    }
  }

  @Test("S-41 a queue is notified there, with sections of its own, until the observation is ended") func toldOnQueue()
    throws
  {
    let realm = try makeRealm(Self.types)
    try Self.fill(realm, ["ann", "bob"])
    let recorder = Recorder()
    let queue = DispatchQueue(label: "observer")
    let token = realm.objects(Person.self).sectioned(by: \.initial).observe(on: queue) { recorder.add(text($0)) }
    #expect(recorder.wait())
    try realm.write { realm.add(Person(id: 6, name: "abe")) }
    #expect(recorder.wait())
    #expect(recorder.all == ["initial [\"a\", \"b\"]", "[\"a\", \"b\"] -0 +1 s-[] s+[]"])
    token.invalidate()
    try realm.write { realm.add(Person(id: 8, name: "zoe")) }
    queue.sync {}
    #expect(recorder.all.count == 2)
  }

  @Test("S-41, N-7 what others commit between two deliveries is one change of the sections") func coalescing() throws {
    try onQueue(Self.types) { realm in
      try Self.fill(realm, ["ann", "bob"])
      var told: [String] = []
      let token = realm.objects(Person.self).sectioned(by: \.initial).observe { told.append(text($0)) }
      realm.refresh()
      let configuration = realm.configuration
      elsewhere {
        guard let other = try? Realm(configuration: configuration) else { return }
        try? other.write { other.add(Person(id: 5, name: "cid")) }
        try? other.write { other.add(Person(id: 6, name: "abe")) }
        try? other.write { other.delete(other.objects(Person.self).filter("id = 5 OR id = 1")) }
      }
      realm.refresh()
      #expect(told == ["initial [\"a\", \"b\"]", "[\"a\"] -0 +1 s-[1] s+[]"])
      token.invalidate()
    }
  }

  @Test("S-41, N-60 what is frozen, a thread on which nothing delivers, and a write that has changed something")
  func refused() async {
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try makeRealm().objects(Person.self).sectioned(by: \.age).freeze().observe { _ in }
    }
    #expect(misuseText(frozen).contains("Only live, managed things can be observed"))
    let nowhere = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      elsewhere { _ = try? makeRealm().objects(Person.self).sectioned(by: \.age).observe { _ in } }
    }
    #expect(misuseText(nowhere).contains("pass a serial queue with on:"))
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try makeRealm()
      realm.beginWrite()
      realm.add(Person(id: 1))
      _ = realm.objects(Person.self).sectioned(by: \.age)[0].observe(on: DispatchQueue(label: "q")) { _ in }
    }
    #expect(misuseText(writing).contains("before the transaction changes anything"))
  }

  @Test("U-3, S-41 an observer of sections that hears nothing keeps no version of when it was notified last")
  func versions() throws {
    try onQueue(Self.types) { realm in
      try Self.fill(realm, ["ann"])
      var told = 0
      let token = realm.objects(Dog.self).sectioned(by: \.name).observe { _ in told += 1 }
      realm.refresh()
      weak let first = realm.core.snapshot
      #expect(told == 1 && first != nil)
      for id in 10..<13 {
        try realm.write { realm.add(Person(id: id)) }
        realm.refresh()
      }
      #expect(told == 1 && first == nil)
      try realm.write { realm.add(Dog(name: "Rex")) }
      realm.refresh()
      #expect(told == 2)
      token.invalidate()
    }
  }
}
