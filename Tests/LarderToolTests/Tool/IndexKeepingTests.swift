import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Indexes and rules of a class outlive what the tool does to it.
@Suite struct IndexKeepingTests {
  private static let note = ClassDeclaration(
    name: "Note",
    columns: [
      ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
      ColumnDeclaration(name: "body", type: .string, isFullText: true),
      ColumnDeclaration(name: "page", type: .int, isIndexed: true),
    ],
    indexes: [IndexDeclaration(["body", "page"], isUnique: true), IndexDeclaration(["page", "body"])])

  private func makeStore(_ directory: TemporaryDirectory) throws -> String {
    let path = directory.file("notes.larder")
    let writer = try StoreAccess.open(writing: path).beginWrite()
    try writer.apply([Self.note], schemaVersion: 3)
    _ = try writer.create(try #require(writer.schema["Note"]).id, primaryKey: .int(1))
    _ = try writer.commit()
    return path
  }

  private func declared(_ path: String) throws -> [ClassDeclaration] {
    let schema = try StoreAccess.open(reading: path).snapshot().schema
    return schema.classes.map { ClassDeclaration($0, in: schema) }
  }

  @Test func importingKeepsThem() throws {
    try withTemporaryDirectory { directory in
      let store = try makeStore(directory)
      let file = try directory.write("id,body,page,author\n2,two words,7,Ann\n", to: "notes.csv")
      try expectLarder("import", "--write", file, "--into", store, "--class", "Note", "--add-properties")
      let note = try #require(try declared(store).first)
      #expect(note.columns.count == 4 && note.indexes == Self.note.indexes)
      #expect(note.columns.first { $0.name == "body" }?.isFullText == true)
      #expect(try expectLarder("query", store, "Note", "body TEXT 'words'", "--count") == "1\n")
      try expectLarder("check", store, "--quiet")
    }
  }

  @Test func theSchemaFileAndTheSwiftSourceNameThem() throws {
    try withTemporaryDirectory { directory in
      let store = try makeStore(directory)
      let file = try directory.write(try expectLarder("schema", store, "--json"), to: "schema.json")
      #expect(try SchemaFile.read(file).classes == [Self.note])
      try expectLarder("migrate", store, file, "--write")
      #expect(try declared(store) == [Self.note])
      let source = try expectLarder("schema", store, "--swift")
      #expect(source.contains("@Persisted(indexed: .fullText) var body: String"), "\(source)")
      let (dump, copy) = (directory.file("notes.jsonl"), directory.file("copy.larder"))
      try expectLarder("dump", store, "--out", dump)
      try expectLarder("load", dump, "--into", copy)
      #expect(try declared(copy) == [Self.note])
    }
  }
}
