/// Reads the records of an input file one after another.
package protocol InputReader: AnyObject {
  /// The next record, or nil at the end.
  ///
  /// - Throws: `InputFault` for a malformed record, after which reading may go on with the next one unless `isBroken`;
  ///   `InputFileError` when the file itself cannot be read.
  func next() throws -> InputRecord?
  /// Whether a fault was such that the following records cannot be found.
  var isBroken: Bool { get }
  var source: ByteSource { get }
}

/// Formats of input files.
package enum InputFormat: String, CaseIterable, Sendable {
  case jsonl
  case csv
  case tsv

  /// The format that a file's name tells, `.gz` aside.
  package init?(path: String) {
    var name = path.lowercased()[...]
    if name.hasSuffix(".gz") { name = name.dropLast(3) }
    switch name.split(separator: ".").last {
    case "jsonl", "ndjson", "jsonlines", "json": self = .jsonl
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    default: return nil
    }
  }

  /// Opens a file in this format; `contents` says where its bytes are, if not there.
  package func open(
    _ path: String, contents: String? = nil, separator: UInt8? = nil, lineLimit: Int = LineLimit.usual
  ) throws -> any InputReader {
    let source = try ByteSource(path: path, contents: contents)
    switch self {
    case .jsonl: return JSONLinesReader(source, lineLimit: lineLimit)
    case .csv: return try CSVReader(source, separator: separator ?? UInt8(ascii: ","), lineLimit: lineLimit)
    case .tsv: return try CSVReader(source, separator: separator ?? UInt8(ascii: "\t"), lineLimit: lineLimit)
    }
  }
}
