/// Formats of input files.
package enum InputFormat: String, CaseIterable, Sendable {
  case jsonl
  case csv
  case tsv
  /// An array of objects, or objects on any number of lines; also JSON Lines.
  case json

  /// Whether records are rows of text without types.
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
    case .jsonl: return JSONLinesReader(source, lineLimit: lineLimit)
    case .json:
      return JSONDocumentReader.isLines(try source.sample())
        ? JSONLinesReader(source, lineLimit: lineLimit) : JSONDocumentReader(source, lineLimit: lineLimit)
    case .csv, .tsv:
      let separator = reading.separator ?? (self == .tsv ? UInt8(ascii: "\t") : nil)
      var dialect = CSVDialect(sniffing: try source.sample(), separator: separator, quote: reading.quote)
      dialect.hasHeader = reading.hasHeader
      return try CSVReader(source, dialect, lineLimit: lineLimit)
    }
  }
}

/// What is known of a file before it is opened.
package struct InputReading: Sendable {
  /// Nil: UTF-8, or UTF-16 where a mark says so.
  package var encoding: InputEncoding?
  /// Of CSV; nil: by its first lines.
  package var separator: UInt8?
  package var quote: UInt8?
  /// Whether the first row of CSV names the columns; else they are `field1` and so on.
  package var hasHeader = true

  package init() {}
}
