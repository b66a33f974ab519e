import Dispatch
import Foundation
import Testing

@testable import Larder

/// A pet, and who likes it.
final class PetCard: Projection<Pet> {
  @Projected(\Pet.name) var title
}

/// Covers N-1, N-19 to N-21, N-30, N-40 and N-61 for every kind of thing that can be observed, on a queue's Realm and with a queue of
/// its own.
@Suite("Observing every kind", .timeLimit(.minutes(30))) struct ObservedKindsTests {
  private static let people: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Room.self]

  static func text<C: RealmCollection>(_ change: RealmCollectionChange<C>) -> String {
    switch change {
    case .initial(let all): "initial \(all.count)"
    case .update(let all, let deletions, let insertions, let modifications):
      "\(all.isInvalidated ? 0 : all.count) -\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    }
  }

  static func text<Value>(_ change: RealmMapChange<Map<String, Value>>) -> String {
    switch change {
    case .initial(let map): "initial \(map.count)"
    case .update(let map, let deletions, let insertions, let modifications):
      "\(map.count) -\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    }
  }

  static func text<T>(_ change: ObjectChange<T>) -> String {
    switch change {
    case .change(_, let properties): "\(properties.map(\.name))"
    case .deleted: "deleted"
    case .error(let error): "\(error)"
    }
  }

  static func text<C>(_ change: SectionedResultsChange<C>) -> String {
    switch change {
    case .initial: "initial"
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      "-\(deletions.count) +\(insertions.count) ~\(modifications.count) s-\(Array(deleted)) s+\(Array(inserted))"
    }
  }

  // MARK: - On the Realm's own place

  @Test("N-40, N-20 an embedded object: its own properties, and its end with its owner or by being replaced")
  func embedded() throws {
    try onQueue(Self.people) { realm in
      let (first, second) = (Person(id: 1), Person(id: 2))
      try realm.write {
        realm.add([first, second])
        for person in [first, second] {
          person.address = Address()
          person.address?.rooms.append(Room(size: 1))
        }
      }
      var told: [String] = []
      let tokens = try [first, second].map { person in
        try #require(person.address).observe { (change: ObjectChange<Address>) in told.append(Self.text(change)) }
      }
      let room = try #require(first.address?.rooms[0]).observe { (change: ObjectChange<Room>) in
        told.append("room \(Self.text(change))")
      }
      realm.refresh()
      #expect(told == [])
      try realm.write { first.address?.city = "Ulm" }
      // Shallow: not what is inside of its rooms.
      try realm.write { first.address?.rooms[0].size = 2 }
      try realm.write { first.address?.rooms.append(Room(size: 3)) }
      try realm.write { first.age = 4 }
      try realm.write {}
      #expect(told == ["[\"city\"]", "room [\"size\"]", "[\"rooms\"]"])
      told = []
      try realm.write { first.address = Address() }
      try realm.write { realm.delete(second) }
      try realm.write {}
      #expect(told == ["deleted", "room deleted", "deleted"])
      (tokens + [room]).forEach { $0.invalidate() }
    }
  }

  @Test("N-30 key paths of Swift for every kind of collection, and for sections") func keyPathsOfSwift() throws {
    try onQueue(bagTypes) { realm in
      let (ann, rex, bag) = (Owner(id: 1, name: "Ann"), Pet(name: "Rex"), Bag(id: 1))
      try realm.write {
        realm.add(ann)
        realm.add(bag)
        ann.pets.append(rex)
        bag.pets.insert(rex)
        bag.petsByName["x"] = rex
      }
      var told: [String] = []
      let sections = realm.objects(Pet.self).sectioned(by: \.name)
      let tokens = [
        realm.objects(Pet.self).observe(keyPaths: [\Pet.weight]) { told.append("results " + Self.text($0)) },
        ann.pets.observe(keyPaths: [\Pet.weight]) { told.append("list " + Self.text($0)) },
        bag.pets.observe(keyPaths: [\Pet.weight]) { told.append("set " + Self.text($0)) },
        bag.petsByName.observe(keyPaths: ["weight"]) { told.append("map " + Self.text($0)) },
        rex.owners.observe(keyPaths: [\Owner.age]) { told.append("inverse " + Self.text($0)) },
        AnyRealmCollection(ann.pets).observe(keyPaths: [\Pet.weight]) { told.append("any " + Self.text($0)) },
        sections.observe(keyPaths: [\Pet.weight]) { told.append("sections " + Self.text($0)) },
        sections[0].observe(keyPaths: [\Pet.weight]) { told.append("section " + Self.text($0)) },
      ]
      realm.refresh()
      #expect(told.count == 8)
      told = []
      try realm.write { realm.add(Bag(id: 8)) }
      try realm.write { ann.name = "Anna" }
      try realm.write { bag.strings.insert("x") }
      try realm.write {}
      #expect(told == [])
      try realm.write {
        rex.weight = 3
        ann.age = 9
      }
      try realm.write {}
      let changed = "1 -[] +[] ~[0]"
      #expect(
        told == [
          "results " + changed, "list " + changed, "set " + changed, "map 1 -[] +[] ~[\"x\"]", "inverse " + changed,
          "any " + changed, "sections -0 +0 ~1 s-[] s+[]", "section -0 +0 ~1 s-[] s+[]",
        ])
      tokens.forEach { $0.invalidate() }
    }
  }

  // MARK: - With a queue

  @Test("N-61 a queue hears of sets, maps, inverses, any collections, projections, sections and embedded objects")
  func onAnotherQueue() throws {
    let realm = try makeBagRealm()
    let (ann, rex, bag) = (Owner(id: 1, name: "Ann"), Pet(name: "Rex"), Bag(id: 1))
    try realm.write {
      realm.add(ann)
      realm.add(bag)
      ann.pets.append(rex)
      bag.ints.insert(1)
      bag.rooms["a"] = Shelf(size: 1)
    }
    let queue = DispatchQueue(label: "observer")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let names = ["set", "map", "inverse", "any", "sections", "section", "projection", "embedded"]
    let recorders = Dictionary(uniqueKeysWithValues: names.map { ($0, Recorder()) })
    @Sendable func tell(_ name: String, _ text: String) {
      recorders[name]?.add(DispatchQueue.getSpecific(key: key) == true ? text : "elsewhere")
    }
    let sections = realm.objects(Pet.self).sectioned(by: \.name)
    let shelf = try #require(bag.rooms["a"] ?? nil)
    let tokens = [
      bag.ints.observe(on: queue) { tell("set", Self.text($0)) },
      bag.counts.observe(on: queue) { tell("map", Self.text($0)) },
      rex.owners.observe(on: queue) { tell("inverse", Self.text($0)) },
      AnyRealmCollection(ann.pets).observe(on: queue) { tell("any", Self.text($0)) },
      sections.observe(on: queue) { tell("sections", Self.text($0)) },
      sections[0].observe(on: queue) { tell("section", Self.text($0)) },
      PetCard(projecting: rex).observe(on: queue) { tell("projection", Self.text($0)) },
      shelf.observe(on: queue) { (change: ObjectChange<Shelf>) in tell("embedded", Self.text(change)) },
    ]
    for name in names.prefix(6) { #expect(recorders[name]?.wait() == true, "\(name)") }
    queue.sync {}
    try realm.write {
      bag.ints.insert(0)
      bag.counts["x"] = 1
      rex.name = "Rolf"
      shelf.size = 2
    }
    for name in names { #expect(recorders[name]?.wait() == true, "\(name)") }
    let told = recorders.mapValues(\.all)
    #expect(told["set"] == ["initial 1", "2 -[] +[0] ~[]"])
    #expect(told["map"] == ["initial 0", "1 -[] +[\"x\"] ~[]"])
    #expect(told["inverse"] == ["initial 1", "1 -[] +[] ~[0]"])
    #expect(told["any"] == ["initial 1", "1 -[] +[] ~[0]"])
    #expect(told["sections"] == ["initial", "-0 +1 ~0 s-[0] s+[0]"])
    #expect(told["section"] == ["initial", "-0 +0 ~0 s-[0] s+[]"])
    #expect(told["projection"] == ["[\"title\"]"])
    #expect(told["embedded"] == ["[\"size\"]"])
    tokens.forEach { $0.invalidate() }
  }

  // MARK: - With an actor

  @Test("N-62 an actor hears of sets, maps, inverses, projections and embedded objects, each as its own")
  func onActor() async throws {
    let keeper = BagKeeper()
    let recorder = Recorder()
    try await keeper.begin(temporaryConfiguration(bagTypes), recorder)
    for _ in 0..<10_000 where recorder.all.count < 3 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(recorder.all.sorted() == ["inverse initial 1", "map initial 0", "set initial 1"])
    try await keeper.change()
    for _ in 0..<10_000 where recorder.all.count < 8 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(
      recorder.all.dropFirst(3).sorted() == [
        "embedded [\"size\"]", "inverse 1 -[] +[] ~[0]", "map 1 -[] +[\"x\"] ~[]", "projection [\"title\"]",
        "set 2 -[] +[0] ~[]",
      ])
    await keeper.end()
  }
}

/// An actor that observes what its own Realm holds.
private actor BagKeeper {
  private var opened: Realm?
  private var tokens: [NotificationToken] = []

  init() {}

  func begin(_ configuration: Realm.Configuration, _ recorder: Recorder) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    opened = realm
    let (ann, rex, bag) = (Owner(id: 1, name: "Ann"), Pet(name: "Rex"), Bag(id: 1))
    try await realm.asyncWrite {
      realm.add(ann)
      realm.add(bag)
      ann.pets.append(rex)
      bag.ints.insert(1)
      bag.rooms["a"] = Shelf(size: 1)
    }
    let shelf = try #require(bag.rooms["a"] ?? nil)
    tokens = [
      await bag.ints.observe(on: self) { keeper, change in keeper.tell(recorder, "set", change) },
      await bag.counts.observe(on: self) { _, change in recorder.add("map " + ObservedKindsTests.text(change)) },
      await rex.owners.observe(on: self) { keeper, change in keeper.tell(recorder, "inverse", change) },
      await PetCard(projecting: rex).observe(on: self) { _, change in
        recorder.add("projection " + ObservedKindsTests.text(change))
      },
      await shelf.observe(on: self) { (_, change: ObjectChange<Shelf>) in
        recorder.add("embedded " + ObservedKindsTests.text(change))
      },
    ]
  }

  /// On the actor, with a collection that may be read there.
  private func tell<C: RealmCollection>(_ recorder: Recorder, _ name: String, _ change: RealmCollectionChange<C>) {
    recorder.add("\(name) \(ObservedKindsTests.text(change))")
  }

  func change() async throws {
    guard let realm = opened else { return }
    try await realm.asyncWrite {
      let bag = realm.objects(Bag.self)[0]
      bag.ints.insert(0)
      bag.counts["x"] = 1
      realm.objects(Pet.self)[0].name = "Rolf"
      bag.rooms["a"]??.size = 2
    }
  }

  func end() { (opened, tokens) = (nil, []) }
}
