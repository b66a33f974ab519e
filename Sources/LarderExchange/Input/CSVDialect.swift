/// How a file of CSV is written.
package struct CSVDialect: Hashable, Sendable {
  package var separator: UInt8
  package var quote = UInt8(ascii: "\"")
  /// Whether the first row names the columns.
  package var hasHeader = true

  package init(separator: UInt8) { self.separator = separator }

  private static let separators = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
  private static let quotes = ["\"", "'"].map { UInt8(ascii: $0) }
  /// As many lines show how the others are.
  private static let sampledLines = 32

  /// The dialect of a file that begins with these bytes, where the first lines agree on one: those that are given are kept.
  init(sniffing bytes: [UInt8], separator: UInt8?, quote: UInt8?) {
    self.init(separator: separator ?? UInt8(ascii: ","))
    var best = 0
    for mark in quote.map({ [$0] }) ?? Self.quotes {
      let rows = Self.rows(bytes, quote: mark)
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
  private static func rows(_ bytes: [UInt8], quote: UInt8) -> [(bytes: [UInt8], isQuoted: Bool)] {
    var rows: [(bytes: [UInt8], isQuoted: Bool)] = []
    var row: (bytes: [UInt8], isQuoted: Bool) = ([], false)
    var isInside = false
    for byte in bytes {
      if byte == quote {
        isInside.toggle()
        row.isQuoted = true
      } else if isInside {
        continue
      } else if byte == UInt8(ascii: "\n") {
        if row.isQuoted || row.bytes.contains(where: { $0 != UInt8(ascii: "\r") }) { rows.append(row) }
        row = ([], false)
        if rows.count == sampledLines { return rows }
      } else {
        row.bytes.append(byte)
      }
    }
    if rows.isEmpty || !isInside && !row.bytes.isEmpty && bytes.count < ByteSource.sampleSize { rows.append(row) }
    return rows
  }

  /// Whether a mark encloses whole fields, and is nowhere else; double quotes are nowhere.
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
