import TestSupport
import Testing

@testable import LarderStorage

/// Tests that what a transaction leaves decoded for the next one never shows another version than the one it began at.
@Suite struct WriterCacheTests {
  private struct People {
    let fixture: TemporaryStore
    let person: ClassID
    let id: ColumnID
    let name: ColumnID

    init() throws {
      fixture = try TemporaryStore(clusterSize: 8)
      try fixture.write { writer in
        try writer.apply(
          [
            ClassDeclaration(
              name: "Person",
              columns: [
                ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
                ColumnDeclaration(name: "name", type: .string, isIndexed: true),
              ])
          ], schemaVersion: 0)
      }
      let entry = try #require(try fixture.snapshot.schema["Person"])
      person = entry.id
      id = try #require(entry.column(named: "id")).id
      name = try #require(entry.column(named: "name")).id
    }

    @discardableResult
    func add(_ number: Int64, _ text: String) throws -> ObjectKey {
      try fixture.write { writer in
        let key = try writer.create(person, primaryKey: number)
        try writer.set(person, name, key, .string(text))
        return key
      }
    }

    func check(_ expected: [Int64: String]) throws {
      let snapshot = try fixture.snapshot
      #expect(try snapshot.count(of: person) == expected.count)
      for (number, text) in expected {
        let key = try #require(try snapshot.object(person, primaryKey: .int(number)))
        #expect(try snapshot.value(person, name, key) == .string(text))
        #expect(try snapshot.index(person, name)?.keys(equalTo: .string(text)).contains(key) == true)
      }
      #expect(try StoreVerifier.verify(snapshot).isEmpty)
    }
  }

  @Test("one object a commit, over several clusters, is stored as it was given")
  func oneByOne() throws {
    let people = try People()
    var expected: [Int64: String] = [:]
    for number in Int64(0)..<40 {
      // A gap now and then ends a run of evenly ascending keys in the primary key's blocks.
      let id = number * 3 + (number > 20 ? 5 : 0)
      try people.add(id, "name \(number)")
      expected[id] = "name \(number)"
    }
    try people.check(expected)
  }

  @Test(
    "the next transaction is given the decoded cluster, and only once",
    .notUnder(.reopening, "it looks at what is kept for the next transaction"))
  func isTaken() throws {
    let people = try People()
    try people.add(1, "one")
    let version = try people.fixture.snapshot.version
    let kept = try #require(people.fixture.store.takeCachedWriter(version: version) as? WriterCache)
    #expect(kept.classes.compactMap { $0 }.contains { $0.current != nil })
    #expect(people.fixture.store.takeCachedWriter(version: version) == nil)
  }

  @Test(
    "what was left at another version is not used",
    .notUnder(.reopening, "it looks at what is kept for the next transaction"))
  func otherVersion() throws {
    let people = try People()
    try people.add(1, "one")
    let old = try #require(people.fixture.store.takeCachedWriter(version: try people.fixture.snapshot.version))
    try people.add(2, "two")
    people.fixture.store.keep(old)
    try people.add(3, "three")
    try people.check([1: "one", 2: "two", 3: "three"])
  }

  @Test("a cancelled transaction leaves nothing")
  func cancelled() throws {
    let people = try People()
    let key = try people.add(1, "one")
    let writer = try people.fixture.store.beginWrite()
    try writer.set(people.person, people.name, key, .string("changed"))
    let second = try writer.create(people.person, primaryKey: 2)
    try writer.set(people.person, people.name, second, .string("second"))
    writer.cancel()
    #expect(people.fixture.store.takeCachedWriter(version: try people.fixture.snapshot.version) == nil)
    try people.add(3, "three")
    try people.check([1: "one", 3: "three"])
  }

  @Test("a change of the schema leaves nothing")
  func schemaChange() throws {
    let people = try People()
    try people.add(1, "one")
    try people.fixture.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "Person",
            columns: [
              ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
              ColumnDeclaration(name: "name", type: .string, isOptional: true, isIndexed: true),
              ColumnDeclaration(name: "age", type: .int),
            ])
        ], schemaVersion: 1)
      let key = try #require(try writer.object(people.person, primaryKey: .int(1)))
      try writer.set(people.person, people.name, key, .null)
    }
    let snapshot = try people.fixture.snapshot
    #expect(people.fixture.store.takeCachedWriter(version: snapshot.version) == nil)
    try people.add(2, "two")
    let newest = try people.fixture.snapshot
    let key = try #require(try newest.object(people.person, primaryKey: .int(1)))
    #expect(try newest.value(people.person, people.name, key) == .null)
    #expect(try StoreVerifier.verify(newest).isEmpty)
  }

  @Test("M-42: a property that becomes optional is nil in objects made in the same transaction")
  func widening() throws {
    let people = try People()
    try people.add(1, "one")
    let key = try people.fixture.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "Person",
            columns: [
              ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
              ColumnDeclaration(name: "name", type: .string, isOptional: true, isIndexed: true),
            ])
        ], schemaVersion: 1)
      let first = try #require(try writer.object(people.person, primaryKey: .int(1)))
      try writer.setString(people.person, people.name, first, "still")
      let key = try writer.create(people.person, primaryKey: 2)
      #expect(try writer.value(people.person, people.name, key) == .null)
      return key
    }
    let snapshot = try people.fixture.snapshot
    #expect(try snapshot.value(people.person, people.name, key) == .null)
    #expect(try snapshot.index(people.person, people.name)?.keys(equalTo: .null) == [key])
    #expect(try StoreVerifier.verify(snapshot).isEmpty)
  }

  @Test("large values that come, change and go over commits keep their place")
  func largeValues() throws {
    let people = try People()
    let long = String(repeating: "x", count: 5_000)
    let key = try people.add(1, long)
    try people.add(2, "two")
    try people.check([1: long, 2: "two"])
    try people.fixture.write { try $0.set(people.person, people.name, key, .string("short")) }
    try people.check([1: "short", 2: "two"])
    try people.fixture.write { try $0.set(people.person, people.name, key, .string(long + "y")) }
    try people.check([1: long + "y", 2: "two"])
    try people.fixture.write { try $0.delete(people.person, key) }
    try people.check([2: "two"])
  }

  @Test("after a deletion of the newest object its primary key can be given again")
  func deletion() throws {
    let people = try People()
    for number in Int64(1)...9 { try people.add(number, "\(number)") }
    try people.fixture.write { writer in
      let key = try #require(try writer.object(people.person, primaryKey: .int(9)))
      try writer.delete(people.person, key)
    }
    try people.add(9, "again")
    #expect(throws: StorageError.self) { try people.add(9, "twice") }
    try people.check(
      Dictionary(uniqueKeysWithValues: (Int64(1)...9).map { ($0, $0 == 9 ? "again" : "\($0)") }))
  }
}
