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
    titles = Self.keys(runner.request).map(\.title) + Self.aggregates(runner.request).map(\.title)
    groups = try Self.query(runner).groups(in: runner.reader)
  }

  /// Returns the terms to group by, with the titles of their columns.
  private static func keys(_ request: QueryRunner.Request) -> [NamedTerm] {
    request.groupBy.map { text in
      let (path, title) = PropertyList.named(text)
      return NamedTerm(term: .key(path), title: title)
    }
  }

  /// Returns the aggregates; a name after `AS` is that of the column.
  private static func aggregates(_ request: QueryRunner.Request) -> [NamedTerm] {
    guard !request.aggregates.isEmpty else { return [NamedTerm(term: .aggregate(.count, ""), title: "count")] }
    return request.aggregates.map { term in
      guard case .aggregate(let operation, let text) = term else { return NamedTerm(term: term, title: term.title) }
      let (path, title) = PropertyList.named(text)
      let plain = GroupTerm.aggregate(operation, path)
      return NamedTerm(term: plain, title: title == path ? plain.title : title)
    }
  }

  /// The groups that a request asks for, offset and limit aside.
  static func query(_ runner: QueryRunner) throws -> GroupQuery {
    let (request, source, schema) = (runner.request, runner.groupSource, runner.reader.schema)
    let keys = keys(request)
    let paths = keys.map(\.term.title)
    var query = GroupQuery(source, by: try paths.map { try source.key($0, in: schema) }, [])
    var columns = GroupColumns(schema, keys)
    for aggregate in aggregates(request) { try columns.append(aggregate, to: &query) }
    if let having = request.having {
      var places: [Int] = []
      let condition = try GroupCondition(
        having, keys: paths, names: columns.names, reading: PredicateText.value
      ) { term in
        let place = try columns.place(term, in: &query)
        places.append(place)
        return try query.type(ofColumn: place, in: schema)
      }
      query.filters = [GroupQuery.Filter(condition, columns: places)]
    }
    query.order = try request.sort.map(QueryRunner.criterion).map { criterion in
      let place = try columns.place(titled: criterion.keyPath, in: &query)
      return GroupQuery.Order(place, isAscending: criterion.ascending)
    }
    return query
  }

  /// The number of groups.
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
      let end = runner.lineEnd
      write(CSVText.row(titles) + end)
      for row in rows { write(CSVText.row(values: row.map { ValueText.plain($0) }) + end) }
    case .json:
      for row in rows {
        write(JSONValue(zip(titles, row).map { ($0, JSONValue(written: JSONText.value($1))) }).line)
      }
    }
    return shown.count
  }
}

/// A column of groups, and what it is called.
private struct NamedTerm {
  var term: GroupTerm
  var title: String
}

/// The columns of groups: those that are shown, and those that conditions and orders name besides.
private struct GroupColumns {
  private let schema: StoreSchema
  private var columns: [NamedTerm]

  init(_ schema: StoreSchema, _ keys: [NamedTerm]) { (self.schema, columns) = (schema, keys) }

  /// The columns that have a name of their own.
  var names: [String: GroupTerm] {
    let named = columns.filter { $0.title != $0.term.title }
    return Dictionary(named.map { ($0.title, $0.term) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func append(_ aggregate: NamedTerm, to query: inout GroupQuery) throws {
    guard case .aggregate(let operation, let text) = aggregate.term else { throw unknown(aggregate.title) }
    query.aggregates.append(try query.source.aggregate(operation, text, in: schema))
    columns.append(aggregate)
  }

  /// The column of a term; what is not worked out yet will be.
  mutating func place(_ term: GroupTerm, in query: inout GroupQuery) throws -> Int {
    let wanted = TextParts.squeezed(term.title)
    if let place = columns.firstIndex(where: { TextParts.squeezed($0.term.title) == wanted }) { return place }
    guard case .aggregate = term else { throw unknown(term.title) }
    try append(NamedTerm(term: term, title: term.title), to: &query)
    return columns.count - 1
  }

  /// The column of a title.
  mutating func place(titled title: String, in query: inout GroupQuery) throws -> Int {
    if let place = columns.firstIndex(where: { $0.title == title }) { return place }
    return try place(try GroupTerm(title), in: &query)
  }

  private func unknown(_ title: String) -> PredicateError {
    PredicateError(
      .unsupportedSort,
      "The groups have no column '\(title)'; they have \(columns.map(\.title).joined(separator: ", "))", text: title)
  }
}
