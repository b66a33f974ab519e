/// Reads JSON Lines: one JSON object a line, blank lines between them allowed.
final class JSONLinesReader: InputReader {
  private let lines: LineReader
  var source: ByteSource { lines.source }
  let isBroken = false
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
