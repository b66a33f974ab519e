import LarderQuery
import LarderStorage

/// A query from the command line, run against a store without model classes.
package struct QueryRunner {
  /// How results are written.
  package enum Format: String, CaseIterable, Sendable {
    case table, json, csv
  }

  /// What is asked.
  package struct Request: Sendable {
    package var className: String
    package var predicate: String?
    /// Key paths, each with `:desc` or `:asc` behind it or nothing.
    package var sort: [String] = []
    /// Sorts by how well objects fit the searches by TEXT, those that fit equally well by `sort`.
    package var byRelevance = false
    package var limit: Int?
    /// Key paths whose values are printed with something over the objects that share them, instead of the objects.
    package var groupBy: [String] = []
    package var aggregates: [GroupedReport.Aggregate] = []
    package var format = Format.table
    /// How many characters lines of a table have at most; nil: as many as there are.
    package var width: Int?
    /// Properties to show; nil: all.
    package var properties: [String]?
    /// How many links away objects are shown in JSON.
    package var depth = 0

    package init(className: String) {
      self.className = className
    }
  }

  let reader: any StoreReader
  let request: Request
  let entry: ClassDescriptor
  let query: ResultsQuery
  private let columns: [ColumnDescriptor]

  /// Binds the query.
  ///
  /// - Throws: `StorageError` for an unknown class or property, `PredicateError` for a predicate or sort that cannot be.
  package init(_ reader: any StoreReader, _ request: Request) throws {
    self.reader = reader
    self.request = request
    let entry = try StoreAccess.entry(named: request.className, in: reader.schema)
    self.entry = entry
    columns =
      try request.properties.map { names in
        try names.map { name in
          if let column = entry.column(named: name) { return column }
          let hint = Suggestion.sentence(for: name, in: entry.columns.map(\.name))
          throw StorageError(
            .unknownProperty, "The class '\(entry.name)' has no property '\(name)'.\(hint)", className: entry.name,
            property: name)
        }
      } ?? entry.columns
    var query = ResultsQuery(entry.id)
    if let predicate = request.predicate { query = try query.filtered(predicate, schema: reader.schema) }
    query = try query.sorted(request.sort.map(Self.criterion), schema: reader.schema)
    self.query = request.byRelevance ? try query.sortedByRelevance() : query
  }

  private static func criterion(_ text: String) -> (keyPath: String, ascending: Bool) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let path = parts.first else { return (text, true) }
    switch parts[1].lowercased() {
    case "desc", "descending": return (String(path), false)
    case "asc", "ascending": return (String(path), true)
    default: return (text, true)
    }
  }

  /// How many objects match, limit aside.
  package func count() throws -> Int { try query.count(in: reader) }

  /// Runs the query without writing its results: the plan, and what each of its steps found.
  package func explanation() throws -> String {
    PlanText.text(try query.explain(in: reader, limit: request.limit ?? .max))
  }

  /// The same as one JSON object.
  package func explanationJSON() throws -> String {
    PlanText.json(try query.explain(in: reader, limit: request.limit ?? .max))
  }

  /// Writes the results in the request's format, piece by piece.
  ///
  /// - Returns: How many objects were written.
  package func run(_ write: (String) -> Void) throws -> Int {
    let keys = try query.keys(in: reader, limit: request.limit ?? .max)
    switch request.format {
    case .table: write(try table(keys))
    case .csv:
      write(CSVText.row(columns.map(\.name)) + "\r\n")
      for key in keys { write(CSVText.row(try columns.map { try cell($0, key, isTable: false) }) + "\r\n") }
    case .json:
      let tree = ObjectTree(reader)
      let names = request.properties.map { Set($0) }
      for key in keys {
        write(JSONText.object(try tree.object(entry, key, depth: request.depth), only: names) + "\n")
      }
    }
    return keys.count
  }

  private func table(_ keys: [ObjectKey]) throws -> String {
    let titles = columns.map { column in
      TextTable.Column(
        column.name,
        isNumeric: column.collection == .none && [.int, .float, .double, .decimal128].contains(column.type))
    }
    var table = TextTable([.init("#", isNumeric: true)] + titles, cellLimit: 40)
    for key in keys {
      table.append([String(key.rawValue)] + (try columns.map { try cell($0, key, isTable: true) }))
    }
    return table.render(fitting: request.width)
  }

  private func cell(_ column: ColumnDescriptor, _ key: ObjectKey, isTable: Bool) throws -> String {
    let tree = ObjectTree(reader, listLimit: isTable ? 8 : .max)
    switch try tree.value(entry, column, key, depth: 0) {
    case .scalar(let value): return ValueText.plain(value) ?? ""
    case .link(_, let label): return label
    case .object(let object): return isTable ? compact(object) : JSONText.object(object)
    case .list(let elements, let total):
      guard isTable else { return JSONText.value(.list(elements, total: total)) }
      return total == 0 ? "" : "(\(total)) " + elements.map(compact).joined(separator: ", ")
    case .map(let entries, let total):
      guard isTable else { return JSONText.value(.map(entries, total: total)) }
      return total == 0 ? "" : "(\(total)) " + entries.map { "\($0.key): \(compact($0.value))" }.joined(separator: ", ")
    }
  }

  private func compact(_ value: ShownValue) -> String {
    switch value {
    case .scalar(let scalar): ValueText.plain(scalar) ?? "nil"
    case .link(_, let label): label
    case .object(let object): compact(object)
    case .list(_, let total), .map(_, let total): "(\(total))"
    }
  }

  private func compact(_ object: ShownObject) -> String {
    object.properties.map { compact($0.value) }.joined(separator: ", ")
  }
}
