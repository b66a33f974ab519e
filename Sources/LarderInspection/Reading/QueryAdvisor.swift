import LarderExchange
import LarderQuery
import LarderStorage

/// A report of the indexes that would have helped queries.
package struct QueryAdvisor {
  private let reader: any StoreReader
  private var advisor: IndexAdvisor
  private var count = 0

  /// Classes of fewer objects get no index. Their values are side by side in one leaf of a property, which is read as fast as an
  /// index is descended; every write would pay for the index.
  private static let fewestObjects = 100

  package init(_ reader: any StoreReader) {
    self.reader = reader
    advisor = IndexAdvisor(reader)
  }

  /// Looks at one query.
  ///
  /// - Throws: What making the query throws: unknown names, predicates that cannot be.
  package mutating func add(_ request: QueryRunner.Request) throws {
    try advisor.add(try QueryRunner(reader, request).query, limit: request.limit ?? .max)
    count += 1
  }

  /// Looks at a file of queries: a class and a predicate on each line, in RQL if steps follow (`SORT`, `DISTINCT`, `LIMIT`). Empty
  /// lines and those that begin with `#` are skipped.
  ///
  /// - Throws: `InputFault` with file, line and what is wrong.
  package mutating func add(lines: String, file: String) throws {
    for (number, line) in lines.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard let name = parts.first, !name.hasPrefix("#") else { continue }
      let text = parts.count > 1 ? String(parts[1]) : "TRUEPREDICATE"
      do {
        try add(String(name), text)
      } catch let error as PredicateError {
        let column = line.unicodeScalars.count - text.unicodeScalars.count + (error.position ?? 0) + 1
        throw InputFault(file: file, line: number + 1, column: column, message: error.sentence)
      } catch let error as StorageError {
        throw InputFault(file: file, line: number + 1, column: 1, message: error.message)
      }
    }
  }

  private mutating func add(_ name: String, _ text: String) throws {
    let entry = try StoreAccess.entry(named: name, in: reader.schema)
    let all = ResultsQuery(entry.id)
    do {
      try advisor.add(try PredicateText.filter(all, text, schema: reader.schema))
    } catch let error as PredicateError {
      guard let query = try? PredicateText.query(all, text, schema: reader.schema) else { throw error }
      try advisor.add(query)
    }
    count += 1
  }

  /// One line for each index, the most useful first.
  ///
  /// - Throws: `StorageError` when objects cannot be counted.
  package func report() throws -> String {
    let (advice, small) = try advice()
    guard !advice.isEmpty else {
      let sizes = try small.map { entry in
        let objects = try reader.count(of: entry.id)
        return "\(entry.name) has \(objects) object\(objects == 1 ? "" : "s")"
      }
      let reason =
        sizes.isEmpty
        ? "" : ": \(sizes.joined(separator: ", ")), and below \(Self.fewestObjects) a scan is as fast as an index"
      return "No index would help \(count == 1 ? "this query" : "these \(count) queries")\(reason).\n"
    }
    return advice.map { line($0) + "\n" }.joined()
  }

  /// A table of the indexes, the most useful first; without any, the sentence that says why.
  ///
  /// - Throws: `StorageError` when objects cannot be counted.
  package func page(
    as form: OutputForm, fitting width: Int? = nil, lineEnd: String = CSVText.lineEnd
  ) throws -> String {
    var page = TablePage("Index advice", form, fitting: width, lineEnd: lineEnd)
    let schema = SchemaRendering(reader.schema)
    var table = TextTable([
      .init("class"), .init("properties"), .init("looked at now", isNumeric: true),
      .init("with the index", isNumeric: true), .init("in order"), .init("queries"), .init("declaration"),
    ])
    for advice in try advice().indexes {
      table.append([
        advice.className, advice.properties.joined(separator: ", "), String(advice.before), String(advice.after),
        advice.sorts ? "yes" : "no", advice.queries.map(String.init).joined(separator: ", "),
        schema.declaration(ofIndex: advice.properties, className: advice.className) ?? "",
      ])
    }
    if !table.isEmpty || form == .csv { page.add(nil, table) }
    if table.isEmpty { page.say(try String(report().dropLast())) }
    return page.finish()
  }

  /// The same as one JSON object.
  ///
  /// - Throws: `StorageError` when objects cannot be counted.
  package func json() throws -> String {
    let schema = SchemaRendering(reader.schema)
    let indexes = try advice().indexes.map { advice -> JSONValue in
      [
        "class": .init(advice.className), "properties": .init(advice.properties), "before": .init(advice.before),
        "after": .init(advice.after), "sorts": .init(advice.sorts),
        "queries": .init(advice.queries.map { JSONValue($0) }),
        "swift": schema.declaration(ofIndex: advice.properties, className: advice.className).map { .init($0) },
      ]
    }
    let value: JSONValue = ["queries": .init(count), "indexes": .init(indexes)]
    return value.line
  }

  /// The indexes that are worth it, and the classes that are too small for those that would be used.
  private func advice() throws -> (indexes: [IndexAdvice], small: [ClassDescriptor]) {
    var indexes: [IndexAdvice] = []
    var small: [ClassDescriptor] = []
    for advice in advisor.advice {
      let entry = try StoreAccess.entry(named: advice.className, in: reader.schema)
      if try reader.count(of: entry.id) >= Self.fewestObjects {
        indexes.append(advice)
      } else if !small.contains(entry) {
        small.append(entry)
      }
    }
    return (indexes, small)
  }

  private func line(_ advice: IndexAdvice) -> String {
    let names = advice.properties.joined(separator: ", ")
    let place = advice.properties.count == 1 ? "\(advice.className).\(names)" : "\(advice.className) (\(names))"
    let queries = count == 1 ? "" : "; queries " + advice.queries.map(String.init).joined(separator: ", ")
    let sorts = advice.sorts ? ", in their order" : ""
    return "index \(place): \(advice.after) objects looked at\(sorts), instead of \(advice.before)\(queries)"
  }
}
