import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

@testable import LarderExchange

/// Checks that files of `export`, imported and exported again, are the same to the byte.
@Suite struct ExportTests {
  private static let formats = ["jsonl", "csv", "sqlite"]

  /// Exports, imports, exports and compares all files.
  private func roundTrip(_ store: String, _ format: String, _ directory: TemporaryDirectory) throws {
    let name = "\(format)-\(UUID().uuidString)"
    let (first, second) = (directory.file("\(name)-1"), directory.file("\(name)-2"))
    let copy = directory.file("\(name).larder")
    try expectLarder("export", store, "--into", first, "--format", format)
    try expectLarder("import", first, "--into", copy)
    try expectLarder("export", copy, "--into", second, "--format", format)
    let manager = FileManager.default
    #expect(try expectLarder("dump", copy) == expectLarder("dump", store))
    try expectLarder("check", copy, "--quiet")
    guard format != "sqlite" else {
      #expect(manager.contentsEqual(atPath: first, andPath: second))
      return
    }
    let files = try manager.contentsOfDirectory(atPath: first).sorted()
    #expect(try files == manager.contentsOfDirectory(atPath: second).sorted() && files.contains("schema.json"))
    for file in files {
      #expect(manager.contentsEqual(atPath: "\(first)/\(file)", andPath: "\(second)/\(file)"), "\(file)")
    }
  }

  @Test(
    "O-20: a store with every type, and values from the whole range of each, is exported and imported without loss",
    arguments: formats)
  func everyType(_ format: String) throws {
    var random = SeededRandom.forTest()
    try withTemporaryDirectory { directory in
      let store = directory.file("all.larder")
      try DumpTests.fill(store, 60, &random)
      try expectLarder("export", store, "--into", directory.file("\(format)-values"), "--format", format)
      try roundTrip(store, format, directory)
      try expectLarder("import", directory.file("\(format)-values"), "--into", directory.file("values.larder"))
      try DumpTests.expectSameValues(store, directory.file("values.larder"))
    }
  }

  @Test("The fixtures are exported and imported without loss", arguments: formats)
  func fixtureStores(_ format: String) throws {
    try withTemporaryDirectory { directory in
      try roundTrip(try importCountries(directory), format, directory)
      let flights = directory.file("fly.larder")
      for name in ["airlines", "airports", "planes"] {
        try expectLarder(
          "import", "--write", "\(fixtures)/nycflights13/\(name).csv", "--into", flights, "--mapping",
          "\(fixtures)/nycflights13/\(name).map.json")
      }
      try roundTrip(flights, format, directory)
      let old = directory.file("format-1.larder")
      try FileManager.default.copyItem(atPath: "\(fixtures)/format/format-1.larder", toPath: old)
      try roundTrip(old, format, directory)
    }
  }

  @Test(
    "Names that files and SQLite do not tell apart, classes without properties, and rows without values are kept",
    arguments: formats)
  func oddNames(_ format: String) throws {
    try withTemporaryDirectory { directory in
      let store = directory.file("odd.larder")
      let writer = try StoreAccess.open(writing: store).beginWrite()
      let text = { ColumnDeclaration(name: $0, type: .string, isOptional: true) }
      try writer.apply(
        [
          ClassDeclaration(name: "Thing", columns: [text("name"), text("NAME"), text("_row"), text("a\"b,c")]),
          ClassDeclaration(name: "THING", columns: [ColumnDeclaration(name: "to", type: .link, target: "Thing")]),
          ClassDeclaration(name: "sqlite_x", columns: [text("only")]), ClassDeclaration(name: "Bare/%", columns: []),
        ], schemaVersion: nil)
      for name in ["Thing", "THING", "sqlite_x", "Bare/%"] {
        let entry = try #require(writer.schema[name])
        let keys = try (0..<3).map { _ in try writer.create(entry.id) }
        for column in entry.columns where column.type == .string {
          try writer.set(entry.id, column.id, keys[1], .string(""))
          try writer.set(entry.id, column.id, keys[2], .string("\(column.name)\r\n\"x\" \"\u{301}"))
        }
        try writer.delete(entry.id, keys[0])
      }
      let (from, to) = (try #require(writer.schema["THING"]), try #require(writer.schema["Thing"]))
      let link = try #require(from.column(named: "to"))
      try writer.set(from.id, link.id, ObjectKey(rawValue: 1), .link(ObjectKey(rawValue: 2)))
      _ = try writer.commit()
      #expect(to.columns.count == 4)
      try roundTrip(store, format, directory)
    }
  }

  @Test("Exports say links by primary key, and one class can be written alone")
  func forms() throws {
    try withTemporaryDirectory { directory in
      let store = try importCountries(directory)
      let csv = try expectLarder("export", store, "--class", "Country", "--format", "csv")
      #expect(csv.hasPrefix("iso,name,capital,") && csv.contains("\nPT,Portugal,Lisbon,"), "\(csv.prefix(200))")
      let line = try expectLarder("export", store, "--class", "Country").split(separator: "\n").first {
        $0.contains("Portugal")
      }
      #expect(line?.contains("\"continent\": \"EU\"") == true && line?.contains("\"neighbours\": [\"ES\"]") == true)
      let (folder, file) = (directory.file("world"), directory.file("world.sqlite"))
      defer { #expect((try? FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int) == 0o600) }
      let report = try expectLarder("export", store, "--into", file, "--json")
      #expect(report.contains("\"format\": \"sqlite\", \"objects\": 259"), "\(report)")
      try expectFailure("export", store, "--into", file, words: "there already")
      try expectFailure("export", store, "--class", "Location", words: "embedded")
      try expectLarder("export", store, "--into", folder, "--format", "csv")
      #expect(try larder("import", folder, "--into", store).status == 2)
      try expectFailure("import", folder, "--into", store, "--write", words: "has classes already")
      #expect(try larder("import", folder, "--into", directory.file("x"), "--update").status == 2)
      let broken = "\(folder)/Continent.csv"
      try String(contentsOfFile: broken, encoding: .utf8).replacing("EU,", with: "EU,\"x\"")
        .write(toFile: broken, atomically: true, encoding: .utf8)
      try expectFailure("import", folder, "--into", directory.file("x"), words: "Continent.csv:")
      #expect(!FileManager.default.fileExists(atPath: directory.file("x")))
    }
  }

  @Test("Files that export did not write are refused")
  func strangers() throws {
    try withTemporaryDirectory { directory in
      try expectFailure("import", directory.path, "--into", directory.file("n"), words: "schema.json")
      let file = directory.file("other.db")
      try Data("SQLite format 3\u{0}".utf8).write(to: URL(fileURLWithPath: file))
      try expectFailure("import", file, "--into", directory.file("n"), words: "not a database")
      try SQLiteFile(directory.file("tables.db"), isNew: true).run("CREATE TABLE t (x)")
      try expectFailure("load", directory.file("tables.db"), "--into", directory.file("n"), words: "larder_schema")
    }
  }
}
