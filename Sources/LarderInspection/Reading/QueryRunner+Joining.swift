import LarderExchange
import LarderQuery
import LarderStorage

extension QueryRunner.Join {
  /// The join of a query with the objects of the other class.
  ///
  /// - Throws: `StorageError` for an unknown class, `PredicateError` for a predicate or properties that cannot be.
  func bound(to query: ResultsQuery, _ schema: StoreSchema) throws -> ResultsJoin {
    var other = ResultsQuery(try StoreAccess.entry(named: className, in: schema).id)
    if let predicate { other = try PredicateText.filter(other, predicate, schema: schema) }
    let paths = on.map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1).map { String(TextParts.trimmed($0)) }
      return (left: sides.first ?? "", right: sides.last ?? "")
    }
    return try ResultsJoin(query, other, on: paths, keepsLeft ? .left : .inner, schema: schema)
  }
}

/// The pairs of a join, as rows of properties of both objects.
package struct PairReport {
  private let runner: QueryRunner
  private let columns: [(column: ShownColumn, title: String, side: Int)]
  private let pairs: ResultsJoin.Pairs

  /// Finds the pairs of a request with a join.
  ///
  /// - Throws: `StorageError` for an unknown property, `PredicateError`.
  package init(_ runner: QueryRunner) throws {
    self.runner = runner
    guard let join = runner.join else {
      throw PredicateError(.syntax, "There are no pairs without a join")
    }
    let schema = runner.reader.schema
    let sides = [join.left, join.right].compactMap { schema[$0.classID] }
    if let properties = runner.request.properties {
      columns = try properties.map { property in
        let (text, title) = PropertyList.named(property)
        let (side, path) = try GroupSource.pairs(join).side(text, schema)
        return (try ShownColumn(path, of: sides[side], in: schema), title, side)
      }
    } else {
      columns = sides.enumerated().flatMap { side, entry in
        entry.columns.map { (ShownColumn($0, of: entry), side == 0 ? $0.name : "\(entry.name).\($0.name)", side) }
      }
    }
    pairs = try join.pairs(in: runner.reader)
  }

  /// The number of pairs.
  package var count: Int { pairs.left.count }

  /// Writes the pairs after the request's offset, at most its limit, in its format.
  ///
  /// - Returns: How many were written.
  package func write(_ write: (String) -> Void) throws -> Int {
    let shown = pairs.left.indices.dropFirst(runner.request.offset).prefix(runner.request.limit ?? .max)
    switch runner.request.format {
    case .table, .vertical, .markdown, .html:
      let titles = columns.map { TableWriter.Column($0.title, isNumeric: $0.column.isNumeric) }
      var table = TableWriter(
        titles, fitting: runner.request.width, hint: "--properties chooses, --vertical shows all",
        as: runner.request.format)
      for place in shown { table.append(try cells(place, isTable: true).map { $0 ?? "nil" }, write) }
      table.finish(write)
    case .csv:
      let end = runner.lineEnd
      write(CSVText.row(columns.map(\.title)) + end)
      for place in shown { write(CSVText.row(values: try cells(place, isTable: false)) + end) }
    case .json:
      let tree = ObjectTree(runner.reader)
      for place in shown {
        let row = try columns.map { column in
          let value = try key(place, column.side).map {
            try column.column.value(of: $0, in: runner.reader, tree, depth: runner.request.depth)
          }
          return "\(JSONText.quote(column.title)): \(value.map { JSONText.value($0) } ?? "null")"
        }
        write("{\(row.joined(separator: ", "))}\n")
      }
    }
    return shown.count
  }

  /// The cells of a pair; nil is no value.
  private func cells(_ place: Int, isTable: Bool) throws -> [String?] {
    try columns.map { column in
      guard let key = key(place, column.side) else { return nil }
      return try runner.cell(column.column, key, isTable: isTable)
    }
  }

  private func key(_ place: Int, _ side: Int) -> ObjectKey? { side == 0 ? pairs.left[place] : pairs.right[place] }
}
