import Foundation
import LarderExchange
import LarderStorage
import TestSupport
import Testing

@testable import LarderSQL

@Suite("SQL over a store")
struct SQLStatementTests {
  @Test("Random statements give what they give over the same rows in SQLite's own tables")
  func differential() throws {
    var random = SeededRandom.forTest()
    for round in 0..<4 {
      let shop = try ShopStore()
      try shop.fill(&random)
      let database = try SQLDatabase(try shop.temporary.snapshot)
      // With nothing remembered, some, and all.
      if round < 2 {
        database.memory = SQLMemory(foundKeys: round * 100, foundKeysOfScan: 4, joinTableBytes: round * 6_000)
      }
      let oracle = try shop.oracle(database)
      for _ in 0..<300 {
        let statement = RandomStatement(&random)
        let found = try database.prepare(statement.sql).rows()
        let expected = try oracle.rows(statement.sql)
        if statement.isOrdered {
          let first = zip(found, expected).first { $0 != $1 }
          let isEqual = first == nil && found.count == expected.count
          #expect(isEqual, "\(statement.sql): \(String(describing: first)), \(found.count) of \(expected.count)")
        } else {
          let isEqual = Set(found) == Set(expected) && found.count == expected.count
          #expect(isEqual, "\(statement.sql): \(found.count) of \(expected.count)")
        }
      }
    }
  }

  @Test("What the store filters, sorts and limits is in the explanation")
  func pushedDown() throws {
    var random = SeededRandom.forTest()
    let shop = try ShopStore()
    try shop.fill(&random)
    let database = try SQLDatabase(try shop.temporary.snapshot)
    let plan = try database.explanation(
      "SELECT id FROM Item WHERE count > 2 AND name = 'a' ORDER BY price DESC LIMIT 3")
    #expect(plan.contains("Item: where count > ? AND name == ?, sorted by price DESC, limited; about "), "\(plan)")
    #expect(try database.explanation("SELECT * FROM Item WHERE id = 3").contains("where id == ?; about 1 row"))
    let join = try database.explanation("SELECT town FROM Item LEFT JOIN Shop ON Shop.rowid = Item.shop")
    #expect(join.contains("Shop: one object by its key"), "\(join)")
    let tags = try database.explanation("SELECT 1 FROM Item_tags WHERE owner = 3")
    #expect(tags.contains("Item_tags: elements of one object"), "\(tags)")
    let box = try database.explanation("SELECT id FROM Item WHERE box_width > 1 AND shop = 2 LIMIT 3")
    #expect(box.contains("Item: where box.width > ? AND shop == ?, limited; about "), "\(box)")
    let page = try database.explanation(
      "SELECT id FROM Item WHERE rowid > 7 AND rowid <= :last ORDER BY rowid DESC LIMIT 3", ["last": .integer(90)])
    #expect(page.contains("Item: where rowid > ? AND rowid <= ?, sorted by rowid DESC"), "\(page)")
    let first = try database.explanation("SELECT id FROM Item WHERE rowid >= 7 AND rowid <= 9.5 LIMIT 3")
    #expect(first.contains("Item: where rowid >= ? AND rowid <= ?, limited"), "\(first)")
    let text = try database.explanation("SELECT id FROM Item WHERE name = 'a' COLLATE NOCASE")
    #expect(text.contains("Item: all objects"), "\(text)")
  }

  @Test("What SQLite plans with one value and runs with another, or leaves out of the plan, is not lost")
  func kept() throws {
    let shop = try ShopStore()
    try shop.temporary.write { writer in
      let item = try #require(writer.schema["Item"])
      let count = try #require(item.column(named: "count")).id
      let name = try #require(item.column(named: "name")).id
      for (id, text) in [(0, "a"), (50, "A"), (100, "b"), (150, "c")] {
        let key = try writer.create(item.id, primaryKey: .int(Int64(id)))
        try writer.set(item.id, count, key, .int(Int64(100 - id % 100)))
        try writer.set(item.id, name, key, .string(text))
      }
    }
    let database = try SQLDatabase(try shop.temporary.snapshot)
    func ids(_ rest: String) throws -> [Int64] {
      try database.prepare("SELECT id FROM Item WHERE \(rest)").rows().map { row in
        guard case .integer(let id)? = row.first else { return -1 }
        return id
      }
    }
    #expect(try ids("id >= 1e2") == [100, 150])
    #expect(try ids("id <= 50.0 LIMIT 1 OFFSET 1") == [50])
    #expect(try ids("count <= id ORDER BY rowid LIMIT 2") == [50, 100])
    #expect(try ids("name = 'b' OR name = 'a' COLLATE NOCASE ORDER BY id") == [0, 50, 100])
    #expect(try ids("rowid = '1'") == [50])
    #expect(try ids("rowid = 1.0") == [50])
    #expect(try ids("rowid = 1.5") == [])
    #expect(try ids("id IS NULL") == [])
    #expect(try ids("id IS NOT NULL LIMIT 1") == [0])
  }

  @Test("A class without single values has its keys as a column, and hides no other table")
  func bareClass() throws {
    let temporary = try TemporaryStore(clusterSize: 16)
    try temporary.write { writer in
      let tags = ColumnDeclaration(name: "tags", type: .string, collection: .list)
      try writer.apply(
        [ClassDeclaration(name: "Bag", columns: [tags]), ClassDeclaration(name: "Bare", columns: [])], schemaVersion: 1)
      let bag = try #require(writer.schema["Bag"])
      for _ in 0..<2 { _ = try writer.create(bag.id) }
    }
    let database = try SQLDatabase(try temporary.snapshot)
    #expect(database.schemaText.hasPrefix("CREATE TABLE \"Bag\"(\"_key\" INTEGER);\nCREATE TABLE \"Bare\"("))
    #expect(try database.prepare("SELECT * FROM Bag").rows() == [[.integer(0)], [.integer(1)]])
    #expect(try database.prepare("SELECT count(*) FROM Bare").rows() == [[.integer(0)]])
  }

  @Test("Each kind of property has its column, embedded objects theirs, collections a table")
  func tables() throws {
    let shop = try ShopStore()
    let text = try SQLDatabase(try shop.temporary.snapshot).schemaText
    #expect(
      text == """
        CREATE TABLE "Item"("id" INTEGER, "name" TEXT, "count" INTEGER, "price" REAL, "weight" REAL, "sold" INTEGER, "day" TEXT, \
        "picture" BLOB, "shop" INTEGER, "box_width" INTEGER, "box_color" TEXT, "any" BLOB);
        CREATE TABLE "Shop"("town" TEXT, "size" INTEGER);
        CREATE TABLE "Item_box_notes"("owner" INTEGER, "value" TEXT);
        CREATE TABLE "Item_tags"("owner" INTEGER, "position" INTEGER, "value" TEXT);
        CREATE TABLE "Item_parts"("owner" INTEGER, "position" INTEGER, "size" INTEGER, "box_width" INTEGER, "box_color" TEXT);
        CREATE TABLE "Item_parts_marks"("owner" INTEGER, "parts_position" INTEGER, "key" TEXT, "value" INTEGER);
        CREATE TABLE "Item_parts_box_notes"("owner" INTEGER, "parts_position" INTEGER, "value" TEXT);

        """)
    var names = SQLName()
    #expect([names.new("City"), names.new("CITY"), names.new("sqlite_x")] == ["City", "CITY_2", "_sqlite_x"])
  }

  @Test(
    "Nothing but reading is allowed, and the store's bytes stay",
    arguments: [
      "DELETE FROM Item", "UPDATE Item SET count = 1", "INSERT INTO Shop VALUES ('a', 1)", "DROP TABLE Item",
      "CREATE TABLE t(a)", "CREATE VIEW v AS SELECT 1", "ATTACH '/tmp/other.db' AS other", "PRAGMA writable_schema = 1",
      "VACUUM INTO '/tmp/copy.db'", "BEGIN", "SELECT load_extension('x')", "CREATE TEMP TABLE t(a)", "ANALYZE",
    ])
  func safety(_ sql: String) throws {
    var random = SeededRandom(seed: 1)
    let shop = try ShopStore()
    try shop.fill(&random, count: 20)
    let before = try Data(contentsOf: URL(fileURLWithPath: shop.temporary.path))
    let database = try SQLDatabase(try shop.temporary.snapshot)
    let error = try #require(throws: SQLError.self) { _ = try database.prepare(sql).rows() }
    #expect(error.code == .readOnly || error.message.contains("may not be modified"), "\(error)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: shop.temporary.path)) == before)
  }

  @Test("Mistakes are reported with their place and what there is")
  func mistakes() throws {
    let database = try SQLDatabase(try ShopStore().temporary.snapshot)
    let column = #expect(throws: SQLError.self) { try database.prepare("SELECT nme FROM Item") }
    #expect(column?.message == "no such column: nme" && column?.position == 7)
    let table = #expect(throws: SQLError.self) { try database.prepare("SELECT * FROM Itm") }
    #expect(
      table?.message.hasPrefix("no such table: Itm; there are Item, Shop") == true, "\(String(describing: table))")
    let second = #expect(throws: SQLError.self) { try database.prepare("SELECT 1; SELECT 2") }
    #expect(second?.position == 9 && second?.code == .statement)
    #expect(throws: SQLError.self) { try database.prepare("") }
    #expect(throws: SQLError.self) { try database.prepare("SELECT 1; -- one\n SELECT 2") }
    #expect(try database.prepare("SELECT 1; /* one */ ; -- done").rows() == [[.integer(1)]])
    #expect(throws: SQLError.self) { try database.prepare("SELECT :a") }
    #expect(throws: SQLError.self) { try database.prepare("SELECT ?", ["a": .null]) }
    #expect(throws: SQLError.self) { try database.prepare("SELECT 1", ["a": .null]) }
    #expect(try database.prepare("SELECT :a + 1;", ["a": .integer(2)]).rows() == [[.integer(3)]])
  }

  @Test("A statement ends when its condition says so")
  func interruption() throws {
    let database = try SQLDatabase(try ShopStore().temporary.snapshot)
    database.end { true }
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    let error = #expect(throws: SQLError.self) { _ = try database.prepare(endless).rows() }
    #expect(error?.code == .interrupted)
  }

  @Test("A statement reads one version while others write")
  func snapshots() throws {
    var random = SeededRandom.forTest()
    let shop = try ShopStore()
    try shop.fill(&random, count: 50)
    let database = try SQLDatabase(try shop.temporary.snapshot)
    let count = try database.prepare("SELECT count(*) FROM Item").rows()
    let statement = try database.prepare("SELECT id FROM Item ORDER BY id")
    var ids = try [#require(try statement.next())]
    try shop.temporary.write { writer in
      let item = try #require(writer.schema["Item"])
      for id in 1000..<1100 { _ = try writer.create(item.id, primaryKey: .int(Int64(id))) }
    }
    ids += try statement.rows()
    #expect([[SQLValue.integer(Int64(ids.count))]] == count)
    #expect(try database.prepare("SELECT count(*) FROM Item").rows() == count)
    #expect(try SQLDatabase(try shop.temporary.snapshot).prepare("SELECT count(*) FROM Item").rows() != count)
  }
}
