import TestSupport
import Testing

@testable import LarderStorage

/// Renaming very many properties of one class in one migration.
@Suite struct ManyRenamesTests {
  private func declaration(_ names: [String]) -> [ClassDeclaration] {
    [ClassDeclaration(name: "Wide", columns: names.map { ColumnDeclaration(name: $0, type: .int) })]
  }

  @Test("F-43: they are planned and done in one pass, however many they are")
  func passes() async throws {
    try await LongTest.run {
      for count in [500, 1_000, 2_000, 4_000] {
        let fixture = try TemporaryStore()
        let old = (0..<count).map { "old\($0)" }
        let new = (0..<count).map { "new\($0)" }
        try fixture.write { try $0.apply(declaration(old), schemaVersion: 0) }
        let before = try #require(try fixture.snapshot.schema["Wide"])
        let key = try fixture.write { writer in
          let key = try writer.create(before.id)
          for (number, column) in before.columns.enumerated() {
            try writer.set(before.id, column.id, key, .int(Int64(number)))
          }
          return key
        }
        try fixture.write { writer in
          let migration = try SchemaMigration(writer, to: declaration(new), schemaVersion: 1)
          try migration.begin()
          let passes = migration.plan.passes
          try migration.renameColumns(zip(old, new).map { ColumnRename(onType: "Wide", from: $0, to: $1) })
          #expect(migration.plan.passes == passes + 1)
          try migration.finish()
        }
        let snapshot = try fixture.snapshot
        let after = try #require(snapshot.schema["Wide"])
        #expect(after.columns.map(\.id) == before.columns.map(\.id) && after.columns.map(\.name) == new)
        for (number, column) in after.columns.enumerated() {
          #expect(try snapshot.value(after.id, column.id, key) == .int(Int64(number)))
        }
        #expect(try StoreVerifier.verify(snapshot).isEmpty)
      }
    }
  }

  @Test("F-43: together they come to the same as one after the other, chains and refusals included", arguments: 0..<60)
  func together(round: Int) throws {
    var random = SeededRandom.forTest("renames \(round)")
    let names = (0..<8).map { "p\($0)" }
    let stored = try SchemaPlan(SchemaRecord(), declaration(names), schemaVersion: 0, version: 1).final
    // Those that were declared, some of them, and some new ones.
    let declared = names.filter { _ in random.oneIn(3) } + (0..<6).map { "n\($0)" }
    let renames = (0..<Int.random(in: 1...5, using: &random)).map { _ in
      ColumnRename(
        onType: random.oneIn(20) ? "Other" : "Wide", from: (names + declared).randomElement(using: &random) ?? "",
        to: (declared + ["x", "p7"]).randomElement(using: &random) ?? "")
    }
    var single = try SchemaPlan(stored, declaration(declared), schemaVersion: 1, version: 2)
    var together = single
    var failure: StorageError?
    for rename in renames where failure == nil {
      do { try single.renameColumns([rename]) } catch let error as StorageError { failure = error }
    }
    do {
      try together.renameColumns(renames)
      #expect(failure == nil)
      #expect(together.final == single.final && together.columnNames == single.columnNames)
      #expect(together.discarded == single.discarded)
    } catch let error as StorageError {
      #expect(error == failure)
      #expect(together.columnNames.isEmpty)
    }
  }
}
