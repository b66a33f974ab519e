import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderSQL

/// Statements in which conversions of values decide, as people have reported them of databases and their adapters: `Fixtures/sql`.
@Suite("Reported statements, beside SQLite's own tables")
struct ReportedStatementTests {
  private typealias Row = (
    id: Int64, text: String, number: Int64, double: Double, bool: Bool, optional: Int64?, name: String
  )

  private static let rows: [Row] = [
    (1, "10", 10, 1.5, true, nil, "Abc"), (2, "2", 2, 2, false, 5, "abC"), (3, "02", -3, -0.5, true, 2, "Éa"),
    (4, "2a", 9_007_199_254_740_993, 9_007_199_254_740_992, false, nil, "éa"), (5, "", 0, 0.25, true, 0, "a%c"),
    (6, "abc", 2, 1e300, false, 7, "a_c"), (7, "É", 7, -1e300, true, -1, ""),
  ]

  private static var statements: [String] {
    get throws {
      let file = fixtures + "/sql/statements.sql"
      return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        .filter { !$0.hasPrefix("--") }
    }
  }

  private func database(isIndexed: Bool) throws -> (TemporaryStore, SQLDatabase) {
    let temporary = try TemporaryStore(clusterSize: 16)
    try temporary.write { writer in
      func column(_ name: String, _ type: ColumnType, isOptional: Bool = false) -> ColumnDeclaration {
        ColumnDeclaration(
          name: name, type: type, isOptional: isOptional, isIndexed: isIndexed && ["t", "n", "o", "s"].contains(name))
      }
      try writer.apply(
        [
          ClassDeclaration(
            name: "T",
            columns: [
              column("id", .int), column("t", .string), column("n", .int), column("d", .double), column("b", .bool),
              column("o", .int, isOptional: true), column("s", .string),
            ])
        ], schemaVersion: 1)
      let entry = try #require(writer.schema["T"])
      for row in Self.rows {
        let key = try writer.create(entry.id)
        let values: [(String, StoredValue)] = [
          ("id", .int(row.id)), ("t", .string(row.text)), ("n", .int(row.number)), ("d", .double(row.double)),
          ("b", .bool(row.bool)), ("o", row.optional.map { .int($0) } ?? .null), ("s", .string(row.name)),
        ]
        for (name, value) in values {
          try writer.set(entry.id, try #require(entry.column(named: name)).id, key, value)
        }
      }
    }
    return (temporary, try SQLDatabase(try temporary.snapshot))
  }

  @Test("each statement gives SQLite's rows in SQLite's order, with indexes and without", arguments: [false, true])
  func statements(isIndexed: Bool) throws {
    let (temporary, database) = try database(isIndexed: isIndexed)
    let oracle = try SQLiteOracle()
    try oracle.rows("CREATE TABLE T(id INTEGER, t TEXT, n INTEGER, d REAL, b INTEGER, o INTEGER, s TEXT)")
    for row in Self.rows {
      try oracle.rows(
        "INSERT INTO T VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          .integer(row.id), .text(row.text), .integer(row.number), .real(row.double), .integer(row.bool ? 1 : 0),
          row.optional.map { .integer($0) } ?? .null, .text(row.name),
        ])
    }
    let statements = try Self.statements
    #expect(statements.count == 63)
    for statement in statements {
      let found = try database.prepare(statement).rows()
      let expected = try oracle.rows(statement)
      #expect(found == expected, "\(statement)")
    }
    withExtendedLifetime(temporary) {}
  }
}
