import LarderStorage

/// Writes the classes of a store as text, a file for each.
package struct FolderExport {
  private let reader: any StoreReader
  private let format: ExportFormat
  private let cells: ExportCells

  /// - Parameter format: JSON Lines or CSV.
  package init(_ reader: any StoreReader, _ format: ExportFormat) {
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
  /// - Returns: How many objects were written.
  /// - Throws: `StorageError` for an unknown class and what cannot be read; `DumpError` for what the format cannot hold.
  package func write(className: String, _ write: (String) throws -> Void) throws -> Int {
    let entry = try StoreAccess.entry(named: className, in: reader.schema)
    guard !entry.isEmbedded else {
      throw DumpError("objects of '\(entry.name)' are embedded; they are written with their owners")
    }
    let keys = try cells.places.keys(of: entry.id)
    guard format == .csv else {
      for key in keys { try write(try cells.object(entry, key) + "\n") }
      return keys.count
    }
    let numbered = CSVExport.isNumbered(entry)
    guard !numbered || entry.column(named: CSVText.numberColumn) == nil else {
      throw DumpError("CSV has no room for a property named '\(CSVText.numberColumn)' of '\(entry.name)'")
    }
    let names = (numbered ? [CSVText.numberColumn] : []) + entry.columns.map(\.name)
    try write(names.map(CSVExport.text).joined(separator: ",") + "\r\n")
    for (place, key) in keys.enumerated() {
      let row = try entry.columns.map { CSVExport.text(try cells.cell($0, entry, key)) }
      try write(((numbered ? [String(place)] : []) + row).joined(separator: ",") + "\r\n")
    }
    return keys.count
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
