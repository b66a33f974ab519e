import Foundation
import LarderRealmImport
import LarderStorage
import TestSupport
import Testing

/// Files that were made by hand: with what cannot be carried, and larger ones.
@Suite struct CraftedFileTests {
  private typealias Column = RealmFileBuilder.Column
  private typealias Table = RealmFileBuilder.Table

  /// Imports a file of some tables; what the report says, and the store.
  private func imported(
    _ tables: [Table], schemaVersion: Int64 = 3, objectsPerTransaction: Int? = nil
  ) throws -> (RealmImportReport, Snapshot) {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      RealmFileBuilder(tables, schemaVersion: schemaVersion).bytes(), to: "crafted.realm")
    var importer = RealmImporter(file)
    if let objectsPerTransaction { importer.objectsPerTransaction = objectsPerTransaction }
    let report = try importer.makeStore(at: directory.file("new.larder"))
    let snapshot = try Store.open(path: directory.file("new.larder")).snapshot()
    let problems = try StoreVerifier.verify(snapshot)
    #expect(problems.isEmpty, "\(problems)")
    return (report, snapshot)
  }

  private func values(_ snapshot: Snapshot, _ className: String, _ property: String) throws -> [StoredValue] {
    let entry = try #require(snapshot.schema[className])
    let column = try #require(entry.column(named: property))
    return try snapshot.keys(of: entry.id).map { try snapshot.value(entry.id, column.id, $0) }
  }

  /// A class whose objects have numbers.
  private func numbers(_ name: String, flags: Int = 0, _ keys: [Int64]) -> Table {
    Table(
      name, flags: flags, rows: keys.count, keys: keys,
      [Column("n", .int) { rows, nodes in nodes.integers(rows.map { Int64($0) * 10 }) }])
  }

  /// A class whose objects link to those of the first table.
  private func linking(_ links: [Int64?], lists: [[Int64]]? = nil) -> Table {
    let lists = lists ?? links.map { _ in [] }
    return Table(
      "class_From", rows: links.count,
      [
        Column("one", .link, attributes: 16, target: 0) { rows, nodes in nodes.links(Array(links[rows])) },
        Column("many", .link, attributes: 32, target: 0) { rows, nodes in nodes.linkLists(Array(lists[rows])) },
      ])
  }

  @Test("U-41: links to objects that are not there are nil, and are not in lists")
  func brokenLinks() throws {
    let (report, snapshot) = try imported([
      numbers("class_To", [2, 7, 9]), linking([7, 8, nil, 9], lists: [[2, 3, 9, 9], [], [4], [7]]),
    ])
    #expect(report.schemaVersion == 3 && snapshot.schema.schemaVersion == 3)
    #expect(
      try values(snapshot, "From", "one") == [
        .link(ObjectKey(rawValue: 1)), .null, .null, .link(ObjectKey(rawValue: 2)),
      ])
    let from = try #require(snapshot.schema["From"])
    let many = try #require(from.column(named: "many"))
    let lists = try (0..<4).map { row in
      try snapshot.list(from.id, many.id, ObjectKey(rawValue: UInt64(row))).values()
    }
    func links(_ keys: UInt64...) -> [StoredValue] { keys.map { .link(ObjectKey(rawValue: $0)) } }
    #expect(lists == [links(0, 2, 2), [], [], links(1)])
    #expect(report.omissionCounts == [.missingObject: 3])
    #expect(
      Set(report.omissions.map { "\($0.className).\($0.property ?? "") \($0.key)" }) == [
        "From.one 1", "From.many 0", "From.many 2",
      ])
    #expect(report.classes.map(\.links) == [0, 6])
    #expect(!report.isComplete)
  }

  @Test("F-186: links to objects that were deleted or never synchronised are nil, counted, and no omissions")
  func unresolvedLinks() throws {
    let (report, snapshot) = try imported([
      numbers("class_To", [0]), linking([0, -2, -3], lists: [[0, -4, 0], [-5], []]),
    ])
    #expect(try values(snapshot, "From", "one") == [.link(ObjectKey(rawValue: 0)), .null, .null])
    let from = try #require(snapshot.schema["From"])
    let many = try #require(from.column(named: "many"))
    #expect(try snapshot.list(from.id, many.id, ObjectKey(rawValue: 0)).count == 2)
    #expect(try snapshot.list(from.id, many.id, ObjectKey(rawValue: 1)).count == 0)
    #expect(report.unresolvedLinks == 4)
    #expect(report.omissionCounts.isEmpty && report.omissions.isEmpty && report.isComplete)
  }

  @Test("F-183: in a file without classes, tables are classes under their names, with links and schema version")
  func otherTables() throws {
    let links = Table(
      "Owner", rows: 2,
      [
        Column("one", .link, attributes: 16, target: 0) { rows, nodes in nodes.links(rows.map { [4, 7][$0] }) }
      ])
    let (report, snapshot) = try imported([
      numbers("Dog", [4, 7]), links, numbers("sync_internal", [0]), numbers("flx_sets", [0]), numbers("pk", [0]),
    ])
    #expect(snapshot.schema.classes.map(\.name) == ["Dog", "Owner"])
    #expect(try values(snapshot, "Dog", "n") == [.int(0), .int(10)])
    #expect(try values(snapshot, "Owner", "one") == [.link(ObjectKey(rawValue: 0)), .link(ObjectKey(rawValue: 1))])
    #expect(report.objects == 4 && report.isComplete && snapshot.schema.schemaVersion == 3)
    #expect(Set(report.skippedTables.map(\.name)) == ["sync_internal", "flx_sets", "pk", "metadata"])
    // Beside classes they are what Realm does not show either, and are not said to be its own.
    let (mixed, second) = try imported([numbers("class_Dog", [4]), numbers("Cat", [0])])
    #expect(second.schema.classes.map(\.name) == ["Dog"])
    #expect(mixed.skippedTables.first { $0.name == "Cat" }?.why.contains("class_") == true)
    #expect(mixed.skippedTables.first { $0.name == "metadata" }?.why == "it is Realm's own")
  }

  @Test("U-41: an embedded object goes under its first parent, and nowhere without one") func embeddedObjects() throws {
    let (report, snapshot) = try imported([
      numbers("class_Part", flags: 1, [1, 2, 3, 4]), linking([1, 1, 5], lists: [[], [2, 1, 2], []]),
    ])
    let from = try #require(snapshot.schema["From"])
    let part = try #require(snapshot.schema["Part"])
    #expect(part.isEmbedded)
    #expect(try snapshot.count(of: part.id) == 2)
    #expect(try values(snapshot, "Part", "n").sorted { "\($0)" < "\($1)" } == [.int(0), .int(10)])
    let many = try #require(from.column(named: "many"))
    #expect(try snapshot.list(from.id, many.id, ObjectKey(rawValue: 1)).count == 1)
    #expect(report.omissionCounts == [.embeddedWithTwoParents: 3, .missingObject: 1, .embeddedWithoutParent: 2])
    #expect(report.omissions.filter { $0.reason == .embeddedWithoutParent }.map(\.key) == [3, 4])
    #expect(report.classes.map(\.carried) == [2, 3])
  }

  @Test("U-41: embedded objects that hold each other, however deep, end the import and nothing else")
  func embeddedChains() throws {
    let depth = 20_000
    let part = Table(
      "class_Part", flags: 1, rows: depth,
      [
        Column("next", .link, attributes: 16, target: 0) { rows, nodes in
          // The last one holds the first one again.
          nodes.links(rows.map { Int64(($0 + 1) % depth) })
        }
      ])
    let (report, snapshot) = try imported([part, linking([0])])
    #expect(try snapshot.count(of: try #require(snapshot.schema["Part"]).id) == depth)
    #expect(report.omissionCounts == [.embeddedWithTwoParents: 1])
  }

  @Test("U-41: classes whose objects are only sent to a server are not carried, nor what links to them")
  func asymmetricClasses() throws {
    let (report, snapshot) = try imported([
      numbers("class_Event", flags: 2, [0, 1]), linking([0, 1]), numbers("class_Other", [0]),
    ])
    #expect(snapshot.schema.classes.map(\.name) == ["From", "Other"])
    #expect(snapshot.schema["From"]?.columns.isEmpty == true)
    #expect(report.skippedTables.first?.name == "Event" && report.skippedTables.first?.objects == 2)
    #expect(report.notices.map(\.property) == ["one", "many"])
    #expect(!report.isComplete)
  }

  @Test("U-41: of objects with one primary key the first is carried, and links to the others are nil")
  func duplicateKeys() throws {
    let to = Table(
      "class_To", primaryKey: 0, rows: 4,
      [
        Column("id", .int) { rows, nodes in nodes.integers(rows.map { [5, 6, 5, 7][$0] }) },
        Column("name", .string) { rows, nodes in nodes.strings(rows.map { "row \($0)" }) },
      ])
    let (report, snapshot) = try imported([to, linking([0, 1, 2, 3])])
    #expect(try values(snapshot, "To", "name") == [.string("row 0"), .string("row 1"), .string("row 3")])
    let keys: [UInt64?] = [0, 1, nil, 2]
    let links: [StoredValue] = keys.map { key in key.map { .link(ObjectKey(rawValue: $0)) } ?? .null }
    #expect(try values(snapshot, "From", "one") == links)
    #expect(report.omissionCounts == [.duplicatePrimaryKey: 1, .missingObject: 1])
  }

  @Test("U-41: mixed values link to what was carried") func mixedLinks() throws {
    let box = Table(
      "class_Box", rows: 3,
      [
        Column("v", .mixed, attributes: 16) { rows, nodes in
          nodes.mixedLinks(rows.map { [(0, 3), (0, 4), (0, 99)][$0] })
        }
      ])
    let (report, snapshot) = try imported([numbers("class_To", [3]), box, numbers("other", [0, 1])])
    let to = try #require(snapshot.schema["To"])
    let values = try values(snapshot, "Box", "v")
    #expect(values.first == .object(ObjectLink(classID: to.id, key: ObjectKey(rawValue: 0))))
    #expect(Array(values.dropFirst()) == [.null, .null])
    #expect(report.skippedTables.map(\.name).contains("other"))
    #expect(report.omissionCounts == [.missingObject: 2])
  }

  @Test("U-41: dictionaries with integers as keys have their digits as keys") func integerKeys() throws {
    let box = Table(
      "class_Box", rows: 1,
      [
        Column("d", .mixed, attributes: 16 | 64, keyKind: .int) { _, nodes in
          let pair = [nodes.integers([-5, 12]), nodes.mixedIntegers([1, nil])]
          let dictionary = nodes.references(pair)
          return nodes.references([dictionary])
        }
      ])
    let (report, snapshot) = try imported([box])
    let entry = try #require(snapshot.schema["Box"])
    let map = try snapshot.map(entry.id, try #require(entry.column(named: "d")).id, ObjectKey(rawValue: 0))
    let pairs = try (0..<map.count).map { "\(try map.key(at: $0)): \(try map.value(at: $0))" }
    #expect(pairs == ["-5: int(1)", "12: null"])
    #expect(report.isComplete)
  }

  @Test("U-40: an import of several transactions holds all objects and links") func manyTransactions() throws {
    let rows = 3_000
    let to = RealmFileBuilder.people(rows)
    let from = Table(
      "class_From", rows: rows,
      [
        Column("one", .link, attributes: 16, target: 0) { part, nodes in
          nodes.links(part.map { Int64(rows - 1 - $0) })
        }
      ])
    let (report, snapshot) = try imported([to, from], objectsPerTransaction: 250)
    #expect(report.isComplete && report.objects == 2 * rows)
    #expect(snapshot.version > 20)
    #expect(try values(snapshot, "Person", "id") == (0..<rows).map { .int(Int64($0)) })
    #expect(
      try values(snapshot, "From", "one") == (0..<rows).map { .link(ObjectKey(rawValue: UInt64(rows - 1 - $0))) })
    #expect(try values(snapshot, "Person", "name").last == .string("person number \(rows - 1) of them"))
    #expect(
      try values(snapshot, "Person", "created").last
        == .date(Timestamp(seconds: 1_600_000_000 + Int64(rows - 1), nanoseconds: 500)))
  }
}
