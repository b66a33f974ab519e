import LarderExchange
import LarderQuery
import LarderStorage

/// A query from the command line, run against a store without model classes.
package struct QueryRunner {
  /// The format of results.
  package typealias Format = OutputForm

  /// A query with the form of its results.
  package struct Request: Sendable {
    package var className: String
    package var predicate: String?
    /// True if the predicate is a query in RQL, with its steps (Q-100).
    package var isRQL = false
    /// Key paths, each with `:desc` or `:asc` after it or nothing; of groups, the titles of their columns.
    package var sort: [String] = []
    /// Sorts by how well objects fit the searches by TEXT, those that fit equally well by `sort`.
    package var byRelevance = false
    /// The number of results that are left out before the first that is shown.
    package var offset = 0
    package var limit: Int?
    /// Key paths, or what is computed, whose values are printed with something over the objects that share them, instead of the objects; each
    /// with the name of its column after `AS`, or none.
    package var groupBy: [String] = []
    /// The aggregates over each group; the texts may have the name of the column after `AS`.
    package var aggregates: [GroupTerm] = []
    /// A condition on groups.
    package var having: String?
    /// Objects of another class that those of the query are paired with.
    package var join: Join?
    package var format = Format.table
    /// The most characters of a line of a table; nil: no limit.
    package var width: Int?
    /// Properties to show, also over to-one links; nil: all.
    package var properties: [String]?
    /// The number of links away to which JSON shows objects.
    package var depth = 0

    package init(className: String) {
      self.className = className
    }

    /// True if groups are asked for, or numbers over all objects, which are one group.
    package var isGrouped: Bool {
      !groupBy.isEmpty || having != nil || aggregates.contains { $0 != .aggregate(.count, "") }
    }
  }

  /// Objects of another class with equal values.
  package struct Join: Sendable {
    package var className: String
    package var predicate: String?
    /// The properties that have to be equal: `hour`, or `origin=code` where the names differ.
    package var on: [String]
    /// True if objects without a partner stay.
    package var keepsLeft = false

    package init(className: String, on: [String]) { (self.className, self.on) = (className, on) }
  }

  let reader: any StoreReader
  package let request: Request
  /// The end of rows of CSV.
  package var lineEnd = CSVText.lineEnd
  package let entry: ClassDescriptor
  package let query: ResultsQuery
  /// The pairs that are asked for instead of objects.
  let join: ResultsJoin?
  private let columns: [ShownColumn]

  /// Binds the query.
  ///
  /// - Throws: `StorageError` for an unknown class or property, `PredicateError` for a predicate or sort that cannot be.
  package init(_ reader: any StoreReader, _ request: Request) throws {
    self.reader = reader
    self.request = request
    let entry = try StoreAccess.entry(named: request.className, in: reader.schema)
    self.entry = entry
    columns =
      request.join != nil
      ? []
      : try request.properties.map { try $0.map { try ShownColumn($0, of: entry, in: reader.schema) } }
        ?? entry.columns.map { ShownColumn($0, of: entry) }
    var query = ResultsQuery(entry.id)
    if let predicate = request.predicate {
      query =
        request.isRQL
        ? try PredicateText.query(query, predicate, schema: reader.schema)
        : try PredicateText.filter(query, predicate, schema: reader.schema)
    }
    if !request.isGrouped {
      query = try query.sorted(try request.sort.map(Self.criterion), schema: reader.schema)
    }
    let asked = request.byRelevance ? try query.sortedByRelevance() : query
    self.query = asked
    join = try request.join.map { try $0.bound(to: asked, reader.schema) }
  }

  /// The source of groups.
  var groupSource: GroupSource { join.map { .pairs($0) } ?? .objects(query) }

  /// A path or title, and the direction.
  static func criterion(_ text: String) throws -> (keyPath: String, ascending: Bool) {
    // What is computed may have a colon in quotes.
    guard let colon = text.lastIndex(of: ":"), !text[colon...].contains(where: { ")]'\"".contains($0) }) else {
      return (text, true)
    }
    let (path, direction) = (String(text[..<colon]), text[text.index(after: colon)...])
    switch direction.lowercased() {
    case "desc", "descending": return (path, false)
    case "asc", "ascending": return (path, true)
    default:
      throw PredicateError(
        .unsupportedSort, "There is no order '\(direction)': a property is followed by :asc or :desc", text: text)
    }
  }

  /// The query without the results that are left out.
  private var shown: ResultsQuery { request.offset > 0 ? query.skipping(request.offset) : query }

  /// Counts the objects that match, limit and offset aside.
  package func count() throws -> Int { try join?.pairs(in: reader).left.count ?? query.count(in: reader) }

  /// Runs the query without writing its results: the plan, and what each of its steps found.
  package func explanation() throws -> String { PlanText.text(try plan()) }

  /// The same as one JSON object.
  package func explanationJSON() throws -> String { PlanText.json(try plan()) }

  /// The same in the request's format: as a tree of text, as JSON, or as a table.
  package func explanation(titled title: String) throws -> String {
    switch request.format {
    case .table: try explanation()
    case .json: try explanationJSON()
    case .vertical, .csv, .markdown, .html:
      PlanText.page(try plan(), title, as: request.format, fitting: request.width, lineEnd: lineEnd)
    }
  }

  private func plan() throws -> ExplainedPlan {
    if request.isGrouped { return try GroupedReport.query(self).explain(in: reader) }
    if let join { return try join.explain(in: reader) }
    return try shown.explain(in: reader, limit: request.limit ?? .max)
  }

  /// Writes the results in the request's format, piece by piece.
  ///
  /// - Returns: How many objects were written.
  package func run(_ write: (String) -> Void) throws -> Int {
    try run(write) { write(String(decoding: $0, as: UTF8.self)) }
  }

  /// The same, with `writeBytes` for most of it: text in UTF-8, in pieces that end where rows do.
  package func run(_ write: (String) -> Void, _ writeBytes: ([UInt8]) -> Void) throws -> Int {
    let keys = try shown.keys(in: reader, limit: request.limit ?? .max)
    switch request.format {
    case .table, .vertical, .markdown, .html:
      var table = self.table
      let rows = rows(columns) { [columns] in try cell(columns[$0], $1, isTable: true) }
      for key in keys {
        guard let layout = table.layout else {
          table.append(try row(key), write)
          continue
        }
        try rows.appendLine(key, label: showsKeys ? String(key.rawValue) : nil, layout, table.lineCell)
        if let piece = rows.piece() { writeBytes(piece) }
      }
      writeBytes(rows.rest())
      table.finish(write)
    case .csv:
      write(CSVText.row(columns.map(\.title)) + lineEnd)
      let rows = rows(columns) { [columns] in try cell(columns[$0], $1, isTable: false) }
      for key in keys {
        try rows.appendCSV(key, lineEnd: lineEnd)
        if let piece = rows.piece() { writeBytes(piece) }
      }
      writeBytes(rows.rest())
    case .json:
      let tree = ObjectTree(reader)
      let shown = jsonColumns
      let rows = rows(shown) { number, key in
        JSONText.value(try shown[number].value(of: key, in: reader, tree, depth: request.depth))
      }
      for key in keys {
        try rows.appendJSON(key)
        if let piece = rows.piece() { writeBytes(piece) }
      }
      writeBytes(rows.rest())
    }
    return keys.count
  }

  /// The columns in JSON: properties of the objects themselves come in the order of the class, each once.
  private var jsonColumns: [ShownColumn] {
    guard let properties = request.properties, !columns.contains(where: \.isComputed) else { return columns }
    let names = Set(properties)
    return entry.columns.filter { names.contains($0.name) }.map { ShownColumn($0, of: entry) }
  }

  private func rows(
    _ columns: [ShownColumn], _ text: @escaping (Int, ObjectKey) throws -> String?
  ) -> ObjectRows {
    let quick = columns.map { column in
      let isOwn = !column.isReached
      let target = column.column.target.flatMap { reader.schema[$0] }
      return ObjectRows.Column(
        column.title, isOwn ? column.column : nil,
        namesLinks: request.depth == 0 && target.map { !$0.isEmbedded } ?? false)
    }
    return ObjectRows(reader, entry, quick, text)
  }

  /// True if only their object keys tell objects apart.
  private var showsKeys: Bool { entry.primaryKey == nil }

  private var table: TableWriter {
    let titles = columns.map { TableWriter.Column($0.title, isNumeric: $0.isNumeric) }
    return TableWriter(
      (showsKeys ? [.init("#", isNumeric: true)] : []) + titles, fitting: request.width,
      hint: "--properties chooses, --vertical shows all", as: request.format)
  }

  private func row(_ key: ObjectKey) throws -> [String] {
    (showsKeys ? [String(key.rawValue)] : []) + (try columns.map { try cell($0, key, isTable: true) ?? "nil" })
  }

  /// A value as a table or a file for other programs has it; nil for no value.
  func cell(_ column: ShownColumn, _ key: ObjectKey, isTable: Bool) throws -> String? {
    let tree = ObjectTree(reader, listLimit: isTable ? 8 : .max)
    switch try column.value(of: key, in: reader, tree, depth: 0) {
    case .scalar(let value): return ValueText.plain(value)
    case .link(let name, let tellsClass):
      return isTable ? (tellsClass ? name.text : name.label) : plain(name, tellsClass)
    case .object(let object): return isTable ? compact(.object(object)) : JSONText.object(object)
    case .list(let elements, let total):
      guard isTable else { return JSONText.value(.list(elements, total: total)) }
      return total == 0 ? "(0)" : "(\(total)) " + elements.map(compact).joined(separator: ", ")
    case .map(let entries, let total):
      guard isTable else { return JSONText.value(.map(entries, total: total)) }
      return total == 0
        ? "(0)" : "(\(total)) " + entries.map { "\($0.key): \(compact($0.value))" }.joined(separator: ", ")
    }
  }

  /// The name in a file for other programs: a text without quotes, as other texts.
  private func plain(_ name: ObjectName, _ tellsClass: Bool) -> String {
    guard !tellsClass, let primaryKey = name.primaryKey else {
      return tellsClass ? JSONText.value(.link(name, tellsClass: true)) : name.label
    }
    return ValueText.plain(primaryKey) ?? name.label
  }

  private func compact(_ value: ShownValue) -> String {
    switch value {
    case .scalar(let scalar): ValueText.plain(scalar) ?? "nil"
    case .link(let name, let tellsClass): tellsClass ? name.text : name.label
    case .object(let object): "{" + object.properties.map { compact($0.value) }.joined(separator: ", ") + "}"
    case .list(_, let total), .map(_, let total): "(\(total))"
    }
  }
}
