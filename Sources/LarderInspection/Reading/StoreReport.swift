import Foundation
import LarderExchange
import LarderStorage

/// The report of `larder info`.
package struct StoreReport {
  private let snapshot: Snapshot
  private let statistics: StoreStatistics
  private let readers: [LiveReader]

  /// Measures a store at its newest version.
  ///
  /// - Throws: `StorageError` when it cannot be read.
  package init(_ store: Store) throws {
    snapshot = try store.snapshot()
    statistics = try StoreStatistics(snapshot)
    readers = try store.liveReaders()
  }

  private var schema: StoreSchema { snapshot.schema }
  /// Readers besides this process.
  private var others: [LiveReader] {
    let others = readers.filter { $0.process != ProcessInfo.processInfo.processIdentifier }
    // One that follows the store has a reader for it besides the one it waits with.
    let busy = Set(others.filter { $0.version != nil }.map(\.process))
    var idle: Set<Int32> = []
    return others.filter { $0.version != nil || (!busy.contains($0.process) && idle.insert($0.process).inserted) }
  }
  private var tableBytes: Int { statistics.tables.reduce(0) { $0 + $1.bytes } }

  /// The oldest version that versions can be compared with, by the log.
  private var oldest: UInt64 { snapshot.version - min(snapshot.version, UInt64(statistics.log.entries)) }

  // MARK: Text

  /// The report for people.
  ///
  /// - Parameters:
  ///   - form: One of the forms for people.
  ///   - width: How many characters lines of tables have at most; nil: as many as there are.
  ///   - marks: What the spread of values is drawn with.
  package func text(
    as form: OutputForm = .table, width: Int? = nil, marks: Sparkline.Marks = .blocks
  ) throws -> String {
    guard form == .table else { return try page(form, width, marks) }
    var text = head()
    text += "\n" + (try classTable(marks).map { $0.render(fitting: width) } ?? "no classes\n")
    text += "\n" + tableTable().render(fitting: width)
    text += "\nlog  \(logText)\n"
    text += others.isEmpty ? "no live readers\n" : "live readers\n"
    for reader in others { text += "  \(Self.text(reader))\n" }
    return text
  }

  /// The same as tables with headings.
  private func page(_ form: OutputForm, _ width: Int?, _ marks: Sparkline.Marks) throws -> String {
    var page = TablePage(snapshot.store.path, form, fitting: width)
    var facts = TextTable([.init("fact"), .init("value")])
    for (name, value) in headLines + [("log", logText)] { facts.append([name, value]) }
    page.add("Store", facts)
    if let classes = try classTable(marks) { page.add("Classes", classes) }
    page.add("Tables", tableTable())
    var live = TextTable([.init("live readers")])
    for reader in others { live.append([Self.text(reader)]) }
    if !live.isEmpty { page.add("Readers", live) }
    return page.finish()
  }

  private var logText: String {
    "\(statistics.log.entries) records, \(Self.bytes(statistics.log.bytes)), back to version \(oldest)"
  }

  private static func text(_ reader: LiveReader) -> String {
    var text = "process \(reader.process)"
    if let name = name(of: reader.process) { text += " (\(name))" }
    guard let version = reader.version else { return text + "  idle" }
    text += "  version \(version)"
    guard reader.commitsBehind > 0 else { return text + ", the newest" }
    text += ", \(reader.commitsBehind) commit\(reader.commitsBehind == 1 ? "" : "s") behind"
    return text + (reader.heldSeconds.map { ", holding freed space for \(duration($0))" } ?? "")
  }

  /// The name of a running program, where the system tells it.
  private static func name(of process: Int32) -> String? {
    let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    return text.map { $0.filter { !$0.isNewline } }
  }

  private static func duration(_ seconds: Double) -> String {
    switch seconds {
    case ..<120: "\(Int(seconds)) s"
    case ..<7_200: "\(Int(seconds / 60)) min"
    default: "\(Int(seconds / 3_600)) h"
    }
  }

  private func head() -> String {
    headLines.map { name, value in
      name + String(repeating: " ", count: 16 - name.count) + value + "\n"
    }.joined()
  }

  private var headLines: [(String, String)] {
    let store = snapshot.store
    return [
      ("file", store.path), ("size", "\(Self.bytes(statistics.fileSize)), \(Self.bytes(tableBytes)) in use"),
      (
        "pages",
        "\(statistics.fileSize / StoreStatistics.pageSize) of \(StoreStatistics.pageSize) B, \(statistics.freePages) free"
      ),
      ("format", String(store.formatVersion)), ("encrypted", store.isEncrypted ? "yes" : "no"),
      ("store id", store.storeID),
      ("version", String(snapshot.version)),
      ("schema version", schema.schemaVersion.map { String($0) } ?? "none"),
      ("cluster size", String(snapshot.clusterSize)),
    ]
  }

  /// Nil where there are no classes.
  private func classTable(_ marks: Sparkline.Marks) throws -> TextTable? {
    let columns: [TextTable.Column] = [
      .init("class / property"), .init("type"), .init("objects", isNumeric: true), .init("values", isNumeric: true),
      .init("large", isNumeric: true), .init("lists", isNumeric: true), .init("index", isNumeric: true),
      .init("backlinks", isNumeric: true), .init("total", isNumeric: true), .init("spread"),
    ]
    var rows: [[String]] = []
    for entry in schema.classes {
      let spaces = statistics.columns[entry.id] ?? [:]
      rows.append(
        [entry.name, entry.isEmbedded ? "embedded" : "class", String(try snapshot.count(of: entry.id))]
          + Self.cells(spaces.values.reduce(into: .init()) { $0 = Self.sum($0, $1) }) + [""])
      let spreads = ValueSpread.all(of: entry, in: snapshot)
      for column in entry.columns {
        let type = TypeName.describe(column, in: schema) + Self.marks(column)
        rows.append(
          ["  \(column.name)", type, ""] + Self.cells(spaces[column.id] ?? .init())
            + [spreads[column.id]?.text(marks) ?? ""])
      }
      // What they take is counted with the class.
      for index in entry.indexes {
        rows.append(["  \(IndexText.line(index, of: entry))", "", ""] + Self.cells(.init()) + [""])
      }
    }
    guard !rows.isEmpty else { return nil }
    // Lines of a terminal are short.
    let shown = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    var table = TextTable(shown.map { columns[$0] })
    for row in rows { table.append(shown.map { row[$0] }) }
    return table
  }

  private static func marks(_ column: ColumnDescriptor) -> String {
    (column.isPrimaryKey ? " key" : column.isIndexed ? " indexed" : "") + (column.isFullText ? " full-text" : "")
  }

  private static func cells(_ space: StoreStatistics.ColumnSpace) -> [String] {
    [space.leaves.bytes, space.large.bytes, space.lists.bytes, space.index.bytes, space.backlinks.bytes, space.total]
      .map { $0 == 0 ? "" : bytes($0) }
  }

  private static func sum(
    _ lhs: StoreStatistics.ColumnSpace, _ rhs: StoreStatistics.ColumnSpace
  ) -> StoreStatistics.ColumnSpace {
    var sum = lhs
    sum.leaves = lhs.leaves + rhs.leaves
    sum.large = lhs.large + rhs.large
    sum.lists = lhs.lists + rhs.lists
    sum.index = lhs.index + rhs.index
    sum.backlinks = lhs.backlinks + rhs.backlinks
    return sum
  }

  private func tableTable() -> TextTable {
    var table = TextTable([.init("table"), .init("entries", isNumeric: true), .init("pages", isNumeric: true)])
    for space in statistics.tables { table.append([space.name, String(space.entries), Self.bytes(space.bytes)]) }
    return table
  }

  /// A number of bytes with a unit.
  package static func bytes(_ count: Int) -> String {
    switch count {
    case ..<10_000: "\(count) B"
    case ..<10_000_000: "\((count + 512) / 1024) KiB"
    default: "\((count + 524_288) / 1_048_576) MiB"
    }
  }

  // MARK: JSON

  /// The report as one JSON object.
  package func json() throws -> String {
    let store = snapshot.store
    let classes = try schema.classes.map { "    " + (try json($0)).text }
    return """
      {
        "file": \(JSONText.quote(store.path)),
        "fileBytes": \(statistics.fileSize),
        "usedBytes": \(tableBytes),
        "pageBytes": \(StoreStatistics.pageSize),
        "pages": \(statistics.fileSize / StoreStatistics.pageSize),
        "freePages": \(statistics.freePages),
        "format": \(store.formatVersion),
        "encrypted": \(store.isEncrypted),
        "storeID": \(JSONText.quote(store.storeID)),
        "version": \(snapshot.version),
        "schemaVersion": \(schema.schemaVersion.map { String($0) } ?? "null"),
        "clusterSize": \(snapshot.clusterSize),
        "classes": [
      \(classes.joined(separator: ",\n"))
        ],
        "tables": \(tablesJSON().text),
        "log": \(logJSON().text),
        "readers": \(readersJSON().text)
      }

      """
  }

  private func json(_ entry: ClassDescriptor) throws -> JSONValue {
    let spaces = statistics.columns[entry.id] ?? [:]
    return [
      "name": .init(entry.name), "embedded": .init(entry.isEmbedded),
      "objects": .init(try snapshot.count(of: entry.id)), "presenceBytes": .init(spaces[.presence]?.total ?? 0),
      "indexes": IndexText.json(entry),
      "properties": .init(entry.columns.map { ($0.name, Self.json(spaces[$0.id] ?? .init())) }),
    ]
  }

  private func tablesJSON() -> JSONValue {
    .init(statistics.tables.map { ($0.name, ["entries": .init($0.entries), "bytes": .init($0.bytes)]) })
  }

  private func logJSON() -> JSONValue {
    let log = statistics.log
    return ["records": .init(log.entries), "bytes": .init(log.bytes), "oldestVersion": .init(oldest)]
  }

  private func readersJSON() -> JSONValue {
    .init(
      others.map { reader in
        [
          "process": .init(reader.process), "name": .init(Self.name(of: reader.process)),
          "version": .init(reader.version), "commitsBehind": .init(reader.commitsBehind),
          "heldSeconds": .init(written: reader.heldSeconds.map { String($0) } ?? "null"),
        ]
      })
  }

  private static func json(_ space: StoreStatistics.ColumnSpace) -> JSONValue {
    [
      "values": .init(space.leaves.bytes), "large": .init(space.large.bytes), "lists": .init(space.lists.bytes),
      "index": .init(space.index.bytes), "backlinks": .init(space.backlinks.bytes),
    ]
  }
}
