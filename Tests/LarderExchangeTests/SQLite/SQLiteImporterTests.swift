import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange

/// Files of SQLite that other programs wrote.
@Suite struct SQLiteImporterTests {
  /// Imports a file that statements make.
  private func imported(
    _ statements: [String], _ change: (inout SQLiteImportOptions) -> Void = { _ in }
  ) throws -> (report: SQLiteImportReport, store: TemporaryStore) {
    let store = try TemporaryStore()
    let path = store.directory.file("x.db")
    let file = try SQLiteFile(path, isNew: true)
    for statement in statements { try file.run(statement) }
    var options = SQLiteImportOptions(path: path)
    change(&options)
    return (try SQLiteImporter(store: store.store, options: options).run(), store)
  }

  /// All values of a property, in the order of the keys.
  private func values(_ store: TemporaryStore, _ className: String, _ property: String) throws -> [StoredValue] {
    let snapshot = try store.store.snapshot()
    let entry = try StoreAccess.entry(named: className, in: snapshot.schema)
    let column = try #require(entry.column(named: property))
    var values: [StoredValue] = []
    try snapshot.forEachKey(of: entry.id) {
      values.append(try snapshot.value(entry.id, column.id, $0))
      return true
    }
    return values
  }

  private func column(_ store: TemporaryStore, _ className: String, _ property: String) throws -> ColumnDescriptor {
    try #require(try store.store.snapshot().schema[className]?.column(named: property))
  }

  @Test func tablesBecomeClassesAndForeignKeysLinks() throws {
    let (report, store) = try imported([
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author INTEGER REFERENCES author, sequel INTEGER REFERENCES book(id))",
      "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
      "INSERT INTO book VALUES (1, 'A', 7, 2), (2, 'B', 7, NULL), (5, 'C', NULL, 1)",
      "INSERT INTO author VALUES (7, 'Ann'), (8, 'Bea')",
    ])
    #expect(report.classes.map { "\($0.name) \($0.objects)" } == ["author 2", "book 3"])
    #expect(report.skipped.isEmpty && report.version > 0)
    #expect(try column(store, "book", "id").isPrimaryKey)
    #expect(try column(store, "author", "name").isIndexed)
    #expect(try store.store.snapshot().schema["author"]?.indexes.first?.isUnique == true)
    let ann = StoredValue.link(ObjectKey(rawValue: 0))
    #expect(try values(store, "book", "author") == [ann, ann, .null])
    #expect(
      try values(store, "book", "sequel") == [.link(ObjectKey(rawValue: 1)), .null, .link(ObjectKey(rawValue: 0))])
    #expect(try values(store, "book", "title") == [.string("A"), .string("B"), .string("C")])
  }

  @Test func aJoinTableBecomesAList() throws {
    let tables = [
      "CREATE TABLE post (id INTEGER PRIMARY KEY, text TEXT)", "CREATE TABLE tag (name TEXT PRIMARY KEY) WITHOUT ROWID",
      "CREATE TABLE post_tag (post REFERENCES post, tag REFERENCES tag, PRIMARY KEY (post, tag)) WITHOUT ROWID",
      "INSERT INTO post VALUES (1, 'x'), (2, 'y')", "INSERT INTO tag VALUES ('a'), ('b')",
      "INSERT INTO post_tag VALUES (2, 'b'), (1, 'b'), (1, 'a')",
    ]
    let (report, store) = try imported(tables) {
      $0.joins = [SQLiteImportOptions.Join(table: "post_tag", className: "post", property: "tags")]
    }
    #expect(report.classes.map(\.name) == ["post", "tag"])
    let snapshot = try store.store.snapshot()
    let post = try #require(snapshot.schema["post"])
    let tags = try column(store, "post", "tags")
    let lists = try [0, 1].map { try snapshot.list(post.id, tags.id, ObjectKey(rawValue: $0)).values() }
    let (a, b) = (StoredValue.link(ObjectKey(rawValue: 0)), StoredValue.link(ObjectKey(rawValue: 1)))
    #expect(lists == [[a, b], [b]])
    // Without being asked for it is a class, with a notice about its key of two columns.
    let plain = try imported(tables).report
    #expect(plain.classes.map(\.name) == ["post", "post_tag", "tag"])
    #expect(plain.notices.contains { $0.contains("several columns (post, tag)") })
  }

  @Test func typesAreThoseOfTheValues() throws {
    let (report, store) = try imported([
      "CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB, n NUMERIC, m, yes BOOLEAN, no TEXT NOT NULL)",
      "INSERT INTO t VALUES (1, 1.5, 'a', x'00ff', 2, 1, 1, 'x'), (NULL, 2, NULL, x'', 2.5, 'two', 0, ''), (-3, NULL, 'é', NULL, NULL, x'07', NULL, 'y')",
    ])
    #expect(try values(store, "t", "i") == [.int(1), .null, .int(-3)])
    #expect(try values(store, "t", "r") == [.double(1.5), .double(2), .null])
    #expect(try values(store, "t", "s") == [.string("a"), .null, .string("é")])
    #expect(try values(store, "t", "b") == [.data(Data([0, 255])), .data(Data()), .null])
    #expect(try values(store, "t", "n") == [.double(2), .double(2.5), .null])
    #expect(try values(store, "t", "m") == [.int(1), .string("two"), .data(Data([7]))])
    #expect(try values(store, "t", "yes") == [.bool(true), .bool(false), .null])
    #expect(try !column(store, "t", "no").isOptional)
    #expect(
      report.notices.contains { $0.contains("'t.m' holds values of several types (int in row 1, string in row 2") })
  }

  @Test func datesAreReadInEachForm() throws {
    let (_, store) = try imported([
      "CREATE TABLE t (iso DATETIME, unix TIMESTAMP, ms TIMESTAMP, julian DATE, forced INTEGER)",
      "INSERT INTO t VALUES ('2013-01-31 10:00:00', 1359626400, 1359626400500, 2456323.9166666665, 1359626400000)",
    ]) { $0.dates[SQLiteImportOptions.ColumnName("t.Forced")] = .unixms }
    let wanted = Timestamp(seconds: 1_359_626_400)
    for property in ["iso", "unix", "julian", "forced"] {
      #expect(try values(store, "t", property) == [.date(wanted)], "\(property)")
    }
    #expect(try values(store, "t", "ms") == [.date(Timestamp(seconds: 1_359_626_400, nanoseconds: 500_000_000))])
  }

  @Test func namesThatAreNoneAreMadeSo() throws {
    let (report, store) = try imported([
      "CREATE TABLE \"order items\" (\"unit price\" REAL, \"unit_price\" REAL, \"select\" INTEGER)",
      "CREATE TABLE Object (x)", "INSERT INTO \"order items\" VALUES (1.5, 2.5, 3)", "CREATE VIEW v AS SELECT 1",
    ])
    #expect(Set(report.classes.map(\.name)) == ["order_items", "Object_"])
    #expect(try values(store, "order_items", "unit_price") == [.double(2.5)])
    #expect(try values(store, "order_items", "unit_price_2") == [.double(1.5)])
    #expect(report.notices.contains { $0.contains("the view 'v'") })
  }

  @Test func compositeIndexesAndGeneratedColumnsAreCarried() throws {
    let (report, store) = try imported([
      "CREATE TABLE t (a INTEGER, b TEXT, c INTEGER AS (a + 1), UNIQUE (a, b))",
      "CREATE INDEX half ON t (a) WHERE a > 1",
      "CREATE INDEX plain ON t (b)", "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'x')",
    ])
    #expect(try values(store, "t", "c") == [.int(2), .int(3)])
    let entry = try #require(try store.store.snapshot().schema["t"])
    #expect(entry.indexes.map(\.columns.count) == [2] && entry.indexes[0].isUnique)
    #expect(try column(store, "t", "b").isIndexed && !column(store, "t", "a").isIndexed)
    #expect(
      report.notices.contains { $0.contains("'half'") } && report.notices.contains { $0.contains("'t.c' is generated") }
    )
  }

  @Test func aFaultKeepsNothingUnlessImportsGoOn() throws {
    let statements = [
      "CREATE TABLE p (id INTEGER PRIMARY KEY)", "CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p, s TEXT)",
      "INSERT INTO p VALUES (1)", "INSERT INTO c VALUES (1, 1, 'a'), (2, 9, 'b'), (3, 1, CAST(x'ff' AS TEXT))",
    ]
    let fault = #expect(throws: TableFault.self) { _ = try imported(statements) }
    #expect(fault?.table == "c" && fault?.row == 3 && fault?.column == "s", "\(String(describing: fault))")
    let (report, store) = try imported(statements) { $0.keepsGoing = true }
    #expect(report.skipped.map(\.row) == [3, 2])
    #expect(try values(store, "c", "id") == [.int(1), .int(2)])
    #expect(try values(store, "c", "p") == [.link(ObjectKey(rawValue: 0)), .null])
  }

  @Test func aTrialKeepsNothing() throws {
    let (report, store) = try imported([
      "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)", "INSERT INTO t VALUES (1, 'x')",
    ]) {
      $0.isTrial = true
    }
    #expect(report.classes.first?.properties == ["id: int, primary key", "s: string?"] && report.version == 0)
    #expect(try store.store.snapshot().schema.classes.isEmpty)
  }

  @Test("A primary key may be chosen, and is one of int, string, uuid and objectId")
  func primaryKeysAreChosen() throws {
    let tables = [
      "CREATE TABLE two (a INTEGER, b INTEGER, s TEXT, PRIMARY KEY (a, b))",
      "CREATE TABLE one (r REAL PRIMARY KEY, u TEXT, o TEXT, none TEXT)",
      "INSERT INTO two VALUES (1, 7, 'x'), (1, 8, 'y')",
      "INSERT INTO one VALUES (1.5, '01234567-89AB-CDEF-0123-456789ABCDEF', '0123456789abcdef01234567', NULL)",
    ]
    let (report, plain) = try imported(tables)
    #expect(try plain.store.snapshot().schema.classes.allSatisfy { $0.primaryKey == nil })
    #expect(
      report.notices.contains { $0.contains("'one.r' is no primary key here: only int, string, uuid and objectId") })
    for (name, type) in [("u", ColumnType.uuid), ("o", ColumnType.objectId)] {
      let key = SQLiteImportOptions.ColumnName("one", name)
      let (_, store) = try imported(tables) {
        $0.types[key] = (type: type, isOptional: false)
        $0.keys = [SQLiteImportOptions.ColumnName("two.s"), key]
      }
      #expect(try column(store, "one", name).isPrimaryKey && column(store, "one", name).type == type)
      #expect(try column(store, "two", "s").isPrimaryKey && !column(store, "two", "a").isPrimaryKey)
    }
    for (names, words) in [
      (["two.s", "two.a"], "'two' is to have 2"), (["one.r"], "only int, string, uuid and objectId can be one"),
      (["one.none"], "it holds null"), (["one.x"], "has no column 'x'"),
    ] {
      let error = #expect(throws: ImportError.self) {
        _ = try imported(tables) { $0.keys = Set(names.map { SQLiteImportOptions.ColumnName($0) }) }
      }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test("A foreign key of several columns, and one that objects are found by, become no links")
  func foreignKeysThatStayValues() throws {
    let (report, store) = try imported([
      "CREATE TABLE parent (a INTEGER, b INTEGER, n INTEGER UNIQUE, PRIMARY KEY (a, b))",
      "CREATE TABLE child (a INTEGER, b INTEGER, n REFERENCES parent(n), FOREIGN KEY (a, b) REFERENCES parent(a, b))",
      "CREATE TABLE detail (id INTEGER PRIMARY KEY REFERENCES item(id), t TEXT)",
      "CREATE TABLE item (id INTEGER PRIMARY KEY)", "INSERT INTO parent VALUES (1, 2, 9)",
      "INSERT INTO child VALUES (1, 2, 9)", "INSERT INTO item VALUES (5)", "INSERT INTO detail VALUES (5, 'x')",
    ])
    #expect(try values(store, "child", "a") == [.int(1)])
    #expect(try values(store, "child", "b") == [.int(2)])
    #expect(try values(store, "child", "n") == [.link(ObjectKey(rawValue: 0))])
    #expect(try values(store, "detail", "id") == [.int(5)])
    #expect(try column(store, "detail", "id").isPrimaryKey)
    for (names, reason) in [
      ("child.a, b", "a foreign key of several columns"), ("detail.id", "objects are found by it"),
    ] {
      let notice = "'\(names)' stays what it is and becomes no link: \(reason)"
      #expect(report.notices.contains(notice), "\(notice) in \(report.notices)")
    }
  }

  @Test("Virtual tables are left out and named, and what SQLite keeps for them is not") func virtualTables() throws {
    let statements = [
      "CREATE VIRTUAL TABLE words USING fts5(text)", "CREATE TABLE t (a INTEGER)", "INSERT INTO t VALUES (1)",
      "INSERT INTO words VALUES ('x')",
    ]
    let report = try imported(statements).report
    #expect(report.classes.map(\.name) == ["t"])
    #expect(report.notices.filter { $0.contains("'words") }.count == 1, "\(report.notices)")
    #expect(report.notices.contains { $0.contains("the virtual 'words' holds no rows of its own and is left out") })
    let error = #expect(throws: ImportError.self) { _ = try imported(statements) { $0.tables = ["words"] } }
    #expect(error?.message.contains("'words' is a virtual") == true, "\(String(describing: error))")
  }

  @Test("Some tables alone are imported, and foreign keys to others stay values") func someTables() throws {
    let (report, store) = try imported([
      "CREATE TABLE parent (id INTEGER PRIMARY KEY)", "CREATE TABLE child (p REFERENCES parent)",
      "CREATE VIEW v AS SELECT 1", "INSERT INTO parent VALUES (1)", "INSERT INTO child VALUES (1)",
    ]) { $0.tables = ["CHILD"] }
    #expect(report.classes.map(\.name) == ["child"])
    #expect(try values(store, "child", "p") == [.int(1)])
    #expect(
      report.notices == ["'child.p' stays what it is and becomes no link: 'parent' is not imported, or has no such key"]
    )
  }

  @Test("Types and indexes of columns are those that are asked for") func typesAndIndexesAreGiven() throws {
    let (_, store) = try imported([
      "CREATE TABLE t (code TEXT, n INTEGER, b INTEGER, u REFERENCES u)", "CREATE TABLE u (id INTEGER PRIMARY KEY)",
      "INSERT INTO u VALUES (3)", "INSERT INTO t VALUES ('42', 5, 1, 3)",
    ]) {
      $0.types = [
        SQLiteImportOptions.ColumnName("t.code"): (type: ColumnType.int, isOptional: false),
        SQLiteImportOptions.ColumnName("T.N"): (type: ColumnType.double, isOptional: true),
        SQLiteImportOptions.ColumnName("t.b"): (type: ColumnType.bool, isOptional: false),
        SQLiteImportOptions.ColumnName("t.u"): (type: ColumnType.int, isOptional: false),
      ]
      $0.indexed = [SQLiteImportOptions.ColumnName("t.Code")]
    }
    #expect(try values(store, "t", "code") == [.int(42)])
    #expect(try values(store, "t", "n") == [.double(5)])
    #expect(try values(store, "t", "b") == [.bool(true)])
    #expect(try values(store, "t", "u") == [.int(3)])
    #expect(try column(store, "t", "code").isIndexed && !column(store, "t", "code").isOptional)
    #expect(try !column(store, "t", "n").isIndexed && column(store, "t", "n").isOptional)
  }

  @Test(
    "Dates are read in any column that is said to hold them, and in one that is declared so where all values are dates")
  func datesAreSaid() throws {
    let (report, store) = try imported([
      "CREATE TABLE t (iso TEXT, unix INTEGER, unixms INTEGER, julian REAL, part TIMESTAMP, soon DATE)",
      "INSERT INTO t VALUES ('2013-01-31 10:00:00', 1359626400, 1359626400000, 2456323.9166666665, 1359626400.5, 'soon')",
    ]) {
      for form in SQLiteDateForm.allCases { $0.dates[SQLiteImportOptions.ColumnName("t", form.rawValue)] = form }
    }
    for form in SQLiteDateForm.allCases {
      #expect(try values(store, "t", form.rawValue) == [.date(Timestamp(seconds: 1_359_626_400))], "\(form)")
    }
    #expect(try values(store, "t", "part") == [.date(Timestamp(seconds: 1_359_626_400, nanoseconds: 500_000_000))])
    #expect(try values(store, "t", "soon") == [.string("soon")])
    #expect(report.notices.contains { $0.contains("'t.part' is declared as TIMESTAMP and read as unix") })
    #expect(report.notices.contains { $0.contains("'t.soon'") && $0.contains("not all its values are dates") })
  }

  @Test("Indexes over expressions are left out and named; those of several columns are not")
  func indexesOverExpressions() throws {
    let (report, store) = try imported([
      "CREATE TABLE t (a INTEGER, s TEXT)", "CREATE INDEX lowered ON t (lower(s))", "CREATE INDEX both ON t (a, s)",
      "INSERT INTO t VALUES (1, 'x')",
    ])
    let entry = try #require(try store.store.snapshot().schema["t"])
    #expect(entry.indexes.map(\.columns.count) == [2] && !entry.indexes[0].isUnique)
    #expect(entry.columns.allSatisfy { !$0.isIndexed })
    #expect(report.notices.contains { $0.contains("the index 'lowered' of 't' is over expressions") })
  }

  @Test("A join needs two foreign keys, one of them to its class, and a name that is free")
  func joinsAreChecked() throws {
    let tables = [
      "CREATE TABLE post (id INTEGER PRIMARY KEY, text TEXT)", "CREATE TABLE tag (id INTEGER PRIMARY KEY)",
      "CREATE TABLE post_tag (post REFERENCES post, tag REFERENCES tag, at INTEGER)",
      "CREATE TABLE half (post REFERENCES post)", "INSERT INTO post VALUES (1, 'x')", "INSERT INTO tag VALUES (2)",
      "INSERT INTO post_tag VALUES (1, 2, 3)",
    ]
    for (table, className, property, words) in [
      ("half", "post", "tags", "two are needed"), ("post_tag", "half", "tags", "leads to 'half'"),
      ("post_tag", "post", "text", "has a property 'text' already"), ("post_tag", "post", "a b", "cannot be the name"),
    ] {
      let join = SQLiteImportOptions.Join(table: table, className: className, property: property)
      let error = #expect(throws: ImportError.self) { _ = try imported(tables) { $0.joins = [join] } }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
    let report = try imported(tables) {
      $0.joins = [SQLiteImportOptions.Join(table: "post_tag", className: "post", property: "tags")]
    }.report
    #expect(report.notices.contains { $0.contains("its columns at are left out") }, "\(report.notices)")
  }

  @Test("A report as JSON has classes with their tables, the version, faults with their places, and notices")
  func reportAsJSON() throws {
    let (report, _) = try imported([
      "CREATE TABLE \"a b\" (id INTEGER PRIMARY KEY, s TEXT)",
      "INSERT INTO \"a b\" VALUES (1, 'x'), (2, CAST(x'ff' AS TEXT))",
    ]) { $0.keepsGoing = true }
    let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["classes", "version", "skipped", "notices"])
    #expect(object["version"] as? Int == 1)
    let entry = try #require((object["classes"] as? [[String: Any]])?.first)
    #expect(Set(entry.keys) == ["class", "table", "imported", "properties"])
    #expect(entry["class"] as? String == "a_b" && entry["table"] as? String == "a b" && entry["imported"] as? Int == 1)
    #expect(entry["properties"] as? [String] == ["id: int, primary key", "s: string?"])
    let fault = try #require((object["skipped"] as? [[String: Any]])?.first)
    #expect(Set(fault.keys) == ["file", "table", "row", "column", "message"])
    #expect(fault["table"] as? String == "a b" && fault["row"] as? Int == 2 && fault["column"] as? String == "s")
    #expect((object["notices"] as? [String])?.count == 1)
  }

  @Test func damagedFilesAreTypedErrors() throws {
    var random = SeededRandom.forTest()
    try withTemporaryDirectory { directory in
      let path = directory.file("x.db")
      let file = try SQLiteFile(path, isNew: true)
      try file.run("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT); CREATE TABLE u (t REFERENCES t, x)")
      for number in 0..<200 {
        try file.run(
          "INSERT INTO t VALUES (\(number), '\(String(repeating: "x", count: 100))'); INSERT INTO u VALUES (\(number), \(number).5)"
        )
      }
      let sound = try Data(contentsOf: URL(fileURLWithPath: path))
      for round in 0..<60 {
        var bytes = sound
        for _ in 0..<random.int(1...40) { bytes[random.int(16..<bytes.count)] = UInt8(random.int(0...255)) }
        let damaged = directory.file("d\(round).db")
        try bytes.write(to: URL(fileURLWithPath: damaged))
        let store = try TemporaryStore()
        do {
          _ = try SQLiteImporter(store: store.store, options: SQLiteImportOptions(path: damaged)).run()
        } catch is InputFileError {} catch is TableFault {} catch is ImportError {} catch is StorageError {}
      }
      let encrypted = directory.file("e.db")
      try Data("SQLite format 3\u{0}".utf8 + (0..<4096).map { _ in UInt8(random.int(0...255)) }).write(
        to: URL(fileURLWithPath: encrypted))
      #expect(throws: InputFileError.self) { _ = try SQLiteImporter.isTables(encrypted) }
      try Data("nothing of the kind".utf8).write(to: URL(fileURLWithPath: encrypted))
      #expect(throws: InputFileError.self) { _ = try SQLiteImporter.isTables(encrypted) }
      #expect(try !SQLiteImporter.isTables(encrypted, goesByName: false))
    }
  }
}
