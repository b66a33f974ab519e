/// Cuts a line of CSV into its fields in place, eight bytes at a time.
struct CSVSplitter {
  private let separator: UInt8
  private let quote: UInt8
  private let separators: UInt64
  private let quotes: UInt64
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  init(separator: UInt8, quote: UInt8) {
    self.separator = separator
    self.quote = quote
    separators = TextBytes.repeated(separator)
    quotes = TextBytes.repeated(quote)
  }

  /// False for what the general reader has to look at: doubled quotes, fields over several lines, faults.
  func split(_ bytes: TextBytes, _ line: Range<Int>, into cells: FlatCells) -> Bool {
    cells.removeAll()
    var first = line.lowerBound
    var index = first
    let end = line.upperBound
    var seen: UInt64 = 0
    while index &+ 8 <= end {
      let word = bytes.word(index)
      seen |= word
      guard TextBytes.matches(word, quotes) == 0 else { return splitQuoted(bytes, line, into: cells) }
      var found = TextBytes.matches(word, separators)
      while found != 0 {
        let place = index &+ found.trailingZeroBitCount &>> 3
        cells.append(.text, first, place)
        first = place &+ 1
        found &= found &- 1
      }
      index &+= 8
    }
    while index < end {
      let byte = bytes[index]
      seen |= UInt64(byte)
      guard byte != quote else { return splitQuoted(bytes, line, into: cells) }
      if byte == separator {
        cells.append(.text, first, index)
        first = index &+ 1
      }
      index &+= 1
    }
    cells.append(.text, first, end)
    return seen & Self.highBits == 0 || bytes.isUTF8(line)
  }

  private func splitQuoted(_ bytes: TextBytes, _ line: Range<Int>, into cells: FlatCells) -> Bool {
    cells.removeAll()
    var index = line.lowerBound
    let end = line.upperBound
    while true {
      let start = index
      if index < end, bytes[index] == quote {
        index &+= 1
        while index < end, bytes[index] != quote { index &+= 1 }
        guard index < end, index &+ 1 == end || bytes[index &+ 1] == separator else { return false }
        cells.append(.text, start &+ 1, index)
        index &+= 1
      } else {
        while index < end, bytes[index] != separator { index &+= 1 }
        cells.append(.text, start, index)
      }
      if index == end { return bytes.isUTF8(line) }
      index &+= 1
    }
  }
}
