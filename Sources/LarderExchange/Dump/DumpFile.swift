import LarderStorage

/// A dump being read: its first line, then the objects one after another.
final class DumpFile {
  let header: DumpHeader
  private let reader: JSONLinesReader
  var source: ByteSource { reader.source }

  /// Opens a dump and reads its first line.
  ///
  /// - Throws: `InputFileError`, or `InputFault` when this is no dump.
  init(_ path: String, contents: String? = nil, lineLimit: Int = LineLimit.ofDumps) throws {
    // A level of a value takes up to three of JSON: an object in a pair in a map.
    reader = JSONLinesReader(
      try ByteSource(path: path, contents: contents), maximumDepth: 3 * ObjectLine.maximumDepth + 10,
      lineLimit: lineLimit)
    guard let first = try reader.next() else { throw InputFileError(path: path, message: "the file is empty") }
    header = try Self.placing(first, path) { try DumpHeader(first) }
  }

  /// The record of the next object.
  func next(className: String, place: Int, of count: Int) throws -> InputRecord {
    guard let record = try reader.next() else {
      throw InputFileError(
        path: source.path,
        message: "the dump ends after \(place) of \(count) objects of '\(className)': it is not complete")
    }
    return record
  }

  /// Throws unless the last object was read.
  func end() throws {
    guard let record = try reader.next() else { return }
    throw InputFault(
      file: source.path, line: record.firstLine, column: 1, message: "the first line tells of no more objects")
  }

  /// Runs `body` and gives its faults their place in the file.
  func placing<Result>(_ record: InputRecord, _ body: () throws -> Result) throws -> Result {
    try Self.placing(record, source.path, body)
  }

  static func placing<Result>(
    _ record: InputRecord, _ path: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let fault as RecordFault {
      let place = record.position(of: fault.offset)
      throw InputFault(file: path, line: place.line, column: place.column, message: fault.message)
    } catch let error as StorageError where DumpRecord.isFaultOfValue(error) {
      throw InputFault(file: path, line: record.firstLine, column: 1, message: error.message)
    }
  }
}
