import Foundation
import LarderExchange
import LarderStorage
import TestSupport
import Testing

@testable import LarderSQL

@Suite("Links in SQL")
struct LinkColumnsTests {
  private func compare(
    _ statement: LinkedStatement, _ database: SQLDatabase, _ oracle: SQLiteOracle, _ name: String
  ) throws {
    let found = try database.prepare(statement.sql).rows()
    let expected = try oracle.rows(statement.sql)
    if statement.isOrdered {
      let first = zip(found, expected).first { $0 != $1 }
      let isEqual = first == nil && found.count == expected.count
      #expect(isEqual, "\(name), \(statement.sql): \(String(describing: first)), \(found.count) of \(expected.count)")
    } else {
      func counts(_ rows: [[SQLValue]]) -> [[SQLValue]: Int] { Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +) }
      let isEqual = counts(found) == counts(expected)
      #expect(isEqual, "\(name), \(statement.sql): \(found.count) of \(expected.count)")
    }
  }

  @Test("F-161: one statement over links gives the same rows over a store and over its export")
  func export() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<3 {
      var linked = try LinkedStore()
      try linked.fill(&random)
      let database = try SQLDatabase(try linked.temporary.snapshot)
      let exported = try linked.export()
      for _ in 0..<300 {
        try compare(LinkedStatement(&random, linked.texts, isShared: true), database, exported, "export")
      }
    }
  }

  @Test("F-161: conditions and joins over links, also of embedded objects, find what SQLite finds in the same rows")
  func differential() throws {
    var random = SeededRandom.forTest()
    for round in 0..<3 {
      var linked = try LinkedStore()
      try linked.fill(&random)
      let snapshot = try linked.temporary.snapshot
      let database = try SQLDatabase(snapshot)
      if round < 2 {
        database.memory = SQLMemory(foundKeys: round * 100, foundKeysOfScan: 4, joinTableBytes: round * 6_000)
      }
      let oracle = try SQLiteOracle(copying: database, snapshot.schema)
      for _ in 0..<300 {
        try compare(LinkedStatement(&random, linked.texts, isShared: false), database, oracle, "round \(round)")
      }
    }
  }

  /// The value that shows an object of a class: its primary key, or its number.
  private func shown(_ className: String, _ key: ObjectKey, _ reader: any StoreReader) throws -> SQLValue {
    let entry = try #require(reader.schema[className])
    guard try reader.contains(entry.id, key) else { return .null }
    guard let column = entry.primaryKey, !column.isOptional else { return .integer(Int64(key.rawValue)) }
    switch try reader.value(entry.id, column.id, key) {
    case .int(let number): return .integer(number)
    case let value: return .text(ValueText.plain(value) ?? "")
    }
  }

  @Test("F-161: a link shows the primary key, in columns, elements, embedded objects and values of any type")
  func values() throws {
    var random = SeededRandom.forTest()
    var linked = try LinkedStore()
    try linked.fill(&random)
    let reader = try linked.temporary.snapshot
    let database = try SQLDatabase(reader)
    let person = try #require(reader.schema["Person"])
    let home = try #require(reader.schema["Home"])
    func find(_ entry: ClassDescriptor, _ name: String) throws -> ColumnID {
      try #require(entry.column(named: name)).id
    }
    func single(_ entry: ClassDescriptor, _ name: String, _ target: String, _ key: ObjectKey?) throws -> SQLValue {
      guard let key, case .link(let found) = try reader.value(entry.id, try find(entry, name), key) else {
        return .null
      }
      return try shown(target, found, reader)
    }
    func name(_ value: StoredValue) throws -> String? {
      guard case .object(let link) = value, let entry = reader.schema[link.classID] else { return nil }
      return try shown(entry.name, link.key, reader).plain.map { "\(entry.name)#\($0)" }
    }
    var (columns, lands, makers, friends): ([[SQLValue]], [[SQLValue]], [[SQLValue]], [[SQLValue]]) = ([], [], [], [])
    var mixed: [[SQLValue]] = []
    for number in 0..<UInt64(150) {
      let key = ObjectKey(rawValue: number)
      guard try reader.contains(person.id, key) else { continue }
      let owner = SQLValue.integer(Int64(number))
      var embedded: ObjectKey?
      if case .link(let found) = try reader.value(person.id, try find(person, "home"), key) { embedded = found }
      columns.append([
        owner, try single(person, "land", "Land", key), try single(person, "maker", "Maker", key),
        try single(person, "badge", "Badge", key), try single(person, "street", "Street", key),
        try single(person, "label", "Label", key), try single(person, "friend", "Person", key),
        try single(home, "land", "Land", embedded),
        try single(home, "street", "Street", embedded),
      ])
      func element(_ value: StoredValue, _ target: String) throws -> SQLValue {
        guard case .link(let found) = value else { return .null }
        return try shown(target, found, reader)
      }
      for (position, value) in try reader.list(person.id, try find(person, "lands"), key).values().enumerated() {
        lands.append([owner, .integer(Int64(position)), try element(value, "Land")])
      }
      for value in try reader.list(person.id, try find(person, "makers"), key).values() {
        makers.append([owner, try element(value, "Maker")])
      }
      let map = try reader.map(person.id, try find(person, "friends"), key)
      for place in 0..<map.count {
        friends.append([owner, .text(try map.key(at: place)), try element(try map.value(at: place), "Person")])
      }
      let all = try reader.list(person.id, try find(person, "all"), key).values()
      for (position, value) in all.enumerated() {
        let text: String?
        if case .list(let list) = value {
          text = "[" + (try name(list[0]).map { JSONText.quote($0) } ?? "null") + ", 3]"
        } else {
          text = try name(value)
        }
        mixed.append([owner, .integer(Int64(position)), text.map { .text($0) } ?? .null])
      }
    }
    func rows(_ sql: String) throws -> [[SQLValue]] { try database.prepare(sql).rows() }
    #expect(
      try rows("SELECT rowid, land, maker, badge, street, label, friend, home_land, home_street FROM Person") == columns
    )
    #expect(try rows("SELECT * FROM Person_lands") == lands)
    #expect(try rows("SELECT * FROM Person_makers") == makers)
    #expect(try rows("SELECT * FROM Person_friends") == friends)
    #expect(try rows("SELECT * FROM Person_all") == mixed)
    #expect(mixed.contains { $0[2].plain?.hasPrefix("Land#") == true })
    #expect(
      database.schemaText.contains(
        """
        CREATE TABLE "Person"("id" INTEGER, "size" INTEGER, "land" TEXT, "maker" TEXT, "badge" TEXT, "street" INTEGER, \
        "label" INTEGER, "friend" INTEGER, "home_land" TEXT, "home_street" INTEGER, "any" BLOB);
        """), "\(database.schemaText)")
    #expect(
      database.schemaText.contains(
        #"TABLE "Person_homes"("owner" INTEGER, "position" INTEGER, "land" TEXT, "street" INTEGER)"#))
    #expect(database.schemaText.contains(#"TABLE "Person_makers"("owner" INTEGER, "value" TEXT)"#))
  }

  @Test("F-161: the store answers conditions on links by primary key, and SQLite orders by links")
  func pushedDown() throws {
    var random = SeededRandom.forTest()
    var linked = try LinkedStore()
    try linked.fill(&random)
    let database = try SQLDatabase(try linked.temporary.snapshot)
    let maker = try #require(linked.texts["Maker"]?.first)
    for (condition, plan) in [
      ("land = 'a'", "land == ?"), ("land <> 'a'", "land != ?"), ("land >= 'a'", "land >= ?"),
      ("land IS NULL", "land == nil"), ("maker = '\(maker)'", "maker == ?"), ("maker <> 'x'", "maker != ?"),
      ("friend < 9", "friend < ?"), ("street = 3", "street == ?"), ("land LIKE 'ab%'", "land BEGINSWITH ?"),
      ("home_land = 'a'", "home.land == ?"),
    ] {
      let found = try database.explanation("SELECT id FROM Person WHERE \(condition)")
      #expect(found.contains("Person: where \(plan); about "), "\(found)")
    }
    #expect(try database.explanation("SELECT id FROM Person WHERE land = 'a' LIMIT 3").contains("limited"))
    let sorted = try database.explanation("SELECT id FROM Person ORDER BY land")
    #expect(sorted.contains("Person: all objects") && sorted.contains("ORDER BY"), "\(sorted)")
    let join = try database.explanation("SELECT l.size FROM Person p LEFT JOIN Land l ON l.id = p.land")
    #expect(join.contains("Land: where id == ?; about 1 row"), "\(join)")
    let uuids = try database.explanation("SELECT m.size FROM Person p LEFT JOIN Maker m ON m.id = p.maker")
    #expect(uuids.contains("Maker: where id == ?; about 1 row"), "\(uuids)")
  }

  @Test("F-161: a join over a link looks at few rows, and asks the store a few times only")
  func joins() throws {
    let linked = try LinkedStore()
    let (people, lands) = (4_000, 800)
    try linked.temporary.write { writer in
      func id(_ owner: String, _ name: String) throws -> (ClassID, ColumnID) {
        let entry = try #require(writer.schema[owner])
        return (entry.id, try #require(entry.column(named: name)).id)
      }
      func add(_ owner: String, _ primaryKey: StoredValue) throws -> ObjectKey {
        try writer.create(try id(owner, "id").0, primaryKey: primaryKey)
      }
      let all = try (0..<lands).map { number in
        let bytes = [UInt8](repeating: UInt8(number % 256), count: 15) + [UInt8(number / 256)]
        let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        return (try add("Land", .string("land \(number)")), try add("Maker", .uuid(uuid)))
      }
      var last: ObjectKey?
      for number in 0..<people {
        let person = try add("Person", .int(Int64(number)))
        // No two of those that follow each other link to the same objects.
        let (land, maker) = all[number * 7 % lands]
        try writer.set(try id("Person", "land").0, try id("Person", "land").1, person, .link(land))
        try writer.set(try id("Person", "maker").0, try id("Person", "maker").1, person, .link(maker))
        if let last { try writer.set(try id("Person", "friend").0, try id("Person", "friend").1, person, .link(last)) }
        try writer.lists.insert(
          try id("Person", "lands").0, try id("Person", "lands").1, person, at: 0, [.link(land)])
        last = person
      }
    }
    let reader = try linked.temporary.snapshot
    let each = people / lands
    for (sql, count) in [
      ("Person p JOIN Land l ON l.id = p.land", people), ("Person p LEFT JOIN Land l ON l.id = p.land", people),
      ("Land l LEFT JOIN Person p ON p.land = l.id", people), ("Person p LEFT JOIN Maker m ON m.id = p.maker", people),
      ("Maker m LEFT JOIN Person p ON p.maker = m.id", people),
      ("Person p JOIN Person f ON f.id = p.friend", people - 1),
      ("Person p LEFT JOIN Land l ON l.id = p.land AND l.size = 0", people),
      ("Person p JOIN Person q ON q.land = p.land AND q.maker = p.maker", people * each),
      ("Person_lands e JOIN Land l ON l.id = e.value", people),
      ("Person p LEFT JOIN Land l ON l.id = p.land LEFT JOIN Maker m ON m.id = p.maker", people),
    ] {
      let database = try SQLDatabase(reader)
      let (rows, thousands) = try database.counted("SELECT count(*) FROM \(sql)")
      #expect(rows == [[.integer(Int64(count))]], "\(sql)")
      // Each pair of rows takes some dozen steps.
      #expect(thousands < count / 20, "\(sql): \(thousands)")
      #expect(database.queryCount < 100, "\(sql): \(database.queryCount)")
    }
  }

  @Test("F-161: an object whose key a link showed is found without asking the store, whatever was remembered")
  func shownKeys() throws {
    var random = SeededRandom.forTest()
    var linked = try LinkedStore()
    try linked.fill(&random)
    let database = try SQLDatabase(try linked.temporary.snapshot)
    database.memory = SQLMemory(foundKeys: 0, foundKeysOfScan: 0, joinTableBytes: 0)
    let sql = "SELECT count(*), sum(l.size) FROM Person p CROSS JOIN Land l ON l.id = p.land"
    let expected = try SQLiteOracle(copying: database, try linked.temporary.snapshot.schema).rows(sql)
    let before = database.queryCount
    #expect(try database.prepare(sql).rows() == expected)
    let queries = database.queryCount - before
    let nils = try database.prepare("SELECT 1 FROM Person WHERE land IS NULL").rows().count
    // The scan of the people, a table that there is no memory for, and the links that are nil.
    #expect(queries <= 2 + nils)
  }
}
