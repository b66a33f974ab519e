/// Lines of a file with their numbers, read piece by piece so that the size of the file does not matter.
final class LineReader {
  let source: ByteSource
  /// Number of the line given last, from 1.
  private(set) var lineNumber = 0
  private var buffer: [UInt8] = []
  private var position = 0
  private var isFinished = false
  private static let newline: UInt8 = 10
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ source: ByteSource) {
    self.source = source
  }

  /// The next line without its `\n`, or nil at the end. A last line without line end counts.
  func next() throws -> [UInt8]? {
    var searched = position
    while true {
      let bytes = buffer
      if let end = bytes[searched...].firstIndex(of: Self.newline) {
        let line = Array(bytes[position..<end])
        position = end + 1
        return take(line)
      }
      searched = bytes.count - position
      if try !refill() { break }
    }
    guard position < buffer.count else { return nil }
    let line = Array(buffer[position...])
    position = buffer.count
    return take(line)
  }

  private func take(_ line: [UInt8]) -> [UInt8] {
    lineNumber += 1
    if lineNumber == 1, line.starts(with: Self.byteOrderMark) { return Array(line.dropFirst(3)) }
    return line
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
