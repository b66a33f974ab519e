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
    let found = try query.grouped(by: try query.groupTargets(paths, schema: reader.schema), asked, in: reader)
    groups = try Self.sorted(
      found, by: try runner.request.sort.map(QueryRunner.criterion), titles: paths + aggregates.map(\.title))
  }

  /// The groups in another order than that of their values, which decides among equal ones.
  private static func sorted(
    _ groups: [ResultsGroup], by criteria: [(keyPath: String, ascending: Bool)], titles: [String]
  ) throws -> [ResultsGroup] {
    guard !criteria.isEmpty else { return groups }
    let places = try criteria.map { criterion in
      guard let place = titles.firstIndex(of: criterion.keyPath) else {
        throw PredicateError(
          .unsupportedSort,
          "The groups have no column '\(criterion.keyPath)'; they have \(titles.joined(separator: ", "))",
          text: criterion.keyPath)
      }
      return (place, criterion.ascending)
    }
    let rows = groups.map { $0.keys + $0.values }
    return groups.indices.sorted { a, b in
      for (place, ascending) in places {
        let order = ValueOrder.compare(rows[a][place], rows[b][place])
        if order != 0 { return (order < 0) == ascending }
      }
      return a < b
    }.map { groups[$0] }
  }

  /// How many groups there are.
  package var count: Int { groups.count }

  /// Writes the groups after the request's offset, at most its limit, in its format.
  ///
  /// - Returns: How many groups were written.
  package func write(_ write: (String) -> Void) throws -> Int {
    let shown = groups.dropFirst(runner.request.offset).prefix(runner.request.limit ?? .max)
    let titles = paths + aggregates.map(\.title)
    let rows = shown.lazy.map { $0.keys + $0.values }
    switch runner.request.format {
    case .table, .vertical, .markdown, .html:
      let columns = titles.enumerated().map { number, title in
        TextTable.Column(title, isNumeric: number >= paths.count)
      }
      var table = TableWriter(
        columns, fitting: runner.request.width, hint: "--vertical shows all", as: runner.request.format)
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
