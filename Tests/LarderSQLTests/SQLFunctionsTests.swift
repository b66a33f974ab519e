import Foundation
import LarderExchange
import LarderStorage
import TestSupport
import Testing

@testable import LarderSQL

@Suite("Functions and statements of SQL")
struct SQLFunctionsTests {
  private func database(_ numbers: [Int?] = [1, 4, nil, 2, 10]) throws -> (TemporaryStore, SQLDatabase) {
    let store = try TemporaryStore(clusterSize: 16)
    try store.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "T",
            columns: [
              ColumnDeclaration(name: "n", type: .int, isOptional: true), ColumnDeclaration(name: "t", type: .string),
            ])
        ], schemaVersion: 1)
      let entry = try #require(writer.schema["T"])
      let (n, t) = (try #require(entry.column(named: "n")).id, try #require(entry.column(named: "t")).id)
      for (place, number) in numbers.enumerated() {
        let key = try writer.create(entry.id)
        try writer.set(entry.id, n, key, number.map { .int(Int64($0)) } ?? .null)
        try writer.set(entry.id, t, key, .string("row \(place)"))
      }
    }
    return (store, try SQLDatabase(try store.snapshot))
  }

  private func row(_ sql: String, _ numbers: [Int?] = [1, 4, nil, 2, 10]) throws -> [SQLValue] {
    let (store, database) = try database(numbers)
    return try withExtendedLifetime(store) { try #require(try database.prepare(sql).next()) }
  }

  @Test("F-161: medians, percentiles and deviations are those of the numbers that are there")
  func numbers() throws {
    #expect(
      try row("SELECT median(n), percentile(n, 0), percentile(n, 50), percentile(n, 100), percentile(n, 25) FROM T")
        == [.real(3), .real(1), .real(3), .real(10), .real(1.75)])
    // Of 1, 4, 2 and 10: the mean is 4.25, the squares add up to 48.75.
    #expect(
      try row("SELECT stddev_pop(n), stddev(n) FROM T") == [.real(12.1875.squareRoot()), .real(16.25.squareRoot())])
    #expect(try row("SELECT median(n), stddev(n), percentile(n, 5) FROM T WHERE n > 99") == [.null, .null, .null])
    #expect(try row("SELECT median(n), stddev(n), stddev_pop(n) FROM T WHERE n = 4") == [.real(4), .null, .real(0)])
    for part in ["101", "-0.5", "'half'", "NULL"] {
      let error = #expect(throws: (any Error).self) { try row("SELECT percentile(n, \(part)) FROM T") }
      #expect("\(error as Any)".contains("a number from 0 to 100"), "\(part)")
    }
    let (store, database) = try database()
    let groups = try database.prepare("SELECT n > 2 AS g, median(n) FROM T WHERE n IS NOT NULL GROUP BY g").rows()
    withExtendedLifetime(store) { #expect(groups == [[.integer(0), .real(1.5)], [.integer(1), .real(7)]]) }
  }

  @Test("F-161: REGEXP finds patterns anywhere in a text, and a wrong one is told")
  func patterns() throws {
    let (store, database) = try database()
    try withExtendedLifetime(store) {
      let found = try database.prepare("SELECT t FROM T WHERE t REGEXP '[13]$' ORDER BY t").rows()
      #expect(found == [[.text("row 1")], [.text("row 3")]])
      #expect(try row("SELECT NULL REGEXP 'a', 'a' REGEXP NULL, 12 REGEXP '^1'") == [.null, .null, .integer(1)])
      #expect { _ = try database.prepare("SELECT t REGEXP '(' FROM T").rows() } throws: {
        "\($0)".contains("is no regular expression")
      }
    }
  }

  @Test("F-161: a text is cut into its statements, and a mistake is where it is in the whole")
  func statements() throws {
    let (store, database) = try database()
    try withExtendedLifetime(store) {
      let text = "-- first\nSELECT 1; ;SELECT ':a;', :a, é FROM (SELECT 2 AS é);\n/* end */"
      let found = try database.statements(in: text)
      #expect(found.map(\.parameters) == [[], ["a"]])
      #expect(
        try found.map { try database.prepare($0.text, $0.parameters.isEmpty ? [:] : ["a": .integer(5)]).rows() }
          == [[[.integer(1)]], [[.text(":a;"), .integer(5), .integer(2)]]])
      #expect(try database.statements(in: " ;\n").isEmpty)
      #expect { _ = try database.statements(in: "SELECT 'é'; SELECT nothing FROM T") } throws: {
        ($0 as? SQLError)?.position == 19
      }
      #expect { _ = try database.statements(in: "SELECT 1; CREATE TABLE x (a)") } throws: {
        ($0 as? SQLError)?.code == .readOnly
      }
    }
  }

  @Test("F-159: a self-join that names a constant is narrowed by all of its equalities")
  func selfJoin() throws {
    // Of each of twelve months a twelfth: with the constant alone, a join would look at 500 times 500 rows.
    let numbers = (0..<6_000).map { Int?($0 % 12) }
    let (store, database) = try database(numbers)
    try withExtendedLifetime(store) {
      for sql in [
        "SELECT count(*) FROM T a JOIN T b ON a.t = b.t AND a.n = b.n WHERE a.n = 5",
        "SELECT count(*) FROM T a JOIN T b ON a.t = b.t WHERE a.n = 5 AND b.n = 5",
        "SELECT count(*) FROM T a, T b WHERE b.n = 5 AND a.n = 5 AND b.t = a.t AND a.rowid <= b.rowid",
        "SELECT count(*) FROM T a JOIN T b ON a.t = b.t JOIN T c ON c.t = b.t WHERE a.n = 5 AND b.n = 5 AND c.n = 5",
      ] {
        let (rows, thousands) = try database.counted(sql)
        #expect(rows == [[.integer(500)]], "\(sql)")
        #expect(thousands < 100, "\(sql): \(thousands)")
      }
    }
  }

  @Test("F-159: a join with an inequality looks at few rows, and asks the store a few times only")
  func inequality() throws {
    // Six rows have each text, of six different months.
    let (store, database) = try database((0..<6_000).map { Int?($0 % 12) })
    try store.write { writer in
      let entry = try #require(writer.schema["T"])
      let column = try #require(entry.column(named: "t")).id
      for key in 0..<6_000 {
        try writer.set(entry.id, column, ObjectKey(rawValue: UInt64(key)), .string("text \(key % 1_000)"))
      }
    }
    let fresh = try SQLDatabase(try store.snapshot)
    try withExtendedLifetime((store, database)) {
      let sql = "SELECT count(*) FROM T a JOIN T b ON a.t = b.t WHERE a.n < b.n"
      let (rows, thousands) = try fresh.counted(sql)
      #expect(rows == (try expectedPairs()))
      #expect(thousands < 500, "\(thousands)")
      #expect(fresh.queryCount < 50, "\(fresh.queryCount)")
    }
  }

  /// Returns the number of pairs of rows with the same text in different months, the former less.
  private func expectedPairs() throws -> [[SQLValue]] {
    var pairs = 0
    for text in 0..<1_000 {
      let months = stride(from: text, to: 6_000, by: 1_000).map { $0 % 12 }
      for first in months { pairs += months.count { first < $0 } }
    }
    return [[.integer(Int64(pairs))]]
  }
}
