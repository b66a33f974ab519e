import TestSupport
import Testing

@testable import LarderStorage

/// Declarations may ask for an index over values of any type, of which a store keeps none.
@Suite struct MixedIndexTests {
  private func open(_ directory: TemporaryDirectory) throws -> Store {
    try Store.open(path: directory.file("s.larder"), options: StoreOptions())
  }

  @Test("M-23: an index over values of any type is not kept, and asking again changes nothing")
  func askedFor() throws {
    let directory = try TemporaryDirectory("mixed-index")
    let declaration = ClassDeclaration(
      name: "Note", columns: [ColumnDeclaration(name: "what", type: .mixed, isIndexed: true)])
    for round in 0..<2 {
      let store = try open(directory)
      let writer = try store.beginWrite()
      try writer.apply([declaration], schemaVersion: 0)
      let note = try #require(writer.schema["Note"])
      let what = try #require(note.column(named: "what"))
      let key = try writer.create(note.id)
      try writer.set(note.id, what.id, key, .int(Int64(round)))
      try writer.commit()
      #expect(try StoreVerifier.verify(store.snapshot()).isEmpty)
      let changes = SchemaDifference.changes(from: try store.snapshot().schema, to: [declaration])
      #expect(changes.isEmpty, "\(changes)")
    }
  }

  @Test("M-23: a catalog that says there is one is sound")
  func written() {
    let column = ColumnDescriptor(
      id: ColumnID(rawValue: 1), name: "what", type: .mixed, collection: .none, isOptional: true, target: nil,
      isPrimaryKey: false, isIndexed: true, isFullText: false)
    #expect(!column.hasIndex)
  }
}
