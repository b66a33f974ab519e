import Dispatch
import LarderLocks
import LarderObservation
import LarderQuery
import LarderStorage
import Testing

@testable import Larder

/// Covers N-1, N-10, N-19 to N-22, U-3 and U-18 for sequences of changes of every kind.
@Suite("Sequences of changes", .timeLimit(.minutes(30))) struct ChangeSequenceTests {
  /// A store that is written on a queue.
  private final class Fixture: @unchecked Sendable {
    // Unchecked: the Realm is used on its queue.
    private let queue = DispatchQueue(label: "writer")
    private let realm: Realm

    init(_ types: [ObjectBase.Type]) throws {
      let configuration = temporaryConfiguration(types)
      realm = try queue.sync { [queue] in try Realm(configuration: configuration, queue: queue) }
    }

    func here<R>(_ body: (Realm) throws -> R) rethrows -> R {
      try queue.sync { UncheckedBox(try body(realm)) }.value
    }

    func write(_ body: (Realm) throws -> Void) throws { try queue.sync { try realm.write { try body(realm) } } }
  }

  private func text<C: RealmCollection>(
    _ change: RealmCollectionChange<C>?, _ element: (C.Element) -> String
  ) -> String {
    switch change {
    case .initial(let all): "\(all.map(element)) \(all.isFrozen)"
    case .update(let all, let deletions, let insertions, let modifications):
      "\(all.isInvalidated ? [] : all.map(element)) -\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    case nil: "end"
    }
  }

  private func text<Value>(_ change: RealmMapChange<Map<String, Value>>?) -> String {
    switch change {
    case .initial(let map): "\(map.keys.sorted()) \(map.isFrozen)"
    case .update(let map, let deletions, let insertions, let modifications):
      "\(map.isInvalidated ? [] : map.keys.sorted()) -\(deletions) +\(insertions) ~\(modifications)"
    case .error(let error): "\(error)"
    case nil: "end"
    }
  }

  @Test("N-22 a list within a value: its own elements, in every order, until it is replaced")
  func nestedList() async throws {
    let fixture = try Fixture(AnyRealmValueTests.types)
    let bag = UncheckedBox(MixedBag())
    try fixture.write { realm in
      bag.value.value = .fromArray([.int(3), .fromArray([.int(1)])])
      realm.add(bag.value)
    }
    let sequences = try fixture.here { _ in
      let list = try #require(bag.value.value.listValue)
      return UncheckedBox((list.changes, list.sorted().changes, try #require(list[1].listValue).changes))
    }.value
    var list = sequences.0.makeAsyncIterator()
    var sorted = sequences.1.makeAsyncIterator()
    var inner = sequences.2.makeAsyncIterator()
    func number(_ value: AnyRealmValue) -> String { value.intValue.map { "\($0)" } ?? "list" }
    #expect(text(await list.next(), number) == "[\"3\", \"list\"] true")
    _ = await sorted.next()
    #expect(text(await inner.next(), number) == "[\"1\"] true")
    try fixture.write { _ in
      bag.value.value.listValue?.insert(.int(2), at: 0)
      bag.value.value.listValue?[2].listValue?.append(.int(5))
    }
    #expect(text(await list.next(), number) == "[\"2\", \"3\", \"list\"] -[] +[0] ~[1]")
    #expect(text(await inner.next(), number) == "[\"1\", \"5\"] -[] +[1] ~[]")
    if case .update(let values, _, _, _)? = await sorted.next() {
      #expect(values.prefix(2).map(number) == ["2", "3"])
    } else {
      Issue.record("no update of the sorted values")
    }
    try fixture.write { _ in bag.value.value = .int(7) }
    #expect(text(await list.next(), number) == "[] -[0, 1, 2] +[] ~[]")
    #expect(text(await inner.next(), number) == "[] -[0, 1] +[] ~[]")
  }

  @Test("N-22, N-21 a dictionary within a value tells its keys")
  func nestedMap() async throws {
    let fixture = try Fixture(AnyRealmValueTests.types)
    let bag = UncheckedBox(MixedBag())
    try fixture.write { realm in
      bag.value.value = .fromDictionary(["b": .int(1), "d": .fromDictionary(["x": .int(2)])])
      realm.add(bag.value)
    }
    let sequences = try fixture.here { _ in
      let map = try #require(bag.value.value.dictionaryValue)
      return UncheckedBox((map.changes, try #require(map["d"]?.dictionaryValue).changes))
    }.value
    var map = sequences.0.makeAsyncIterator()
    var inner = sequences.1.makeAsyncIterator()
    #expect(text(await map.next()) == "[\"b\", \"d\"] true")
    #expect(text(await inner.next()) == "[\"x\"] true")
    try fixture.write { _ in
      bag.value.value.dictionaryValue?["a"] = .int(0)
      bag.value.value.dictionaryValue?["b"] = nil
      bag.value.value.dictionaryValue?["d"]?.dictionaryValue?["y"] = .int(3)
    }
    #expect(text(await map.next()) == "[\"a\", \"d\"] -[\"b\"] +[\"a\"] ~[\"d\"]")
    #expect(text(await inner.next()) == "[\"x\", \"y\"] -[] +[\"y\"] ~[]")
  }

  @Test("N-1, N-19, N-20 lists, sets and maps: what was done to them, until their owner goes")
  func kinds() async throws {
    let fixture = try Fixture(bagTypes)
    let bag = UncheckedBox(Bag(id: 1))
    try fixture.write { realm in
      realm.add(bag.value)
      bag.value.ints.insert(objectsIn: [5, 1])
      bag.value.pets.insert(Pet(name: "Rex"))
      bag.value.counts["x"] = 1
      let ann = Owner(id: 1, name: "Ann")
      realm.add(ann)
      ann.pets.append(objectsIn: [bag.value.pets[0], Pet(name: "Max")])
    }
    let sequences = fixture.here { realm in
      let ann = realm.objects(Owner.self)[0]
      return UncheckedBox(
        (
          bag.value.ints.changes, bag.value.pets.changes, bag.value.counts.changes, ann.pets.changes,
          ann.pets[0].owners.changes, AnyRealmCollection(ann.pets).changes
        ))
    }.value
    var ints = sequences.0.makeAsyncIterator()
    var pets = sequences.1.makeAsyncIterator()
    var counts = sequences.2.makeAsyncIterator()
    var list = sequences.3.makeAsyncIterator()
    var owners = sequences.4.makeAsyncIterator()
    var erased = sequences.5.makeAsyncIterator()
    #expect(text(await ints.next()) { "\($0)" } == "[\"1\", \"5\"] true")
    #expect(text(await pets.next(), \.name) == "[\"Rex\"] true")
    #expect(text(await counts.next()) == "[\"x\"] true")
    #expect(text(await list.next(), \.name) == "[\"Rex\", \"Max\"] true")
    #expect(text(await owners.next(), \.name) == "[\"Ann\"] true")
    #expect(text(await erased.next(), \.name) == "[\"Rex\", \"Max\"] true")
    try fixture.write { realm in
      bag.value.ints.insert(3)
      bag.value.counts["x"] = 2
      bag.value.counts["y"] = 3
      let ann = realm.objects(Owner.self)[0]
      ann.pets[0].name = "Bello"
      ann.pets.remove(at: 1)
    }
    #expect(text(await ints.next()) { "\($0)" } == "[\"1\", \"3\", \"5\"] -[] +[1] ~[]")
    #expect(text(await pets.next(), \.name) == "[\"Bello\"] -[] +[] ~[0]")
    #expect(text(await counts.next()) == "[\"x\", \"y\"] -[] +[\"y\"] ~[\"x\"]")
    #expect(text(await list.next(), \.name) == "[\"Bello\"] -[1] +[] ~[0]")
    #expect(text(await owners.next(), \.name) == "[\"Ann\"] -[] +[] ~[0]")
    #expect(text(await erased.next(), \.name) == "[\"Bello\"] -[1] +[] ~[0]")
    try fixture.write { realm in realm.delete(realm.objects(Owner.self)) }
    #expect(text(await list.next(), \.name) == "[] -[0] +[] ~[]")
    #expect(text(await owners.next(), \.name) == "[] -[0] +[] ~[]")
    try fixture.write { realm in realm.delete(bag.value) }
    #expect(text(await ints.next()) { "\($0)" } == "[] -[0, 1, 2] +[] ~[]")
    #expect(text(await counts.next()) == "[] -[\"x\", \"y\"] +[] ~[]")
  }

  // MARK: - Versions in use

  @Test("U-3, U-18 a loop keeps neither the Realm it was made with nor the version that one stood at")
  func versions() async throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
    weak var first: Snapshot?
    weak var source: RealmCore?
    func make() throws -> UncheckedBox<ChangeSequence<RealmCollectionChange<Results<Person>>>> {
      let realm = try Realm(configuration: configuration)
      source = realm.core
      first = realm.core.currentSnapshot()
      return UncheckedBox(realm.objects(Person.self).filter("age >= 0").changes)
    }
    func add(_ id: Int) throws {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Person(id: id)) }
    }
    let changes = try make().value
    var iterator = changes.makeAsyncIterator()
    #expect(source == nil)
    #expect(text(await iterator.next()) { "\($0.id)" } == "[] true")
    try add(1)
    #expect(text(await iterator.next()) { "\($0.id)" } == "[\"1\"] -[] +[0] ~[]")
    #expect(first == nil)
    withExtendedLifetime((changes, folder)) {}
  }

  @Test(
    "U-3, N-40 an object's loop is notified of what happened since the sequence was made, and lets go of that version")
  func objectVersions() async throws {
    let folder = try TemporaryFolder()
    let configuration = folder.configuration([Person.self, Dog.self, Address.self, Room.self])
    weak var first: Snapshot?
    func make() throws -> UncheckedBox<ChangeSequence<ObjectChange<Object>>> {
      let realm = try Realm(configuration: configuration)
      let person = Person(id: 1)
      try realm.write { realm.add(person) }
      first = realm.core.currentSnapshot()
      return UncheckedBox(person.changes)
    }
    func set(_ age: Int) throws {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(Person.self)[0].age = age }
    }
    func names(_ change: ObjectChange<Object>?) -> [String] {
      if case .change(_, let properties)? = change { properties.map(\.name) } else { [] }
    }
    let changes = try make().value
    try set(1)
    #expect(first != nil)
    var iterator = changes.makeAsyncIterator()
    #expect(names(await iterator.next()) == ["age"])
    #expect(first == nil)
    // A second loop begins where it starts.
    var later = changes.makeAsyncIterator()
    try set(2)
    #expect(names(await later.next()) == ["age"])
    #expect(names(await iterator.next()) == ["age"])
    withExtendedLifetime((changes, folder)) {}
  }

  // MARK: - Failing

  /// All people, as long as nothing changes.
  private struct FailingQuery: ObservedQuery {
    let classID: ClassID
    let hasRun = HasRun()

    final class HasRun: Sendable {
      let flag = Lock(false)
    }

    var order: ObservedOrder { .byKey }
    var dependencies: [DependencyPath]? { nil }
    var classes: Set<ClassID> { [classID] }

    func evaluate(_ reader: any StoreReader) throws -> [ObjectKey] {
      let isFirst = hasRun.flag.withLock { hasRun in
        defer { hasRun = true }
        return !hasRun
      }
      if !isFirst { throw StorageError(.corrupted, "damaged leaf") }
      return []
    }

    func matches(_ key: ObjectKey, in reader: any StoreReader) throws -> Bool { true }
    func precedes(_ lhs: ObjectKey, _ rhs: ObjectKey, in reader: any StoreReader) throws -> Bool { lhs < rhs }
  }

  @Test("E-126, U-18 when changes cannot be computed any more the loop ends") func failing() async throws {
    let fixture = try Fixture([Person.self, Dog.self, Address.self, Room.self])
    let changes = fixture.here { realm in
      let query = FailingQuery(classID: realm.core.cursor(for: Person.self).classID)
      return UncheckedBox(
        ChangeSequence(realm.core, .query(query, scope: .standard)) { event, _ in
          CollectionObservation.change(event, "people")
        })
    }.value
    var iterator = changes.makeAsyncIterator()
    guard case .initial? = await iterator.next() else { throw CancellationError() }
    try fixture.write { realm in realm.add(Person(id: 1)) }
    let hasEnded = await iterator.next() == nil
    #expect(hasEnded && !Task.isCancelled)
  }
}
