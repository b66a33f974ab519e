import Foundation
import TestSupport
import Testing

@testable import LarderStorage

@Suite struct CompositeIndexTests {
  private static func declaration(_ indexes: [IndexDeclaration]) -> ClassDeclaration {
    ClassDeclaration(
      name: "Person",
      columns: [
        ColumnDeclaration(name: "name", type: .string, isOptional: true), ColumnDeclaration(name: "age", type: .int),
        ColumnDeclaration(name: "height", type: .double),
        ColumnDeclaration(name: "born", type: .date, isOptional: true),
        ColumnDeclaration(name: "tags", type: .string, collection: .list),
      ], indexes: indexes)
  }

  private struct Fixture {
    private let temporary: TemporaryStore
    var store: Store { temporary.store }
    let person: ClassID

    init(_ indexes: [IndexDeclaration]) throws {
      temporary = try TemporaryStore(clusterSize: 8)
      person = try temporary.write { writer in
        try writer.apply([declaration(indexes)], schemaVersion: 1)
        return try #require(writer.schema["Person"]).id
      }
    }

    func column(_ name: String) throws -> ColumnID {
      try #require(try store.snapshot().schema["Person"]?.column(named: name)).id
    }

    @discardableResult
    func write<R>(_ body: (StoreWriter) throws -> R) throws -> R { try temporary.write(body) }

    func add(_ writer: StoreWriter, _ name: String?, _ age: Int64) throws -> ObjectKey {
      let key = try writer.create(person)
      try set(writer, key, name, age)
      return key
    }

    func set(_ writer: StoreWriter, _ key: ObjectKey, _ name: String?, _ age: Int64) throws {
      try writer.set(person, try column("name"), key, name.map { .string($0) } ?? .null)
      try writer.set(person, try column("age"), key, .int(age))
    }

    func index(_ reader: any StoreReader, _ properties: [String]) throws -> CompositeIndexView {
      let descriptor = try #require(reader.schema["Person"]?.index(over: properties))
      return try #require(try reader.index(person, composite: descriptor.id))
    }
  }

  @Test("U-14: an index over several properties finds values of all or the first of them, ranges, and the order")
  func findsTuplesPrefixesAndRanges() throws {
    let fixture = try Fixture([IndexDeclaration(["name", "age"])])
    let rows: [(String?, Int64)] = [("b", 1), ("a", 5), ("a", -3), (nil, 7), ("a\0", 2), ("a", 5), ("ab", 0)]
    let keys = try fixture.write { writer in try rows.map { try fixture.add(writer, $0.0, $0.1) } }
    let index = try fixture.index(try fixture.store.snapshot(), ["name", "age"])
    func found(_ values: StoredValue...) throws -> [Int] {
      try index.keys(equalTo: values).map { keys.firstIndex(of: $0)! }
    }
    #expect(try found(.string("a"), .int(5)) == [1, 5])
    #expect(try found(.string("a")) == [2, 1, 5])
    #expect(try found(.null) == [3])
    #expect(try found(.string("a\0")) == [4])
    #expect(try found(.string("none"), .int(1)).isEmpty)
    #expect(try index.count(equalTo: [.string("a")]) == 3)
    func range(_ lower: IndexBound, _ upper: IndexBound) throws -> [Int] {
      try index.keys(equalTo: [.string("a")], from: lower, to: upper).map { keys.firstIndex(of: $0)! }
    }
    #expect(try range(.exclusive(.int(-3)), .unbounded) == [1, 5])
    #expect(try range(.inclusive(.int(-3)), .exclusive(.int(5))) == [2])
    #expect(try range(.unbounded, .inclusive(.int(5))) == [2, 1, 5])
    #expect(try range(.exclusive(.int(5)), .unbounded).isEmpty)
    var order: [Int] = []
    try index.forEach(descending: false) { key in
      order.append(keys.firstIndex(of: key)!)
      return true
    }
    #expect(order == [3, 2, 1, 5, 4, 6, 0])
    #expect(throws: StorageError.self) { try index.keys(equalTo: [.int(1)]) }
    #expect(try StoreVerifier.verify(try fixture.store.snapshot()).isEmpty)
  }

  @Test("U-13: a transaction that leaves two objects with equal unique values is refused and changes nothing")
  func uniqueValuesAreEnforcedAtTheCommit() throws {
    let fixture = try Fixture([IndexDeclaration(["name", "age"], isUnique: true)])
    let first = try fixture.write { try fixture.add($0, "a", 1) }
    let version = try fixture.store.snapshot().version
    do {
      try fixture.write { _ = try fixture.add($0, "a", 1) }
      Issue.record("a duplicate was committed")
    } catch let error as StorageError {
      #expect(error.code == .duplicateValue)
      for part in ["Person", "name = 'a'", "age = 1"] { #expect(error.message.contains(part), "\(error.message)") }
    }
    #expect(try fixture.store.snapshot().version == version)
    // Between begin and commit values may be equal for a while.
    try fixture.write { writer in
      let second = try fixture.add(writer, "a", 1)
      _ = try fixture.index(writer, ["name", "age"]).keys(equalTo: [.string("a")])
      try fixture.set(writer, first, "b", 1)
      _ = try fixture.add(writer, nil, 1)
      _ = try fixture.add(writer, nil, 1)
      _ = second
    }
    try fixture.write { writer in
      try writer.delete(fixture.person, first)
      _ = try fixture.add(writer, "b", 1)
    }
    #expect(try StoreVerifier.verify(try fixture.store.snapshot()).isEmpty)
  }

  @Test("U-13: an object can be checked when it is made, against stored objects and those made before it")
  func uniqueValuesAreCheckedWhenAsked() throws {
    let fixture = try Fixture([IndexDeclaration(["name"], isUnique: true)])
    let stored = try fixture.write { try fixture.add($0, "stored", 1) }
    try fixture.write { writer in
      let one = try fixture.add(writer, "one", 1)
      try writer.checkUnique(fixture.person, one)
      try writer.checkUnique(fixture.person, one)
      let other = try fixture.add(writer, "one", 2)
      #expect(throws: StorageError.self) { try writer.checkUnique(fixture.person, other) }
      try fixture.set(writer, other, "stored", 2)
      #expect(throws: StorageError.self) { try writer.checkUnique(fixture.person, other) }
      try fixture.set(writer, stored, "moved", 2)
      try writer.checkUnique(fixture.person, other)
      try fixture.set(writer, one, nil, 2)
      try writer.checkUnique(fixture.person, one)
    }
    #expect(try StoreVerifier.verify(try fixture.store.snapshot()).isEmpty)
  }

  @Test("U-13: an index added to a store is built; a unique one is refused where values are equal")
  func indexesAreAddedToStores() throws {
    let fixture = try Fixture([])
    try fixture.write { writer in
      for number in 0..<2_000 { _ = try fixture.add(writer, "n\(number % 500)", Int64(number / 500)) }
    }
    let apply = { (indexes: [IndexDeclaration], writer: StoreWriter) in
      try writer.apply([Self.declaration(indexes)], schemaVersion: 1)
    }
    #expect(throws: StorageError.self) {
      try fixture.write { try apply([IndexDeclaration(["name"], isUnique: true)], $0) }
    }
    #expect(try fixture.store.snapshot().schema["Person"]?.indexes.isEmpty == true)
    let declared = [IndexDeclaration(["name", "age"], isUnique: true), IndexDeclaration(["age"])]
    try fixture.write { try apply(declared, $0) }
    var snapshot = try fixture.store.snapshot()
    #expect(try fixture.index(snapshot, ["name", "age"]).keys(equalTo: [.string("n77"), .int(3)]).count == 1)
    #expect(try fixture.index(snapshot, ["age"]).count(equalTo: [.int(2)]) == 500)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
    #expect(SchemaDifference.changes(from: snapshot.schema, to: [Self.declaration(declared)]).isEmpty)
    try fixture.write { try apply([IndexDeclaration(["age"])], $0) }
    snapshot = try fixture.store.snapshot()
    #expect(snapshot.schema["Person"]?.indexes.count == 1)
    #expect(try fixture.index(snapshot, ["age"]).count(equalTo: [.int(2)]) == 500)
    try fixture.write { try apply([], $0) }
    #expect(try StoreVerifier.verify(try fixture.store.snapshot()).isEmpty)
    for bad in [["tags"], ["nothing"], ["age", "age"], []] {
      #expect(throws: StorageError.self) { try fixture.write { try apply([IndexDeclaration(bad)], $0) } }
    }
  }

  @Test("an index that stops being unique in the transaction that made it so may hold equal values")
  func uniquenessIsTakenBack() throws {
    let fixture = try Fixture([])
    try fixture.write { writer in for _ in 0..<2 { _ = try fixture.add(writer, "same", 1) } }
    try fixture.write { writer in
      for isUnique in [true, false] {
        let index = IndexDeclaration(["name", "age"], isUnique: isUnique)
        try writer.apply([Self.declaration([index])], schemaVersion: 1)
      }
    }
    let snapshot = try fixture.store.snapshot()
    #expect(try fixture.index(snapshot, ["name", "age"]).count(equalTo: [.string("same"), .int(1)]) == 2)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("strings of 10,000 characters are indexed, alone and with others, and the right rows are found")
  func longStringsAreIndexed() throws {
    let fixture = try Fixture([IndexDeclaration(["name", "age"], isUnique: true)])
    let head = String(repeating: "long é", count: 2_000)
    let keys = try fixture.write { writer in
      try (0..<60).map { try fixture.add(writer, head + "\($0 % 20)", Int64($0 / 20)) }
    }
    let snapshot = try fixture.store.snapshot()
    let index = try fixture.index(snapshot, ["name", "age"])
    for number in 0..<60 {
      let values: [StoredValue] = [.string(head + "\(number % 20)"), .int(Int64(number / 20))]
      #expect(try index.keys(equalTo: values) == [keys[number]])
    }
    #expect(try index.keys(equalTo: [.string(head + "7")]) == [keys[7], keys[27], keys[47]])
    #expect(throws: StorageError.self) { try fixture.write { _ = try fixture.add($0, head + "7", 1) } }
    #expect(try StoreVerifier.verify(snapshot).isEmpty)

    let city = try StoreFixture()
    let (cityClass, name) = try city.ids(city.store.snapshot(), "City", "name")
    let cities = try city.write { writer in
      try (0..<30).map { number in
        let key = try writer.create(cityClass, primaryKey: .int(Int64(number)))
        try writer.set(cityClass, name, key, .string(head + "\(number % 3)"))
        return key
      }
    }
    let single = try #require(try city.store.snapshot().index(cityClass, name))
    #expect(try single.keys(equalTo: .string(head + "1")) == stride(from: 1, to: 30, by: 3).map { cities[$0] })
    #expect(try single.keys(equalTo: .string(head)).isEmpty)
    #expect(try StoreVerifier.verify(try city.store.snapshot()).isEmpty)
  }

  @Test("random changes leave an index over several properties equal to a search through all objects")
  func randomChangesAgreeWithASearch() throws {
    var random = SeededRandom.forTest()
    let fixture = try Fixture([
      IndexDeclaration(["height", "name", "born"]), IndexDeclaration(["age", "name"], isUnique: true),
    ])
    let columns = try ["name", "age", "height", "born"].map { try fixture.column($0) }
    var model: [ObjectKey: [StoredValue]] = [:]
    for _ in 0..<25 {
      let before = model
      let writer = try fixture.store.beginWrite()
      for _ in 0..<random.int(1...20) {
        if random.oneIn(4), let key = model.keys.sorted().randomElement(using: &random) {
          try writer.delete(fixture.person, key)
          model[key] = nil
          continue
        }
        let existing = random.oneIn(2) ? model.keys.sorted().randomElement(using: &random) : nil
        let key = try existing ?? writer.create(fixture.person)
        let values: [StoredValue] = [
          random.oneIn(5) ? .null : .string(random.string(maxLength: 1)), .int(Int64(random.int(0..<40))),
          .double(random.pick([0.0, -1.5, .infinity, -0.0])),
          random.oneIn(3) ? .null : .date(Timestamp(seconds: Int64(random.int(-1...1)))),
        ]
        for (column, value) in zip(columns, values) { try writer.set(fixture.person, column, key, value) }
        model[key] = values
        if random.oneIn(5) { _ = try fixture.index(writer, ["age", "name"]).entryCount() }
      }
      let pairs = model.values.filter { !$0[0].isNull }.map { [$0[0], $0[1]] }
      if Set(pairs).count < pairs.count {
        #expect(throws: StorageError.self, "seed \(random.seed)") { try writer.commit() }
        model = before
      } else {
        try writer.commit()
      }
      let snapshot = try fixture.store.snapshot()
      let index = try fixture.index(snapshot, ["height", "name", "born"])
      #expect(try index.entryCount() == model.count)
      for values in model.values {
        let expected = model.filter { StoredOrder.compare($0.value[2], values[2]) == 0 && $0.value[0] == values[0] }
        let found = try index.keys(equalTo: [values[2], values[0]])
        #expect(Set(found) == Set(expected.keys) && found.count == expected.count, "seed \(random.seed)")
      }
      let problems = try StoreVerifier.verify(snapshot)
      #expect(problems.isEmpty, "seed \(random.seed): \(problems)")
    }
  }
}
