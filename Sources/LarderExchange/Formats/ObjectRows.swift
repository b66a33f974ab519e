import LarderStorage

/// Writes the objects that a query found, in any order, straight from the leaves of their clusters: as lines of JSON, rows of CSV or lines
/// of a table.
package final class ObjectRows {
  /// A column of the results.
  package struct Column {
    package var title: String
    /// The property of the objects themselves that it shows; nil for what is computed or reached over links.
    package var property: ColumnDescriptor?
    /// True if the text that it shows of a link depends only on the object that the link leads to.
    package var namesLinks: Bool

    package init(_ title: String, _ property: ColumnDescriptor?, namesLinks: Bool) {
      (self.title, self.property, self.namesLinks) = (title, property, namesLinks)
    }
  }

  /// The layout of the lines of a table.
  package struct Layout {
    /// Of the columns that are shown, the first ones.
    package var widths: [Int]
    package var isNumeric: [Bool]
    /// True if texts are cut to the width.
    package var isCut: Bool
    /// Longer texts are cut everywhere.
    package var cellLimit: Int

    package init(widths: [Int], isNumeric: [Bool], isCut: Bool, cellLimit: Int) {
      (self.widths, self.isNumeric, self.isCut, self.cellLimit) = (widths, isNumeric, isCut, cellLimit)
    }
  }

  private let reader: any StoreReader
  private let entry: ClassDescriptor
  private let columns: [Column]
  /// The text of a value that a leaf does not say: JSON, or what a cell holds; nil for no value.
  private let text: (Int, ObjectKey) throws -> String?
  private let output = ByteOutput()
  private let cells = ByteOutput()
  // Unchecked, as the other variables here: each row uses them for every column, and nothing that runs meanwhile comes back to the rows.
  @exclusivity(unchecked) private var ends: [Int] = []
  /// The bytes before the value of each column in JSON.
  private let prefixes: [ContiguousArray<UInt8>]
  private let places: [Int?]
  @exclusivity(unchecked) private var leaves: [LeafView?] = []
  @exclusivity(unchecked) private var cluster = -1
  @exclusivity(unchecked) private var known: [Int: [LeafView?]] = [:]
  /// Texts of links by column and object.
  @exclusivity(unchecked) private var linkTexts: [[ObjectKey: String]]

  /// Sorted results come back to clusters: the leaves of so many are kept.
  private static let mostClusters = 256
  private static let mostLinkTexts = 65_536
  private static let yes = ContiguousArray("true".utf8)
  private static let no = ContiguousArray("false".utf8)

  /// - Parameter text: Gives the value of a column, by its number, of an object: as JSON for `appendJSON`, else as a cell's text.
  package init(
    _ reader: any StoreReader, _ entry: ClassDescriptor, _ columns: [Column],
    _ text: @escaping (Int, ObjectKey) throws -> String?
  ) {
    (self.reader, self.entry, self.columns, self.text) = (reader, entry, columns, text)
    prefixes = columns.enumerated().map { number, column in
      ContiguousArray("\(number == 0 ? "{" : ", ")\(JSONText.quote(column.title)): ".utf8)
    }
    linkTexts = columns.map { _ in [:] }
    places = columns.enumerated().map { number, column in
      column.property.map { $0.collection == .none && $0.type != .mixed } ?? false ? number : nil
    }
  }

  /// Takes the bytes written so far where they are worth handing on; nil where there are few.
  package func piece() -> [UInt8]? { output.count >= ByteOutput.pieceSize ? output.take() : nil }

  /// Takes the remaining bytes.
  package func rest() -> [UInt8] { output.take() }

  // MARK: - Rows

  /// Appends an object as a line of JSON.
  package func appendJSON(_ key: ObjectKey) throws {
    let slot = try go(to: key)
    for number in columns.indices {
      output.append(prefixes[number])
      if let leaf = leaves[number], slot < leaf.count, appendJSON(leaf, slot) { continue }
      output.append(try other(number, key, slot) ?? "null")
    }
    output.append(columns.isEmpty ? "{}\n" : "}\n")
  }

  /// Appends an object as a row of CSV.
  package func appendCSV(_ key: ObjectKey, lineEnd: String) throws {
    let slot = try go(to: key)
    for number in columns.indices {
      if number > 0 { output.append(UInt8(ascii: ",")) }
      if let leaf = leaves[number], slot < leaf.count {
        if leaf.isNull(slot) { continue }
        if leaf.type == .string, !leaf.isLarge(slot) {
          output.appendCell(leaf.bytes(slot))
          continue
        }
        if append(leaf, slot, to: output) { continue }
      }
      output.append(CSVText.row(values: [try other(number, key, slot)]))
    }
    output.append(lineEnd)
  }

  /// Appends an object as a line of a table.
  ///
  /// - Parameters:
  ///   - label: A cell before the others; nil for none.
  ///   - cell: Makes a cell of a text that is not plain, by the number of its column in the layout.
  package func appendLine(
    _ key: ObjectKey, label: String?, _ layout: Layout, _ cell: (String, Int) -> String
  ) throws {
    let slot = try go(to: key)
    cells.removeAll()
    ends.removeAll(keepingCapacity: true)
    if let label {
      cells.append(label)
      ends.append(cells.count)
    }
    for number in columns.indices.prefix(layout.widths.count - ends.count) {
      try appendCell(number, key, slot)
      ends.append(cells.count)
    }
    var start = 0
    for number in layout.widths.indices {
      let width = layout.widths[number]
      if number > 0 { output.append("  ") }
      let part = start..<ends[number]
      start = ends[number]
      let isNumeric = layout.isNumeric[number]
      let isPlain =
        part.count <= layout.cellLimit
        && output.append(cells, part, width: width, onRight: isNumeric, isCut: layout.isCut && !isNumeric)
      if !isPlain { output.append(cell(cells.text(part), number)) }
    }
    output.removeSpaces()
    output.append(UInt8(ascii: "\n"))
  }

  private func appendCell(_ number: Int, _ key: ObjectKey, _ slot: Int) throws {
    if let leaf = leaves[number], slot < leaf.count {
      if leaf.isNull(slot) { return cells.append("nil") }
      if leaf.type == .string, !leaf.isLarge(slot) { return cells.append(leaf.bytes(slot)) }
      if append(leaf, slot, to: cells) { return }
    }
    cells.append(try other(number, key, slot) ?? "nil")
  }

  // MARK: - Values

  /// Has the leaves of the object's cluster at hand, and gives its place in them.
  private func go(to key: ObjectKey) throws -> Int {
    let (number, slot) = reader.locate(key)
    if number != cluster {
      cluster = number
      if let found = known[number] {
        leaves = found
      } else {
        leaves = try columns.indices.map { column in
          guard places[column] != nil, let property = columns[column].property else { return nil }
          return try reader.leaf(entry.id, property.id, cluster: number)
        }
        if known.count >= Self.mostClusters { known.removeAll() }
        known[number] = leaves
      }
    }
    return slot
  }

  /// A value that is not in the leaf, or no leaf says as it is shown.
  @inline(never)
  private func other(_ number: Int, _ key: ObjectKey, _ slot: Int) throws -> String? {
    guard columns[number].namesLinks, let leaf = leaves[number], slot < leaf.count, leaf.type == .link,
      !leaf.isNull(slot), let target = leaf.link(slot)
    else { return try text(number, key) }
    if let found = linkTexts[number][target] { return found }
    guard let made = try text(number, key) else { return nil }
    if linkTexts[number].count >= Self.mostLinkTexts { linkTexts[number] = [:] }
    linkTexts[number][target] = made
    return made
  }

  @inline(__always)
  private func appendJSON(_ leaf: LeafView, _ slot: Int) -> Bool {
    if leaf.isNull(slot) {
      output.append("null")
      return true
    }
    switch leaf.type {
    case .string:
      guard !leaf.isLarge(slot) else { return false }
      output.appendShown(leaf.bytes(slot))
      return true
    case .double where !leaf.double(slot).isFinite: return false
    case .date:
      let date = leaf.date(slot)
      guard DateText.fourDigitYears.contains(date.seconds) else { return false }
      output.append(UInt8(ascii: "\""))
      _ = output.append(date)
      output.append(UInt8(ascii: "\""))
      return true
    default: return append(leaf, slot, to: output)
    }
  }

  /// A value that is no text, as all forms write it; false for the rarer types.
  @inline(__always)
  private func append(_ leaf: LeafView, _ slot: Int, to output: ByteOutput) -> Bool {
    switch leaf.type {
    case .int: output.append(leaf.int(slot))
    case .bool: output.append(leaf.bool(slot) ? Self.yes : Self.no)
    case .double: output.append(leaf.double(slot))
    case .date: return output.append(leaf.date(slot))
    default: return false
    }
    return true
  }
}
