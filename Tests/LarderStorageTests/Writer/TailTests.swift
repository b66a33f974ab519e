import Foundation
import LarderLMDB
import TestSupport
import Testing

@testable import LarderStorage

/// New rows that are stored together in a record of the catalog (`TailRecord`) must be read like all others.
@Suite struct TailTests {
  private struct People {
    let fixture: TemporaryStore
    let person: ClassDescriptor

    init(clusterSize: Int = StoreLayout.defaultClusterSize) throws {
      fixture = try TemporaryStore(clusterSize: clusterSize)
      try fixture.write { try $0.apply([TailTests.declaration()], schemaVersion: 0) }
      person = try #require(try fixture.snapshot.schema["Person"])
    }

    func column(_ name: String) throws -> ColumnID { try #require(person.column(named: name)).id }

    @discardableResult
    func add(_ numbers: Range<Int64>, name: String = "somebody") throws -> [ObjectKey] {
      try fixture.write { writer in
        try numbers.map { number in
          let key = try writer.create(person.id, primaryKey: number)
          try writer.set(person.id, column("name"), key, .string(name))
          return key
        }
      }
    }

    func tail() throws -> TailRecord? {
      let snapshot = try fixture.snapshot
      return try snapshot.tail(of: person.id, cluster: snapshot.clusterCount(of: person.id) - 1)
    }

    /// Leaves in LMDB.
    func leaves() throws -> Int {
      try fixture.snapshot.transaction.statistics(fixture.store.tables.clusters).entries
    }
  }

  private static func declaration(_ more: [ColumnDeclaration] = []) -> ClassDeclaration {
    ClassDeclaration(
      name: "Person",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "name", type: .string),
        ColumnDeclaration(name: "age", type: .int, isOptional: true, isIndexed: true),
        ColumnDeclaration(name: "score", type: .double),
        ColumnDeclaration(name: "seen", type: .date, isOptional: true),
        ColumnDeclaration(name: "friend", type: .link, target: "Person"),
        ColumnDeclaration(name: "any", type: .mixed, isOptional: true),
        ColumnDeclaration(name: "flag", type: .bool),
        ColumnDeclaration(name: "mark", type: .uuid),
      ] + more)
  }

  @Test("a commit of one new object writes no leaf until the tail is full, then all of them")
  func fills() throws {
    let people = try People()
    try people.add(0..<1)
    #expect(try people.leaves() == 0)
    let space = try StoreStatistics(people.fixture.snapshot).columns[people.person.id] ?? [:]
    #expect(try space[people.column("name")]?.leaves.bytes ?? 0 > 0 && space[.presence]?.leaves.bytes ?? 0 > 0)
    var commits: Int64 = 1
    while try people.leaves() == 0, commits < 200 {
      #expect(try people.tail()?.slots == 0..<Int(commits))
      try people.add(commits..<commits + 1)
      commits += 1
    }
    #expect(commits > 10 && commits < 100)
    #expect(try people.tail() == nil)
    #expect(try people.leaves() == 3)
    try people.add(commits..<commits + 1)
    #expect(try people.tail()?.slots == Int(commits)..<Int(commits) + 1)
    #expect(try StoreVerifier.verify(people.fixture.snapshot).isEmpty)
  }

  @Test("many new objects at once, long values and full clusters go to the leaves")
  func staysAway() throws {
    let people = try People()
    try people.add(0..<100)
    #expect(try people.tail() == nil)
    try people.add(100..<101, name: String(repeating: "x", count: 1_500))
    #expect(try people.tail() == nil)
    try people.add(101..<102)
    #expect(try people.tail()?.slots == 101..<102)
    let small = try People(clusterSize: 8)
    for number in Int64(0)..<7 { try small.add(number..<number + 1) }
    #expect(try small.tail()?.slots == 0..<7)
    try small.add(7..<8)
    #expect(try small.tail() == nil)
    try small.add(8..<9)
    #expect(try small.tail()?.cluster == 1)
    #expect(try StoreVerifier.verify(small.fixture.snapshot).isEmpty)
  }

  @Test("a change or deletion below the tail, and a change of the schema, write it to the leaves")
  func folds() throws {
    let people = try People()
    let old = try people.add(0..<100)
    let name = try people.column("name")
    for (number, fold): (Int64, (StoreWriter) throws -> Void) in [
      (100, { try $0.set(people.person.id, name, old[5], .string("other")) }),
      (101, { try $0.delete(people.person.id, old[6]) }),
      (102, { try $0.apply([Self.declaration([ColumnDeclaration(name: "more", type: .int)])], schemaVersion: 1) }),
      (103, { try $0.apply([ClassDeclaration(name: "Person", columns: [])], schemaVersion: 2) }),
    ] {
      let key = try #require(try people.add(number..<number + 1, name: "new").first)
      #expect(try people.tail() != nil)
      try people.fixture.write(fold)
      let snapshot = try people.fixture.snapshot
      #expect(try people.tail() == nil)
      #expect(try snapshot.contains(people.person.id, key))
      if number < 103 { #expect(try snapshot.value(people.person.id, name, key) == .string("new")) }
      #expect(try StoreVerifier.verify(snapshot).isEmpty)
    }
  }

  @Test("an object that was made and deleted again leaves no hole in a tail")
  func hole() throws {
    let people = try People(clusterSize: 8)
    try people.add(0..<6)
    try people.fixture.write { writer in
      for number in Int64(6)..<8 {
        let key = try writer.create(people.person.id, primaryKey: number)
        if number == 7 { try writer.delete(people.person.id, key) }
      }
    }
    #expect(try people.tail() == nil)
    try people.add(8..<9)
    let snapshot = try people.fixture.snapshot
    #expect(try (0..<9).filter { try snapshot.object(people.person.id, primaryKey: .int($0)) != nil }.count == 8)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("objects that a part of a transaction made and dropped leave the tail readable", arguments: [1, 4, 5, 20])
  func droppedPart(count: Int) throws {
    struct Dropped: Error {}
    let people = try People(clusterSize: 8)
    let keys = try people.add(0..<3, name: "kept")
    #expect(try people.tail()?.slots == 0..<3)
    for round in Int64(1)...2 {
      try people.fixture.write { writer in
        #expect(throws: Dropped.self) {
          try writer.savepoint {
            for number in 0..<count { _ = try writer.create(people.person.id, primaryKey: Int64(100 + number)) }
            throw Dropped()
          }
        }
      }
      try people.add(round * 10..<round * 10 + 1)
      let snapshot = try people.fixture.snapshot
      for key in keys { #expect(try snapshot.value(people.person.id, people.column("name"), key) == .string("kept")) }
      #expect(try snapshot.count(of: people.person.id) == 3 + Int(round))
      #expect(try StoreVerifier.verify(snapshot).isEmpty)
    }
  }

  @Test("L-24: a store made without tails gets none")
  func withoutTheFeature() throws {
    let directory = try TemporaryDirectory("tails")
    let path = directory.file("store.larder")
    do {
      let store = try Store.open(path: path)
      let transaction = try store.environment.beginWrite()
      var identity = store.identity
      #expect(identity.incompatible == FeatureBits.tails)
      identity.incompatible = 0
      try transaction.put(store.tables.catalog, StoreLayout.identityKey, identity.encode())
      try transaction.commit()
    }
    let store = try Store.open(path: path)
    let writer = try store.beginWrite()
    try writer.apply([Self.declaration()], schemaVersion: 0)
    let id = try #require(writer.schema["Person"]).id
    try writer.commit()
    let second = try store.beginWrite()
    let key = try second.create(id, primaryKey: 1)
    try second.commit()
    let snapshot = try store.snapshot()
    #expect(try snapshot.contains(id, key))
    #expect(try snapshot.transaction.get(store.tables.catalog, KeyBytes(StoreLayout.tailKey(id))) == nil)
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("a damaged tail is reported, not read", .notUnder([.littleMemory, .smallClusters], "there is no tail then"))
  func damage() throws {
    let people = try People()
    try people.add(0..<3)
    let key = KeyBytes(StoreLayout.tailKey(people.person.id))
    let catalog = people.fixture.store.tables.catalog
    let sound = try #require(try people.fixture.snapshot.transaction.get(catalog, key)).bytes
    for position in [0, 9, 17, 30, 60, sound.count - 1] {
      var bytes = sound
      bytes[position] ^= 1
      let transaction = try people.fixture.store.environment.beginWrite()
      try transaction.put(catalog, key, bytes)
      try transaction.commit()
      let snapshot = try people.fixture.snapshot
      #expect(throws: StorageError.self) { try snapshot.presence(people.person.id, cluster: 0) }
      #expect(try !StoreVerifier.verify(snapshot).isEmpty)
    }
  }

  @Test("the check finds a tail that does not go on where the leaves end")
  func misplaced() throws {
    let people = try People()
    try people.add(0..<70)
    try people.add(70..<72)
    let key = StoreLayout.tailKey(people.person.id)
    let sound = try #require(try people.tail())
    for (cluster, start) in [(1, 70), (0, 69)] {
      let record = TailRecord.encode(
        cluster: cluster, slots: start..<start + 2, leaves: sound.columns.map { ($0.id, $0.leaf.bytes.bytes) }, key: key
      )
      let transaction = try people.fixture.store.environment.beginWrite()
      try transaction.put(people.fixture.store.tables.catalog, KeyBytes(key), record)
      try transaction.commit()
      #expect(try StoreVerifier.verify(people.fixture.snapshot).contains { $0.location == "Person, newest objects" })
    }
  }

  // MARK: - Against plain values

  private struct Row: Equatable {
    var values: [String: StoredValue]
  }

  @Test("random small commits are read as plain values are", arguments: [8, 64, 992])
  func model(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let people = try People(clusterSize: clusterSize)
    let id = people.person.id
    let store = people.fixture.store
    let (name, any) = (try people.column("name"), try people.column("any"))
    var model: [ObjectKey: [ColumnID: StoredValue]] = [:]
    var next: Int64 = 0
    for round in 0..<250 {
      let before = model
      // As if another process had committed in between.
      if random.oneIn(4) { _ = store.takeCachedWriter(version: try store.snapshot().version) }
      let writer = try store.beginWrite()
      if random.oneIn(10) {
        try? writer.savepoint {
          for number in 0..<random.int(1...12) {
            let key = try writer.create(id, primaryKey: Int64(-1 - number))
            var none = model
            try change(writer, people, key, &none, &random)
          }
          throw CancellationError()
        }
      }
      for _ in 0..<(random.oneIn(25) ? 100 : random.int(1...3)) {
        let newest = model.keys.sorted().suffix(random.oneIn(6) ? .max : 4)
        switch random.int(0..<10) {
        case 0 where !newest.isEmpty:
          let key = random.pick(newest)
          try writer.delete(id, key)
          model[key] = nil
          for (other, row) in model {
            for (column, value) in row where value == .link(key) { model[other]?[column] = .null }
          }
        case 1, 2, 3:
          guard !newest.isEmpty else { continue }
          let key = random.pick(newest)
          try change(writer, people, key, &model, &random)
        default:
          next += Int64(random.int(1...2))
          let key = try writer.create(id, primaryKey: next)
          model[key] = [:]
          for column in people.person.columns where !column.isPrimaryKey { model[key]?[column.id] = .initial(column) }
          for _ in 0..<random.int(0...4) { try change(writer, people, key, &model, &random) }
        }
      }
      if random.oneIn(8) { _ = try writer.index(id, people.column("age")) }
      if random.oneIn(8) {
        writer.cancel()
        model = before
      } else {
        try writer.commit()
      }
      let snapshot = try store.snapshot()
      #expect(try snapshot.count(of: id) == model.count)
      for (key, row) in model where random.oneIn(4) || key.rawValue + 70 > snapshot.nextObjectKey(of: id).rawValue {
        for (column, value) in row { #expect(try snapshot.value(id, column, key) == value, "round \(round)") }
      }
      for column in [name, any] {
        let last = try snapshot.clusterCount(of: id) - 1
        guard last >= 0, let presence = try snapshot.presence(id, cluster: last) else { continue }
        let slots = (presence.bitmap().last ?? -1) + 1
        #expect(try snapshot.leaf(id, column, cluster: last).map { $0.count >= slots } ?? true)
      }
      if round % 10 == 0 {
        let problems = try StoreVerifier.verify(snapshot)
        #expect(problems.isEmpty, "seed \(random.seed), round \(round): \(problems.prefix(5))")
        if !problems.isEmpty { return }
      }
    }
  }

  private func change(
    _ writer: StoreWriter, _ people: People, _ key: ObjectKey, _ model: inout [ObjectKey: [ColumnID: StoredValue]],
    _ random: inout SeededRandom
  ) throws {
    let column = random.pick(people.person.columns.filter { !$0.isPrimaryKey })
    var value = try #require(Self.value(column, &random))
    if column.type == .link {
      value = model.isEmpty || random.oneIn(3) ? .null : .link(random.pick(model.keys.sorted()))
    }
    try writer.set(people.person.id, column.id, key, value)
    model[key]?[column.id] = value
  }

  private static func value(_ column: ColumnDescriptor, _ random: inout SeededRandom) -> StoredValue? {
    if column.isOptional, random.oneIn(4) { return .null }
    switch column.type {
    case .int: return .int(random.anyInt64())
    case .string: return .string(random.string(maxLength: random.oneIn(20) ? 3_000 : 30))
    case .double: return .double(Double(random.int(-1_000...1_000)) / 7)
    case .date: return .date(Timestamp(seconds: Int64(random.int(-5...5)), nanoseconds: UInt32(random.int(0...2))))
    case .mixed: return random.oneIn(2) ? .int(random.anyInt64()) : .string(random.string())
    case .bool: return .bool(random.oneIn(2))
    case .uuid: return .uuid(UUID())
    case .link: return .null
    default: return nil
    }
  }
}
