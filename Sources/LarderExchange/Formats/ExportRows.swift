import LarderStorage

/// Writes the objects of a class as rows of CSV or lines of JSON, straight from the leaves of their clusters.
final class ExportRows {
  let output = ByteOutput()
  /// Objects written so far.
  private(set) var count = 0
  private let entry: ClassDescriptor
  private let cells: ExportCells
  private let isCSV: Bool
  private let isNumbered: Bool
  /// The bytes before the value of each column in JSON.
  private let prefixes: [ContiguousArray<UInt8>]
  private let end: ContiguousArray<UInt8>
  private static let yes = ContiguousArray("true".utf8)
  private static let no = ContiguousArray("false".utf8)

  init(_ entry: ClassDescriptor, _ cells: ExportCells, _ format: ExportFormat, lineEnd: String) {
    self.entry = entry
    self.cells = cells
    isCSV = format == .csv
    isNumbered = isCSV && CSVExport.isNumbered(entry)
    if isCSV {
      prefixes = []
      end = ContiguousArray(lineEnd.utf8)
    } else {
      prefixes = entry.columns.enumerated().map { index, column in
        ContiguousArray("\(index == 0 ? "{" : ", ")\(JSONText.dumpQuote(column.name)): ".utf8)
      }
      end = ContiguousArray((entry.columns.isEmpty ? "{}\n" : "}\n").utf8)
    }
  }

  func appendHeader() {
    let names = (isNumbered ? [CSVText.numberColumn] : []) + entry.columns.map(\.name)
    output.append(names.map(CSVExport.text).joined(separator: ","))
    output.append(end)
  }

  /// Appends the objects of a cluster; `write` gets what is there when it is worth it, and the count.
  func append(cluster: Int, _ write: (Int, [UInt8]) throws -> Void) throws {
    let reader = cells.reader
    guard let presence = try reader.presence(entry.id, cluster: cluster) else { return }
    let leaves = try entry.columns.map { column in
      try isPlain(column) ? reader.leaf(entry.id, column.id, cluster: cluster) : nil
    }
    for slot in 0..<presence.count where presence.bool(slot) {
      if isNumbered { output.append(Int64(count)) }
      for index in entry.columns.indices {
        if isCSV {
          if index > 0 || isNumbered { output.append(UInt8(ascii: ",")) }
        } else {
          output.append(prefixes[index])
        }
        if let leaf = leaves[index], slot < leaf.count, append(leaf, slot) { continue }
        try append(entry.columns[index], ObjectKey(rawValue: UInt64(cluster * reader.clusterSize + slot)))
      }
      output.append(end)
      count += 1
      if output.count >= ByteOutput.pieceSize { try write(count, output.take()) }
    }
  }

  /// True if a leaf of a column holds everything that is to be written of it.
  private func isPlain(_ column: ColumnDescriptor) -> Bool {
    column.collection == .none && column.type != .link && column.type != .mixed
  }

  /// Any value.
  @inline(never)
  private func append(_ column: ColumnDescriptor, _ key: ObjectKey) throws {
    output.append(
      isCSV ? CSVExport.text(try cells.cell(column, entry, key)) : try cells.json(column, entry, key))
  }

  /// A value of a common type from its leaf; false for others.
  @inline(__always)
  private func append(_ leaf: LeafView, _ slot: Int) -> Bool {
    if leaf.isNull(slot) {
      if !isCSV { output.append("null") }
      return true
    }
    switch leaf.type {
    case .int: output.append(leaf.int(slot))
    case .bool: output.append(leaf.bool(slot) ? Self.yes : Self.no)
    case .double:
      let value = leaf.double(slot)
      guard value.isFinite else { return false }
      output.append(value)
    case .string:
      guard !leaf.isLarge(slot) else { return false }
      if isCSV { output.appendCell(leaf.bytes(slot)) } else { output.appendQuoted(leaf.bytes(slot)) }
    case .date:
      if isCSV { return output.append(leaf.date(slot)) }
      let value = leaf.date(slot)
      guard DateText.fourDigitYears.contains(value.seconds) else { return false }
      output.append(UInt8(ascii: "\""))
      _ = output.append(value)
      output.append(UInt8(ascii: "\""))
    default: return false
    }
    return true
  }
}
