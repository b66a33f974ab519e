import LarderStorage

/// Writes the classes of a store as text, a file for each.
package struct FolderExport {
  private let reader: any StoreReader
  private let format: ExportFormat
  private let lineEnd: String
  private let cells: ExportCells

  /// - Parameters:
  ///   - format: JSON Lines or CSV.
  ///   - lineEnd: What ends rows of CSV.
  package init(_ reader: any StoreReader, _ format: ExportFormat, lineEnd: String = CSVText.lineEnd) {
    self.lineEnd = lineEnd
    self.reader = reader
    self.format = format
    cells = ExportCells(reader)
  }

  package var danglingLinks: Int { cells.danglingLinks }

  /// The files to be written: names, and the class each holds; the one without a class holds the schema.
  package var files: [(name: String, className: String?)] {
    [(ExportFormat.schemaFile, nil)]
      + reader.schema.classes.filter { !$0.isEmbedded }.map { (format.fileName(of: $0.name), $0.name) }
  }

  /// The schema as it is beside the classes.
  ///
  /// - Throws: `StorageError` when counts cannot be read.
  package func schema() throws -> String { try DumpHeader(reader).line + "\n" }

  /// Writes a class, piece by piece.
  ///
  /// - Parameters:
  ///   - progress: Called often with the number of objects so far.
  ///   - write: Takes the text as UTF-8, in pieces of some 64 KiB that end where rows do.
  /// - Returns: How many objects were written.
  /// - Throws: `StorageError` for an unknown class and what cannot be read; `DumpError` for what the format cannot hold.
  package func write(
    className: String, progress: (Int) -> Void = { _ in }, _ write: ([UInt8]) throws -> Void
  ) throws -> Int {
    let entry = try StoreAccess.entry(named: className, in: reader.schema)
    guard !entry.isEmbedded else {
      throw DumpError("objects of '\(entry.name)' are embedded; they are written with their owners")
    }
    let rows = ExportRows(entry, cells, format, lineEnd: lineEnd)
    if format == .csv {
      guard !CSVExport.isNumbered(entry) || entry.column(named: CSVText.numberColumn) == nil else {
        throw DumpError("CSV has no room for a property named '\(CSVText.numberColumn)' of '\(entry.name)'")
      }
      rows.appendHeader()
    }
    for cluster in try reader.liveClusters(of: entry.id) {
      try rows.append(cluster: cluster) {
        progress($0)
        try write($1)
      }
    }
    try write(rows.output.take())
    progress(rows.count)
    return rows.count
  }
}

/// Cells of CSV that tell null from an empty text: null is an empty cell, an empty text is `""`.
enum CSVExport {
  static func isNumbered(_ entry: ClassDescriptor) -> Bool { LinkNaming.property(of: entry) == nil }

  static func text(_ text: String) -> String { text.isEmpty ? "\"\"" : CSVText.row([text]) }

  static func text(_ cell: ExportCell) -> String {
    switch cell {
    case .null: ""
    case .json(let json): text(json)
    case .scalar(.string(let string)): text(string)
    case .scalar(let value): text(DumpValue.bare(value))
    }
  }
}
