import LarderExchange
import LarderQuery
import LarderStorage

/// Groups of a query's objects, as rows of their values and of what was worked out over them.
package struct GroupedReport {
  /// A column of the report.
  package enum Aggregate: Hashable, Sendable {
    case count
    case of(AggregateOperator, String)

    var title: String {
      switch self {
      case .count: "count"
      case .of(let operation, let property): "\(operation.rawValue.dropFirst())(\(property))"
      }
    }
  }

  private let runner: QueryRunner
  private let paths: [String]
  private let aggregates: [Aggregate]
  private let groups: [ResultsGroup]

  /// Runs the query of a request with `groupBy`; without any aggregate, objects are counted.
  ///
  /// - Throws: `PredicateError` for paths that cannot be grouped by, and aggregates that properties do not have.
  package init(_ runner: QueryRunner) throws {
    self.runner = runner
    paths = runner.request.groupBy
    aggregates = runner.request.aggregates.isEmpty ? [.count] : runner.request.aggregates
    let (query, reader) = (runner.query, runner.reader)
    let asked = try aggregates.map { aggregate in
      switch aggregate {
      case .count: GroupAggregate(.count, .presence)
      case .of(let operation, let property):
        try query.groupAggregate(property, operation, schema: reader.schema)
      }
    }
    groups = try query.grouped(by: try query.groupTargets(paths, schema: reader.schema), asked, in: reader)
  }

  /// How many groups there are.
  package var count: Int { groups.count }

  /// Writes the groups, at most the request's limit, in its format.
  ///
  /// - Returns: How many groups were written.
  package func write(_ write: (String) -> Void) throws -> Int {
    let shown = groups.prefix(runner.request.limit ?? .max)
    let titles = paths + aggregates.map(\.title)
    let rows = shown.lazy.map { $0.keys + $0.values }
    switch runner.request.format {
    case .table:
      let columns = titles.enumerated().map { number, title in
        TextTable.Column(title, isNumeric: number >= paths.count)
      }
      var table = TableWriter(columns, fitting: runner.request.width)
      for row in rows { table.append(row.map { ValueText.plain($0) ?? "nil" }, write) }
      table.finish(write)
    case .csv:
      write(CSVText.row(titles) + "\r\n")
      for row in rows { write(CSVText.row(row.map { ValueText.plain($0) ?? "" }) + "\r\n") }
    case .json:
      for row in rows {
        write(JSONValue(zip(titles, row).map { ($0, JSONValue(written: JSONText.value($1))) }).line)
      }
    }
    return shown.count
  }
}
