import Foundation
import LarderStorage

/// A folder that `export` wrote, being read.
final class FolderSource: ObjectSource {
  let header: DumpHeader
  let linksByPrimaryKey = true
  private(set) var progress: (consumed: Int, total: Int?) = (0, nil)
  private let folder: String
  private let lineLimit: Int
  private var current: (className: String, format: ExportFormat, reader: any InputReader)?
  /// By class and property.
  private let columns: [String: [String: ColumnDeclaration]]
  private let types: ExportTypes

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Opens a folder and reads its schema.
  ///
  /// - Throws: `InputFileError` for a folder without one, `InputFault` for one that cannot be read.
  init(_ folder: String, lineLimit: Int) throws {
    self.folder = folder
    self.lineLimit = lineLimit
    let path = "\(folder)/\(ExportFormat.schemaFile)"
    guard FileManager.default.fileExists(atPath: path) else {
      throw InputFileError(
        path: folder, message: "a folder without '\(ExportFormat.schemaFile)' is none that 'larder export' wrote")
    }
    header = try DumpFile(path, lineLimit: lineLimit).header
    columns = Dictionary(
      header.classes.map { entry in
        (entry.declaration.name, Dictionary(entry.declaration.columns.map { ($0.name, $0) }) { first, _ in first })
      }
    ) { first, _ in first }
    types = ExportTypes(header)
  }

  private func open(_ className: String) throws -> (format: ExportFormat, reader: any InputReader) {
    for format in [ExportFormat.jsonl, .csv] {
      for ending in ["", ".gz"] {
        let path = "\(folder)/\(format.fileName(of: className))\(ending)"
        guard FileManager.default.fileExists(atPath: path) else { continue }
        let source = try ByteSource(path: path)
        // A level of a value takes up to three of JSON: an object in a pair in a map.
        let depth = 3 * ObjectLine.maximumDepth + 10
        return format == .jsonl
          ? (format, JSONLinesReader(source, maximumDepth: depth, lineLimit: lineLimit))
          : (format, try CSVReader(source, CSVDialect(separator: UInt8(ascii: ",")), lineLimit: lineLimit))
      }
    }
    throw InputFileError(
      path: folder,
      message: "there is neither '\(ExportFormat.jsonl.fileName(of: className))' nor '.csv' for '\(className)'")
  }

  func next(className: String, place: Int, of count: Int) throws -> InputRecord {
    if current?.className != className {
      try endOfClass()
      let (format, reader) = try open(className)
      current = (className, format, reader)
    }
    guard let (_, format, reader) = current, let record = try reader.next() else {
      throw InputFileError(
        path: current?.reader.source.path ?? folder, message: "the file ends after \(place) of \(count) objects")
    }
    progress = (reader.source.consumed, reader.source.storedSize)
    guard format == .csv else { return record }
    return try placing(record) { try typed(record, className) }
  }

  /// The cells of a row as the values that its class's properties have.
  private func typed(_ record: InputRecord, _ className: String) throws -> InputRecord {
    let declared = columns[className] ?? [:]
    let fields = try record.fields.compactMap { field -> InputField? in
      guard let column = declared[field.name] else {
        // The number of the row.
        return field.name == CSVText.numberColumn ? nil : field
      }
      guard case .text(let text) = field.node.value else { return field }
      let isQuoted = field.node.offset < record.bytes.count && record.bytes[field.node.offset] == UInt8(ascii: "\"")
      let value = text.isEmpty && !isQuoted ? InputValue.null : try types.value(of: text, column, at: field.node.offset)
      return InputField(name: field.name, node: InputNode(value, at: field.node.offset))
    }
    return InputRecord(bytes: record.bytes, firstLine: record.firstLine, fields: fields)
  }

  private func endOfClass() throws {
    guard let current, let record = try current.reader.next() else { return }
    throw InputFault(
      file: current.reader.source.path, line: record.firstLine, column: 1,
      message: "the schema tells of no more objects")
  }

  func end() throws { try endOfClass() }

  func placing<Result>(_ record: InputRecord, _ body: () throws -> Result) throws -> Result {
    try DumpFile.placing(record, current?.reader.source.path ?? folder, body)
  }
}

/// The types of the cells of exported tables.
struct ExportTypes {
  private var linkTypes: [String: ColumnType] = [:]
  private var embedded: Set<String> = []

  init(_ header: DumpHeader) {
    for entry in header.classes.map(\.declaration) {
      if entry.isEmbedded { embedded.insert(entry.name) }
      let key = entry.columns.first { $0.isPrimaryKey && !$0.isOptional }
      linkTypes[entry.name] = key?.type ?? .int
    }
  }

  /// The type of the scalars that mean a column's values; nil when they are JSON.
  func scalar(_ column: ColumnDeclaration) -> ColumnType? {
    guard column.type == .link, let target = column.target else { return column.type == .mixed ? nil : column.type }
    return embedded.contains(target) ? nil : linkTypes[target] ?? .int
  }

  /// The value that a text means.
  ///
  /// - Throws: `RecordFault` for JSON that is none.
  func value(of text: String, _ column: ColumnDeclaration, at offset: Int) throws -> InputValue {
    guard column.collection == .none, let type = scalar(column) else { return try Self.json(text, at: offset) }
    return DumpValue.input(text, type)
  }

  static func json(_ text: String, at offset: Int) throws -> InputValue {
    do {
      return try JSONParser.parse(Array(text.utf8), maximumDepth: 3 * ObjectLine.maximumDepth + 10).value
    } catch let fault as RecordFault {
      throw RecordFault(offset: offset, message: "the JSON of this cell cannot be read: \(fault.message)")
    }
  }
}
