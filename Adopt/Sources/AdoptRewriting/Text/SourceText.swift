/// The bytes of a source file, and where its lines begin.
///
/// Offsets are of bytes, as those of the syntax tree; edits never see characters, for which a carriage return and a line feed are one.
package struct SourceText: Sendable, Equatable {
  package let bytes: [UInt8]
  /// Offsets of the first byte of each line.
  private let lineStarts: [Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == Ascii.newline { starts.append(offset + 1) }
    lineStarts = starts
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  package var string: String { String(decoding: bytes, as: UTF8.self) }
  package var count: Int { bytes.count }

  /// The end of the file's lines; the first line says it for all.
  package var newline: String {
    guard lineStarts.count > 1, lineStarts[1] >= 2 else { return "\n" }
    return bytes[lineStarts[1] - 2] == Ascii.carriageReturn ? "\r\n" : "\n"
  }

  /// Number of the line that an offset is on, from 0.
  package func lineIndex(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Line and column, both from 1; columns count bytes, as the compiler's do.
  package func position(at offset: Int) -> SourcePosition {
    let line = lineIndex(at: offset)
    return SourcePosition(line: line + 1, column: offset - lineStarts[line] + 1)
  }

  /// Returns the offset at which the line of an offset begins.
  package func lineStart(at offset: Int) -> Int { lineStarts[lineIndex(at: offset)] }

  /// Returns the offset at which the line of an offset ends, without the bytes that end it.
  package func lineEnd(at offset: Int) -> Int {
    let line = lineIndex(at: offset)
    var end = line + 1 < lineStarts.count ? lineStarts[line + 1] - 1 : bytes.count
    if end > lineStarts[line], end < bytes.count, bytes[end - 1] == Ascii.carriageReturn { end -= 1 }
    return end
  }

  /// Returns the offset at which the line after that of an offset begins; the end of the file for the last one.
  package func nextLineStart(at offset: Int) -> Int {
    let line = lineIndex(at: offset)
    return line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
  }

  /// The spaces and tabs that the line of an offset begins with.
  package func indentation(at offset: Int) -> String {
    let start = lineStart(at: offset)
    var end = start
    while end < bytes.count, Ascii.isBlank(bytes[end]) { end += 1 }
    return text(start..<end)
  }

  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The lines that a range touches.
  package func lines(touching range: Range<Int>) -> [String] {
    var result: [String] = []
    var offset = range.lowerBound
    repeat {
      result.append(text(lineStart(at: offset)..<lineEnd(at: offset)))
      let next = nextLineStart(at: offset)
      if next <= offset { break }
      offset = next
    } while offset < range.upperBound
    return result
  }

  /// True if nothing but blanks is between two offsets.
  package func isBlank(_ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { Ascii.isBlank($0) || $0 == Ascii.carriageReturn }
  }

  /// True if the line of an offset holds nothing but blanks.
  package func isBlankLine(at offset: Int) -> Bool { isBlank(lineStart(at: offset)..<lineEnd(at: offset)) }
}

/// A place in a file; both numbers begin with 1.
package struct SourcePosition: Sendable, Equatable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// The few bytes that the shape of a source is made of.
enum Ascii {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
