import LarderExchange
import LarderQuery
import LarderStorage

/// Groups of a query's objects or pairs, as rows of their values and of what was worked out over them.
package struct GroupedReport {
  private let runner: QueryRunner
  private let titles: [String]
  private let groups: [ResultsGroup]

  /// Runs the query of a request with groups or aggregates; without any aggregate, objects are counted.
  ///
  /// - Throws: `PredicateError` for paths that cannot be grouped by, aggregates that properties do not have, and conditions.
  package init(_ runner: QueryRunner) throws {
    self.runner = runner
    titles = runner.request.groupBy + Self.aggregates(runner.request).map(\.title)
    groups = try Self.query(runner).groups(in: runner.reader)
  }

  private static func aggregates(_ request: QueryRunner.Request) -> [GroupTerm] {
    request.aggregates.isEmpty ? [.aggregate(.count, "")] : request.aggregates
  }

  /// The groups that a request asks for, offset and limit aside.
  static func query(_ runner: QueryRunner) throws -> GroupQuery {
    let (request, source) = (runner.request, runner.groupSource)
    let keys = try request.groupBy.map { path in
      let (side, name) = source.side(path, runner.reader.schema)
      return try source.key(name, side: side, schema: runner.reader.schema, naming: .stored)
    }
    var query = GroupQuery(source, by: keys, [])
    var columns = GroupColumns(runner, request.groupBy)
    for aggregate in aggregates(request) { _ = try columns.place(aggregate, in: &query, isNew: true) }
    if let having = request.having {
      var places: [Int] = []
      let condition = try GroupCondition(having, keys: request.groupBy, reading: PredicateText.value) { term in
        let place = try columns.place(term, in: &query)
        places.append(place)
        return try query.type(ofColumn: place, in: runner.reader.schema)
      }
      query.filters = [GroupQuery.Filter(condition, columns: places)]
    }
    query.order = try request.sort.map(QueryRunner.criterion).map { criterion in
      let place = try columns.place(titled: criterion.keyPath, in: &query)
      return GroupQuery.Order(place, isAscending: criterion.ascending)
    }
    return query
  }

  /// How many groups there are.
  package var count: Int { groups.count }

  /// Writes the groups after the request's offset, at most its limit, in its format.
  ///
  /// - Returns: How many groups were written.
  package func write(_ write: (String) -> Void) throws -> Int {
    let shown = groups.dropFirst(runner.request.offset).prefix(runner.request.limit ?? .max)
    let rows = shown.lazy.map { ($0.keys + $0.values).prefix(titles.count) }
    switch runner.request.format {
    case .table, .vertical, .markdown, .html:
      let columns = titles.enumerated().map { number, title in
        TableWriter.Column(title, isNumeric: number >= runner.request.groupBy.count)
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

/// Where the columns of groups are: those that are shown, and what conditions and orders name besides.
private struct GroupColumns {
  private let runner: QueryRunner
  private let paths: [String]
  private var titles: [String] = []

  init(_ runner: QueryRunner, _ paths: [String]) { (self.runner, self.paths) = (runner, paths) }

  /// The column of a term; what is not worked out yet will be.
  mutating func place(_ term: GroupTerm, in query: inout GroupQuery, isNew: Bool = false) throws -> Int {
    if !isNew, let place = (paths + titles).firstIndex(of: term.title) { return place }
    guard case .aggregate(let operation, let path) = term else {
      throw PredicateError(
        .unsupportedSort,
        "The groups have no column '\(term.title)'; they have \((paths + titles).joined(separator: ", "))",
        text: term.title)
    }
    let (side, name) = query.source.side(path, runner.reader.schema)
    query.aggregates.append(
      try query.source.aggregate(operation, name, side: side, schema: runner.reader.schema, naming: .stored))
    titles.append(term.title)
    return paths.count + titles.count - 1
  }

  /// The column of a title.
  mutating func place(titled title: String, in query: inout GroupQuery) throws -> Int {
    if let place = (paths + titles).firstIndex(of: title) { return place }
    return try place(try GroupTerm(title), in: &query)
  }
}
