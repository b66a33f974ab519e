import CSQLite
import Foundation
import TestSupport
import Testing

/// Questions of analysts to flights, in three languages: `Fixtures/nycflights13/questions.json`. `Benchmarks/questions` asks them of a whole
/// year and measures.
@Suite("Questions to flights")
struct FlightQuestionsTests {
  struct Question: Decodable {
    let question: String
    /// Arguments of the verb `query`.
    let query: [String]
    let sql: String
  }

  @Test(
    "F-161: the verb query, and one statement with the verb sql and with SQLite over the exported tables, answer the same"
  )
  func answers() throws {
    let directory = try TemporaryDirectory("questions")
    let (store, exported) = (directory.file("nyc.larder"), directory.file("nyc.sqlite"))
    let source = "\(repository)/Fixtures/nycflights13"
    for (file, mapping) in [
      ("airlines.csv", "airlines"), ("planes.csv", "planes"), ("flights-january.csv.gz", "flights"),
      ("weather-january.csv.gz", "weather"),
    ] {
      try larder(
        "import", "\(source)/\(file)", "--into", store, "--mapping", "\(source)/\(mapping).map.json", "--write")
    }
    try larder("export", store, "--into", exported)
    let questions = try JSONDecoder().decode(
      [Question].self, from: try Data(contentsOf: URL(fileURLWithPath: "\(source)/questions.json")))
    #expect(questions.count == 10)
    for question in questions {
      let expected = sorted(try rows(database: exported, question.sql))
      #expect(!expected.isEmpty)
      for arguments in [["query", store, "Flight"] + question.query, ["sql", store, question.sql]] {
        let found = sorted(try rows(csv: try larder(arguments + ["--format", "csv"])))
        let first = zip(found, expected).first { !isSame($0, $1) }
        let isEqual = first == nil && found.count == expected.count
        #expect(
          isEqual,
          "\(question.question) \(arguments[0]): \(String(describing: first)), \(found.count) of \(expected.count)")
      }
    }
  }

  private var repository: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
  }

  @discardableResult
  private func larder(_ arguments: String...) throws -> String { try larder(arguments) }

  private func larder(_ arguments: [String]) throws -> String {
    let done = try WorkerProcess.run("larder", arguments)
    #expect(done.status == 0, "\(arguments): \(done.errors)")
    return done.output
  }

  /// The rows after the header. No value of the answers has commas or quotes within, but some are quoted.
  private func rows(csv: String) throws -> [[String]] {
    csv.split(whereSeparator: \.isNewline).dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { field in
        field.hasPrefix("\"") ? String(field.dropFirst().dropLast()) : String(field)
      }
    }
  }

  /// Returns the rows that SQLite itself answers, as text; null as an empty one, as in CSV.
  private func rows(database path: String, _ sql: String) throws -> [[String]] {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try #require(
      sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          if sqlite3_column_type(statement, column) == SQLITE_FLOAT {
            return "\(sqlite3_column_double(statement, column))"
          }
          return sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        })
    }
    return rows
  }

  /// Rows in one order: averages of the three may differ in their last digits.
  private func sorted(_ rows: [[String]]) -> [[String]] {
    func key(_ row: [String]) -> String {
      row.map { cell in Double(cell).map { String(format: "%020.6f", $0) } ?? cell }.joined(separator: "|")
    }
    return rows.map { (key($0), $0) }.sorted { $0.0 < $1.0 }.map { $0.1 }
  }

  private func isSame(_ one: [String], _ other: [String]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { one, other in
        guard let first = Double(one), let second = Double(other) else { return one == other }
        return abs(first - second) <= 1e-9 * max(1, abs(first))
      }
  }
}
