/// Formats of input files.
package enum InputFormat: String, CaseIterable, Sendable {
  case jsonl
  case csv
  case tsv
  /// An array of objects, or objects on any number of lines; also JSON Lines.
  case json

  /// True if records are rows of text without types.
  var isTable: Bool { self == .csv || self == .tsv }

  /// The format that a file's name tells, `.gz` aside.
  package init?(path: String) {
    var name = path.lowercased()[...]
    if name.hasSuffix(".gz") { name = name.dropLast(3) }
    switch name.split(separator: ".").last {
    case "jsonl", "ndjson", "jsonlines": self = .jsonl
    case "json", "geojson": self = .json
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    default: return nil
    }
  }

  /// Opens a file in this format; `contents` says where its bytes are, if not there.
  package func open(
    _ path: String, contents: String? = nil, _ reading: InputReading = InputReading(), lineLimit: Int = LineLimit.usual
  ) throws -> any InputReader {
    let source = try ByteSource(path: path, contents: contents, encoding: reading.encoding)
    switch self {
    case .jsonl, .json:
      guard reading.path.isEmpty, reading.keyField == nil else {
        return JSONDocumentReader(source, path: reading.path, keyField: reading.keyField, lineLimit: lineLimit)
      }
      guard self == .json else { return JSONLinesReader(source, lineLimit: lineLimit) }
      return JSONDocumentReader.isLines(try source.sample())
        ? JSONLinesReader(source, lineLimit: lineLimit) : JSONDocumentReader(source, lineLimit: lineLimit)
    case .csv, .tsv:
      let dialect = CSVDialect(
        sniffing: try source.sample(), reading, separator: self == .tsv ? UInt8(ascii: "\t") : nil)
      return try CSVReader(source, dialect, lineLimit: lineLimit)
    }
  }
}

/// The facts about a file that are known before it is opened.
package struct InputReading: Sendable {
  /// Nil: UTF-8, or UTF-16 where a mark says so.
  package var encoding: InputEncoding?
  /// Of CSV; nil: by its first lines.
  package var separator: UInt8?
  package var quote: UInt8?
  /// True if the first row of CSV names the columns; else they are `field1` and so on.
  package var hasHeader = true
  /// The number of lines before the header of CSV.
  package var skippedLines = 0
  /// The first byte of lines of CSV that are no rows.
  package var comment: UInt8?
  /// True if rows of CSV may have fewer fields than there are columns.
  package var fillsShortRows = false
  /// True if spaces around fields of CSV are no part of them.
  package var trims = false
  /// The fields of JSON that lead from the outermost object to the records.
  package var path: [String] = []
  /// The field that gets the key of each record, where the records are the values of an object.
  package var keyField: String?

  package init() {}
}
