import LarderExchange
import LarderInspection
import LarderQuery
import LarderStorage

/// Answers about the objects that a predicate finds.
struct QueryAnswers {
  private let snapshot: Snapshot
  private let request: StudioRequest
  private var version: JSONValue { .init(snapshot.version) }

  init(_ snapshot: Snapshot, _ request: StudioRequest) {
    (self.snapshot, self.request) = (snapshot, request)
  }

  private func question(sorts: Bool = true) throws -> QueryRunner.Request {
    var question = QueryRunner.Request(className: try request.required("class"))
    question.predicate = request["q"]
    if sorts { question.sort = request.all("sort") }
    return question
  }

  func rows() throws -> String {
    let runner = try QueryRunner(snapshot, try question())
    let limit = try request.number("limit", 0...1_000) ?? 200
    let offset = try request.number("offset", 0...Int.max) ?? 0
    var query = runner.query
    if let after = request["after"] {
      query = try query.continued(behind: try position(after, runner), schema: snapshot.schema)
    } else if offset > 0 {
      query = query.skipping(offset)
    }
    let keys = try query.keys(in: snapshot, limit: limit)
    let names = request["columns"].map { Set($0.split(separator: ",").map(String.init)) }
    for name in names ?? [] where runner.entry.column(named: name) == nil {
      throw StorageError(
        .unknownProperty, "The class '\(runner.entry.name)' has no property '\(name)'.", className: runner.entry.name,
        property: name)
    }
    let tree = ObjectTree(snapshot)
    let rows = try keys.map { JSONValue(written: try Self.row(runner.entry, $0, tree, only: names)) }
    let next = keys.count < limit ? nil : keys.last.map { "\(snapshot.version)-\($0.rawValue)" }
    let value: JSONValue = [
      "version": version, "class": .init(runner.entry.name), "count": .init(try runner.count()),
      "offset": .init(offset), "rows": .init(rows), "next": .init(next),
    ]
    return value.line
  }

  /// The place after an object, of which the cursor has the key; the version tells what the page has seen.
  private func position(_ cursor: String, _ runner: QueryRunner) throws -> ResultsPosition {
    let parts = cursor.split(separator: "-")
    guard parts.count == 2, let number = UInt64(parts[1]) else { throw RequestFault("'\(cursor)' is no cursor.") }
    let key = ObjectKey(rawValue: number)
    guard try snapshot.contains(runner.entry.id, key) else {
      throw RequestFault(
        "The object that the cursor names is deleted: ask with 'offset'.", status: 404, kind: "noSuchObject")
    }
    return try runner.query.position(of: key, in: snapshot)
  }

  static func row(
    _ entry: ClassDescriptor, _ key: ObjectKey, _ tree: ObjectTree, only names: Set<String>? = nil,
    position: Int? = nil
  ) throws -> String {
    let object = try tree.object(entry, key, depth: 0)
    let value: JSONValue = [
      "position": position.map { .init($0) }, "key": .init(key.rawValue),
      "primaryKey": object.name.primaryKey.map { .init(written: StudioJSON.value($0, isCut: false)) },
      "object": .init(written: StudioJSON.object(object, only: names, isCut: true)),
    ]
    return value.text
  }

  func count() throws -> String {
    let count = try QueryRunner(snapshot, try question(sorts: false)).count()
    return (["version": version, "count": .init(count)] as JSONValue).line
  }

  func groups() throws -> String {
    var question = try question(sorts: false)
    let path = try request.required("by")
    question.groupBy = [path]
    question.aggregates = [.aggregate(.count, "")]
    question.sort = ["count:desc"]
    question.limit = try request.number("limit", 0...10_000) ?? 100
    question.format = .json
    var groups: [JSONValue] = []
    let title = "{\(JSONText.quote(PropertyList.named(path).title)): "
    let report = try GroupedReport(try QueryRunner(snapshot, question))
    _ = try report.write { line in
      groups.append(JSONValue(written: "{\"value\": " + line.dropFirst(title.count).dropLast()))
    }
    return (["version": version, "total": .init(report.count), "groups": .init(groups)] as JSONValue).line
  }

  func explain() throws -> String {
    var question = try question()
    question.limit = try request.number("limit", 0...Int.max)
    return StudioJSON.joined([("version", version)], try QueryRunner(snapshot, question).explanationJSON())
  }

  func advise() throws -> String {
    var question = try question()
    question.limit = try request.number("limit", 0...Int.max)
    var advisor = QueryAdvisor(snapshot)
    try advisor.add(question)
    return StudioJSON.joined([("version", version)], try advisor.json())
  }

  /// Names that can follow at a place of a predicate: the properties of the class at the end of the path there.
  func complete() throws -> String {
    var entry: ClassDescriptor? = try StoreAccess.entry(named: try request.required("class"), in: snapshot.schema)
    let text = Array((request["q"] ?? "").unicodeScalars)
    let position = try request.number("position", 0...max(0, text.count)) ?? text.count
    var start = position
    while start > 0, text[start - 1].properties.isAlphabetic || "_.0123456789".unicodeScalars.contains(text[start - 1])
    {
      start -= 1
    }
    let path = String(String.UnicodeScalarView(text[start..<position]))
    var parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = parts.popLast() ?? ""
    for part in parts {
      entry = entry?.column(named: part)?.target.flatMap { snapshot.schema[$0] }
    }
    let names = entry?.columns.filter { $0.name.lowercased().hasPrefix(last.lowercased()) } ?? []
    let items = names.map { column -> JSONValue in
      ["text": .init(column.name), "kind": .init(TypeName.describe(column, in: snapshot.schema))]
    }
    return
      (["version": version, "items": .init(items), "from": .init(position - last.unicodeScalars.count)] as JSONValue)
      .line
  }
}
