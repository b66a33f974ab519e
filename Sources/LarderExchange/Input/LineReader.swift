/// Lines of a file with their numbers, read piece by piece so that the size of the file does not matter.
final class LineReader {
  let source: ByteSource
  /// The most bytes that a line may have, after unpacking.
  let limit: Int
  /// The byte that ends a line.
  let lineEnd: UInt8
  /// Number of the line given last, from 1.
  @exclusivity(unchecked) private(set) var lineNumber = 0
  @exclusivity(unchecked) private var buffer: [UInt8] = []
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var isFinished = false
  /// The rest of a line that is too long comes next.
  @exclusivity(unchecked) private var skips = false
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ source: ByteSource, limit: Int = LineLimit.usual, lineEnd: UInt8 = UInt8(ascii: "\n")) {
    self.source = source
    self.limit = limit
    self.lineEnd = lineEnd
  }

  /// The use of a line that was offered in place.
  enum Use {
    case taken
    /// `next` gives it.
    case left
  }

  /// The next line without what ends it, or nil at the end. A last line without line end counts.
  ///
  /// - Throws: `InputFault` for a line above the limit; the next call gives the line after it.
  func next() throws -> [UInt8]? {
    guard let end = try findEnd() else { return nil }
    defer { position = min(end + 1, buffer.count) }
    lineNumber += 1
    guard end - position <= limit else { throw tooLong() }
    let line = buffer[position..<end]
    return Array(lineNumber == 1 && line.starts(with: Self.byteOrderMark) ? line.dropFirst(3) : line)
  }

  /// Hands the next line to `body` where it is read to: the bytes, where the line is in them, and its number.
  ///
  /// - Returns: What `body` says of it; nil at the end of the file. The first line, which may begin with a mark, is left.
  /// - Throws: As `next`.
  func nextInPlace(_ body: (TextBytes, Range<Int>, Int) throws -> Use) throws -> Use? {
    guard let end = try findEnd() else { return nil }
    guard lineNumber > 0, end - position <= limit else { return .left }
    let use = try buffer.withUnsafeBytes { bytes in
      try TextBytes(bytes).map { try body($0, position..<end, lineNumber + 1) } ?? .left
    }
    if case .taken = use {
      lineNumber += 1
      position = min(end + 1, buffer.count)
    }
    return use
  }

  /// Finds the end of the next line in the buffer, which then holds all of the line; nil at the end of the file.
  private func findEnd() throws -> Int? {
    if skips { try skip() }
    var searched = position
    while true {
      if let end = newline(from: searched) { return end }
      searched = buffer.count - position
      guard searched <= limit else {
        skips = true
        lineNumber += 1
        throw tooLong()
      }
      if try !refill() { break }
    }
    return position < buffer.count ? buffer.count : nil
  }

  private func newline(from start: Int) -> Int? {
    buffer.withUnsafeBytes { TextBytes($0)?.firstIndex(of: lineEnd, from: start) }
  }

  /// Makes the fault of a line with more bytes than the limit.
  func tooLong(at line: Int? = nil) -> InputFault {
    InputFault(
      file: source.path, line: line ?? lineNumber, column: 1,
      message: "the line has more than \(LineLimit.text(limit)); --max-line sets how long lines may be")
  }

  /// Passes over the rest of a line.
  private func skip() throws {
    skips = false
    while true {
      if let end = newline(from: position) {
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
