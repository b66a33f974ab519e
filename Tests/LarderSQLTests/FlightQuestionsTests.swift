import Foundation
import LarderExchange
import TestSupport
import Testing

@testable import LarderSQL

/// What analysts ask of flights, in three languages: `Fixtures/nycflights13/questions.json`. `Benchmarks/questions` asks it of a whole year
/// and measures.
@Suite("Questions to flights")
struct FlightQuestionsTests {
  struct Question: Decodable {
    let question: String
    /// Arguments of the verb `query`.
    let query: [String]
    let sql: String
    /// The statement for the exported tables, where links are other values.
    let exported: String?
  }

  @Test("The verb query, the verb sql and SQLite over the exported tables answer the same")
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
    let database = try SQLiteOracle(exported)
    for question in questions {
      let expected = sorted(try database.rows(question.exported ?? question.sql))
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
      .deletingLastPathComponent().path
  }

  @discardableResult
  private func larder(_ arguments: String...) throws -> String { try larder(arguments) }

  private func larder(_ arguments: [String]) throws -> String {
    let done = try WorkerProcess.run("larder", arguments)
    #expect(done.status == 0, "\(arguments): \(done.errors)")
    return done.output
  }

  /// The rows after the header. No value of the answers has commas or quotes but names of airlines, which have neither.
  private func rows(csv: String) throws -> [[SQLValue]] {
    csv.split(whereSeparator: \.isNewline).dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
        if cell.isEmpty { return .null }
        return Double(cell).map { .real($0) } ?? .text(String(cell))
      }
    }
  }

  /// Rows in one order: averages of the three may differ in their last digits.
  private func sorted(_ rows: [[SQLValue]]) -> [[SQLValue]] {
    func key(_ row: [SQLValue]) -> String {
      row.map { value in number(value).map { String(format: "%020.6f", $0) } ?? value.plain ?? "" }
        .joined(separator: "|")
    }
    return rows.map { (key($0), $0) }.sorted { $0.0 < $1.0 }.map { $0.1 }
  }

  private func isSame(_ one: [SQLValue], _ other: [SQLValue]) -> Bool {
    one.count == other.count
      && zip(one, other).allSatisfy { one, other in
        guard let first = number(one), let second = number(other) else { return one == other }
        return abs(first - second) <= 1e-9 * max(1, abs(first))
      }
  }

  private func number(_ value: SQLValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob: nil
    }
  }
}
