/// The form of a CSV file.
package struct CSVDialect: Hashable, Sendable {
  package var separator: UInt8
  package var quote = UInt8(ascii: "\"")
  /// True if the first row names the columns.
  package var hasHeader = true
  /// The byte that ends a line. The other one of CR and LF is no part of the line beside it.
  package var lineEnd = Self.lineFeed
  /// The number of lines before the header.
  package var skippedLines = 0
  /// The separator that a line `sep=;` before the header names, as spreadsheets write and read it.
  package var namedSeparator: UInt8?
  /// The first byte of lines that are no rows.
  package var comment: UInt8?
  /// True if rows may have fewer fields than there are columns.
  package var fillsShortRows = false
  /// True if spaces around fields are no part of them.
  package var trims = false
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")

  package init(separator: UInt8) { self.separator = separator }

  private static let separators = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
  private static let quotes = ["\"", "'"].map { UInt8(ascii: $0) }
  /// The number of lines that show the form of the others.
  private static let sampledLines = 32

  /// The dialect of a file that begins with these bytes, where the first lines agree on one: what is given is kept.
  ///
  /// - Parameter separator: The separator where none is given and the format has one.
  init(sniffing bytes: [UInt8], _ reading: InputReading, separator usual: UInt8? = nil) {
    let isWhole = bytes.count < ByteSource.sampleSize
    var rest = bytes.starts(with: LineReader.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    let lineEnd = Self.lineEnd(of: rest, reading)
    var skipped = 0
    while skipped < reading.skippedLines, !rest.isEmpty {
      rest = Self.afterLine(rest, lineEnd)
      skipped += 1
    }
    let named = Self.namedSeparator(in: rest.prefix { $0 != lineEnd })
    if named != nil { rest = Self.afterLine(rest, lineEnd) }
    let (separator, quote) = (reading.separator ?? named ?? usual, reading.quote)
    self.init(separator: separator ?? UInt8(ascii: ","))
    (self.lineEnd, namedSeparator, comment) = (lineEnd, named, reading.comment)
    (hasHeader, fillsShortRows, trims) = (reading.hasHeader, reading.fillsShortRows, reading.trims)
    skippedLines = named == nil ? reading.skippedLines : skipped + 1
    setSeparators(in: Array(rest), separator: separator, quote: quote, isWhole: isWhole)
  }

  /// Returns the byte that ends the first line outside of quotes: a lone carriage return, as programs of old Macs write it, or a line feed.
  private static func lineEnd(of bytes: ArraySlice<UInt8>, _ reading: InputReading) -> UInt8 {
    let quote = reading.quote ?? UInt8(ascii: "\"")
    var isInside = false
    for (index, byte) in zip(bytes.indices, bytes) {
      if isInside {
        isInside = byte != quote
      } else if byte == quote {
        isInside = index == bytes.startIndex || mayBeBeforeField(bytes[index - 1], reading.separator)
      } else if byte == lineFeed {
        return lineFeed
      } else if byte == carriageReturn {
        // The last byte of a sample may have a line feed after it.
        let isAlone = index + 1 < bytes.endIndex ? bytes[index + 1] != lineFeed : bytes.count < ByteSource.sampleSize
        return isAlone ? carriageReturn : lineFeed
      }
    }
    return lineFeed
  }

  /// True if a field may begin after a byte.
  private static func mayBeBeforeField(_ byte: UInt8, _ separator: UInt8?) -> Bool {
    byte == lineFeed || byte == carriageReturn || byte == separator || separators.contains(byte)
  }

  private static func afterLine(_ bytes: ArraySlice<UInt8>, _ lineEnd: UInt8) -> ArraySlice<UInt8> {
    bytes.firstIndex(of: lineEnd).map { bytes[($0 + 1)...] } ?? []
  }

  private static func namedSeparator(in line: ArraySlice<UInt8>) -> UInt8? {
    let line = line.last == carriageReturn || line.last == lineFeed ? line.dropLast() : line
    let isNamed = line.count == 5 && String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep="
    return isNamed ? line.last : nil
  }

  /// Takes over what most first lines agree on.
  private mutating func setSeparators(in bytes: [UInt8], separator: UInt8?, quote: UInt8?, isWhole: Bool) {
    var best = 0
    for mark in quote.map({ [$0] }) ?? Self.quotes {
      let rows = rows(bytes, quote: mark, isWhole: isWhole)
      // An apostrophe is one quote among many letters: it encloses fields, or it is none.
      guard mark == UInt8(ascii: "\"") || quote != nil || rows.contains(where: { $0.isQuoted }) else { continue }
      for candidate in separator.map({ [$0] }) ?? Self.separators {
        let counts = rows.map { row in row.bytes.count { $0 == candidate } }
        guard let first = counts.first, first > 0, counts.allSatisfy({ $0 == first }) else { continue }
        let fields =
          mark == UInt8(ascii: "\"") || quote != nil ? first : Self.isEnclosing(mark, bytes, candidate) ? first + 1 : 0
        guard fields > best else { continue }
        best = fields
        self.separator = candidate
        self.quote = mark
      }
    }
    if let quote { self.quote = quote }
  }

  /// The first rows without what is in quotes; the last one of the sample may be cut off and is no row unless it is the only one.
  private func rows(_ bytes: [UInt8], quote: UInt8, isWhole: Bool) -> [(bytes: [UInt8], isQuoted: Bool)] {
    var rows: [(bytes: [UInt8], isQuoted: Bool)] = []
    var row: (bytes: [UInt8], isQuoted: Bool) = ([], false)
    var isInside = false
    func isRow(_ row: (bytes: [UInt8], isQuoted: Bool)) -> Bool {
      guard row.isQuoted || row.bytes.contains(where: { $0 != Self.carriageReturn && $0 != Self.lineFeed }) else {
        return false
      }
      return comment == nil || row.bytes.first != comment
    }
    var (previous, hasClosed) = (lineEnd, false)
    for byte in bytes {
      defer { previous = byte }
      let isSecond = hasClosed && byte == quote
      hasClosed = false
      if isInside {
        isInside = byte != quote
        hasClosed = !isInside
      } else if byte == quote, isSecond || Self.mayBeBeforeField(previous, separator) {
        // After a quote that ended the field, it is one of two that mean one.
        isInside = true
        row.isQuoted = true
      } else if byte == lineEnd {
        if isRow(row) { rows.append(row) }
        row = ([], false)
        if rows.count == Self.sampledLines { return rows }
      } else {
        row.bytes.append(byte)
      }
    }
    if rows.isEmpty || !isInside && isWhole && isRow(row) { rows.append(row) }
    return rows
  }

  /// True if a mark encloses whole fields and is nowhere else, and there are no double quotes.
  private static func isEnclosing(_ mark: UInt8, _ bytes: [UInt8], _ separator: UInt8) -> Bool {
    guard !bytes.contains(UInt8(ascii: "\"")) else { return false }
    let edges: Set<UInt8> = [separator, UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    var count = 0
    var isInside = false
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      guard bytes[index] == mark else { continue }
      count += 1
      if !isInside {
        guard index == 0 || edges.contains(bytes[index - 1]) else { return false }
        isInside = true
      } else if index + 1 < bytes.count, bytes[index + 1] == mark {
        index += 1
      } else {
        guard index + 1 == bytes.count || edges.contains(bytes[index + 1]) else { return false }
        isInside = false
      }
    }
    return count > 0 && !isInside
  }
}
