import LarderExchange
import LarderStorage

/// The report of `larder du`: the bytes of a store by class, property and structure, the largest first.
package struct SpaceReport {
  /// A part of the store, and the parts it is made of.
  package struct Part: Sendable {
    package var name: String
    package var bytes: Int
    package var parts: [Part] = []
    /// The distribution of the sizes of a property's values.
    package var spread: ValueSpread?
  }

  /// The whole file with its parts, the largest first at each level.
  package let root: Part

  /// Measures a store at its newest version.
  ///
  /// - Throws: `StorageError` when it cannot be read.
  package init(_ store: Store) throws {
    let snapshot = try store.snapshot()
    let statistics = try StoreStatistics(snapshot)
    var parts = snapshot.schema.classes.map { entry in
      Self.part(entry, statistics.columns[entry.id] ?? [:], ValueSpread.all(of: entry, in: snapshot))
    }
    parts.append(Part(name: "change log", bytes: statistics.log.bytes))
    let known = parts.reduce(0) { $0 + $1.bytes }
    let pages = statistics.tables.reduce(0) { $0 + $1.bytes }
    parts.append(Part(name: "space left on pages in use", bytes: max(0, pages - known)))
    parts.append(Part(name: "free pages and the file's head", bytes: max(0, statistics.fileSize - pages)))
    root = Self.sorted(Part(name: store.path, bytes: max(statistics.fileSize, known), parts: parts))
  }

  private static func part(
    _ entry: ClassDescriptor, _ spaces: [ColumnID: StoreStatistics.ColumnSpace], _ spreads: [ColumnID: ValueSpread]
  ) -> Part {
    var parts = entry.columns.map { column in
      let space = spaces[column.id] ?? .init()
      let kinds = [
        ("values", space.leaves.bytes), ("large values", space.large.bytes), ("elements", space.lists.bytes),
        ("index", space.index.bytes), ("backlinks", space.backlinks.bytes),
      ]
      let spread = spreads[column.id].flatMap { $0.isOfSizes ? $0 : nil }
      let parts = kinds.map { Part(name: $0.0, bytes: $0.1) }
      return Part(name: column.name, bytes: space.total, parts: parts, spread: spread)
    }
    let named = Set(entry.columns.map(\.id))
    let rest = spaces.filter { !named.contains($0.key) }.values.reduce(0) { $0 + $1.total }
    let name = entry.indexes.isEmpty ? "presence" : "presence and indexes over several properties"
    parts.append(Part(name: name, bytes: rest))
    return Part(name: entry.name, bytes: parts.reduce(0) { $0 + $1.bytes }, parts: parts)
  }

  private static func sorted(_ part: Part) -> Part {
    var part = part
    part.parts = part.parts.filter { $0.bytes > 0 }.map(sorted)
    part.parts.sort { ($0.bytes, $1.name) > ($1.bytes, $0.name) }
    return part
  }

  // MARK: - As text

  /// A tree with a bar for each part that shows its share of the file.
  ///
  /// - Parameters:
  ///   - depth: Levels below the file: 1 for classes, 2 for properties, 3 for what a property is made of.
  ///   - marks: What the spread of sizes is drawn with.
  package func text(depth: Int, marks: Sparkline.Marks = .blocks) -> String {
    var text = "\(Self.cell(root))  \(root.name)\n"
    for part in root.parts { append(part, indent: 1, depth: depth, marks, to: &text) }
    return text
  }

  private static let barWidth = 24

  private func append(_ part: Part, indent: Int, depth: Int, _ marks: Sparkline.Marks, to text: inout String) {
    guard indent <= depth else { return }
    let share = root.bytes > 0 ? Double(part.bytes) / Double(root.bytes) : 0
    let filled = Int((share * Double(Self.barWidth)).rounded())
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: Self.barWidth - filled)
    let percent = String(Int((share * 100).rounded()))
    let space = String(repeating: " ", count: max(0, 3 - percent.count))
    let spread = part.spread.map { "  \($0.text(marks))" } ?? ""
    text +=
      "\(Self.cell(part))  \(bar) \(space)\(percent) %  \(String(repeating: "  ", count: indent - 1))\(part.name)\(spread)\n"
    // A lone part says nothing that its whole does not.
    guard part.parts.count > 1 || indent == 1 else { return }
    for inner in part.parts { append(inner, indent: indent + 1, depth: depth, marks, to: &text) }
  }

  private static func cell(_ part: Part) -> String {
    let text = StoreReport.bytes(part.bytes)
    return String(repeating: " ", count: max(0, 10 - text.count)) + text
  }

  // MARK: - As a table

  /// A row for each part: bytes as they are in CSV, in larger units elsewhere.
  package func page(
    depth: Int, as form: OutputForm, fitting width: Int? = nil, marks: Sparkline.Marks = .blocks,
    lineEnd: String = CSVText.lineEnd
  ) -> String {
    var page = TablePage("Space of \(root.name)", form, fitting: width, lineEnd: lineEnd)
    var table = TextTable([
      .init("class"), .init("property"), .init("part"), .init("bytes", isNumeric: true),
      .init("share", isNumeric: true), .init("spread"),
    ])
    func add(_ part: Part, _ path: [String]) {
      let names = path + [part.name]
      let share = root.bytes > 0 ? Int((1000 * Double(part.bytes) / Double(root.bytes)).rounded()) : 0
      table.append(
        (0..<3).map { $0 < names.count ? names[$0] : "" } + [
          form.isForPeople ? StoreReport.bytes(part.bytes) : String(part.bytes),
          "\(share / 10).\(share % 10)\(form.isForPeople ? " %" : "")", part.spread?.text(marks) ?? "",
        ])
      guard names.count < depth, part.parts.count > 1 || path.isEmpty else { return }
      for inner in part.parts { add(inner, names) }
    }
    for part in root.parts { add(part, []) }
    page.add(nil, table)
    page.say("\(StoreReport.bytes(root.bytes)) in all")
    return page.finish()
  }

  // MARK: - As JSON

  /// All parts of all levels.
  package func json() -> String { Self.json(root).line }

  private static func json(_ part: Part) -> JSONValue {
    [
      "name": .init(part.name), "bytes": .init(part.bytes),
      "parts": part.parts.isEmpty ? nil : .init(part.parts.map(json)),
    ]
  }
}
