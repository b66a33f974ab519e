import TestSupport
import Testing

@testable import LarderStorage

/// Indexes that no column can have are refused before a store has them.
@Suite struct SchemaIndexTests {
  @Test(
    "a collection gets no index, and an embedded class no primary key",
    arguments: [
      (ColumnDeclaration(name: "p", type: .int, collection: .list, isIndexed: true), false, "only single values can"),
      (ColumnDeclaration(name: "p", type: .string, collection: .set, isIndexed: true), false, "only single values can"),
      (ColumnDeclaration(name: "p", type: .uuid, collection: .map, isIndexed: true), false, "only single values can"),
      (ColumnDeclaration(name: "p", type: .decimal128, isIndexed: true), false, "cannot be indexed"),
      (ColumnDeclaration(name: "p", type: .int, isPrimaryKey: true), true, "cannot be a primary key"),
    ])
  func refused(_ column: ColumnDeclaration, isEmbedded: Bool, _ words: String) throws {
    let temporary = try TemporaryStore()
    let declaration = ClassDeclaration(name: "C", isEmbedded: isEmbedded, columns: [column])
    let writer = try temporary.store.beginWrite()
    defer { writer.cancel() }
    let error = #expect(throws: StorageError.self) { try writer.apply([declaration], schemaVersion: 1) }
    #expect(error?.code == .invalidSchema && error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(error?.className == "C" && error?.property == "p")
  }
}
