/// Lines of a file with their numbers, read piece by piece so that the size of the file does not matter.
final class LineReader {
  let source: ByteSource
  /// How many bytes a line may have, after unpacking.
  let limit: Int
  /// Number of the line given last, from 1.
  private(set) var lineNumber = 0
  private var buffer: [UInt8] = []
  private var position = 0
  private var isFinished = false
  /// The rest of a line that is too long comes next.
  private var skips = false
  private static let newline: UInt8 = 10
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ source: ByteSource, limit: Int = LineLimit.usual) {
    self.source = source
    self.limit = limit
  }

  /// The next line without its `\n`, or nil at the end. A last line without line end counts.
  ///
  /// - Throws: `InputFault` for a line above the limit; the next call gives the line after it.
  func next() throws -> [UInt8]? {
    if skips { try skip() }
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: Self.newline) {
        let line = try take(position..<end)
        position = end + 1
        return line
      }
      searched = buffer.count - position
      guard searched <= limit else {
        skips = true
        lineNumber += 1
        throw tooLong()
      }
      if try !refill() { break }
    }
    guard position < buffer.count else { return nil }
    defer { position = buffer.count }
    return try take(position..<buffer.count)
  }

  /// What is wrong with a line of more bytes than the limit.
  func tooLong(at line: Int? = nil) -> InputFault {
    InputFault(
      file: source.path, line: line ?? lineNumber, column: 1,
      message: "the line has more than \(LineLimit.text(limit)); --max-line sets how long lines may be")
  }

  private func take(_ range: Range<Int>) throws -> [UInt8] {
    lineNumber += 1
    guard range.count <= limit else {
      position = range.upperBound + 1
      throw tooLong()
    }
    let line = buffer[range]
    return Array(lineNumber == 1 && line.starts(with: Self.byteOrderMark) ? line.dropFirst(3) : line)
  }

  /// Passes over the rest of a line.
  private func skip() throws {
    skips = false
    while true {
      if let end = buffer[position...].firstIndex(of: Self.newline) {
        position = end + 1
        return
      }
      position = buffer.count
      if try !refill() { return }
    }
  }

  /// Moves the rest to the front and appends the next piece; false at the end of the file.
  private func refill() throws -> Bool {
    guard !isFinished else { return false }
    guard let piece = try source.next() else {
      isFinished = true
      buffer.removeFirst(position)
      position = 0
      return false
    }
    if position == buffer.count {
      buffer = piece
    } else {
      buffer.removeFirst(position)
      buffer.append(contentsOf: piece)
    }
    position = 0
    return true
  }
}
