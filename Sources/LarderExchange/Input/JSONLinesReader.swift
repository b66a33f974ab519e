/// Reads JSON Lines: one JSON object a line, blank lines between them allowed.
final class JSONLinesReader: FlatReader {
  private let lines: LineReader
  private let cells = FlatCells()
  private var splitter = JSONSplitter()
  var fieldNames: [String] { splitter.names }
  var source: ByteSource { lines.source }
  let isBroken = false
  let hasFrame = false
  private let maximumDepth: Int

  /// - Parameter maximumDepth: How deep values may be in others; see `JSONParser`.
  init(_ source: ByteSource, maximumDepth: Int = JSONParser.usualDepth, lineLimit: Int) {
    lines = LineReader(source, limit: lineLimit)
    self.maximumDepth = maximumDepth
  }

  func next() throws -> InputRecord? {
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }) {
        continue
      }
      return try record(line)
    }
    return nil
  }

  func next(inPlace take: (FlatRow) throws -> Bool) throws -> FlatStep {
    let use = try lines.nextInPlace { bytes, line, number in
      guard splitter.split(bytes, line, into: cells) else { return .left }
      return try take(FlatRow(bytes: bytes, cells: cells, line: number)) ? .taken : .left
    }
    guard case .taken? = use else {
      guard use != nil, let record = try next() else { return .end }
      splitter.learn(record.fields)
      return .record(record)
    }
    return .taken
  }

  private func record(_ line: [UInt8]) throws -> InputRecord {
    do {
      let node = try JSONParser.parse(line, maximumDepth: maximumDepth)
      guard case .object(let fields) = node.value else {
        throw RecordFault(offset: node.offset, message: "an object {…} was expected, not \(node.value.kind)")
      }
      return InputRecord(bytes: line, firstLine: lines.lineNumber, fields: fields)
    } catch let fault as RecordFault {
      let place = InputRecord.position(of: fault.offset, in: line, firstLine: lines.lineNumber)
      throw InputFault(file: source.path, line: place.line, column: place.column, message: fault.message)
    }
  }
}
