/// Reads CSV (RFC 4180) with a header row: quoted fields may hold separators, line ends and doubled quotes.
///
/// Parsers that take the whole text at once cannot say where a fault is, and hold the file in memory.
final class CSVReader: FlatReader {
  private let lines: LineReader
  private let separator: UInt8
  private let quote: UInt8
  /// The first row, where it names nothing.
  private var pending: InputRecord?
  let dialect: CSVDialect
  private let splitter: CSVSplitter
  private let cells = FlatCells()
  private var header: [String] = []
  var fieldNames: [String] { header }
  private(set) var isBroken = false
  var source: ByteSource { lines.source }
  let hasFrame = true
  /// The notices of new names for columns whose own names cannot tell them apart.
  private(set) var headerNotices: [String] = []
  /// A row has at least so many fields: columns at the end of the header need none that have no name.
  private var leastFields = 0
  /// The byte beside a line's end that is no part of the line.
  private let lineEndMate: UInt8

  /// Reads the header.
  ///
  /// - Throws: `InputFault` when there is none.
  init(_ source: ByteSource, _ dialect: CSVDialect, lineLimit: Int) throws {
    lines = LineReader(source, limit: lineLimit, lineEnd: dialect.lineEnd)
    lineEndMate = dialect.lineEnd == CSVDialect.lineFeed ? CSVDialect.carriageReturn : CSVDialect.lineFeed
    self.dialect = dialect
    separator = dialect.separator
    quote = dialect.quote
    splitter = CSVSplitter(separator: separator, quote: quote)
    var skipped = 0
    while skipped < dialect.skippedLines, try lines.next() != nil { skipped += 1 }
    guard let row = try nextRow() else {
      throw InputFault(file: source.path, line: 1, column: 1, message: "the file is empty; a header row was expected")
    }
    guard dialect.hasHeader else {
      header = row.cells.indices.map { "field\($0 + 1)" }
      leastFields = header.count
      pending = record(row)
      return
    }
    let names = row.cells.map { $0.text.allSatisfy(\.isWhitespace) ? "" : $0.text }
    guard names.contains(where: { !$0.isEmpty }) else {
      throw fault("the header names no column; --no-header reads this line as a row", row, 0)
    }
    setHeader(names)
  }

  /// Takes the names of the columns: all but the first without a name, and those that come again, get names of their own.
  private func setHeader(_ names: [String]) {
    leastFields = (names.lastIndex { !$0.isEmpty } ?? names.count - 1) + 1
    var taken = Set(names.map { ByteName($0) })
    var seen: Set<ByteName> = []
    for (index, name) in names.enumerated() {
      guard !seen.insert(ByteName(name)).inserted else {
        header.append(name)
        continue
      }
      let base = name.isEmpty ? "field\(index + 1)" : name
      let candidates = (name.isEmpty ? [base] : []) + (2...names.count + 2).map { "\(base)_\($0)" }
      let own = candidates.first { !taken.contains(ByteName($0)) } ?? base
      taken.insert(ByteName(own))
      header.append(own)
      headerNotices.append(
        name.isEmpty
          ? "column \(index + 1) has no name in the header and is read as \(JSONText.quote(own))"
          : "the header names \(JSONText.quote(name)) again: column \(index + 1) is read as \(JSONText.quote(own))")
    }
  }

  func next() throws -> InputRecord? {
    if let pending {
      self.pending = nil
      return pending
    }
    guard !isBroken, let row = try nextRow() else { return nil }
    guard isComplete(row.cells.count) else {
      let place = row.cells.count > header.count ? row.cells[header.count].offset : row.bytes.count
      throw fault(
        "the row has \(row.cells.count) field\(row.cells.count == 1 ? "" : "s"), the header names \(header.count)"
          + (row.cells.count < header.count ? "; --short-rows takes what is missing for no value" : ""), row, place)
    }
    return record(row)
  }

  /// True if a blank line is a row without a value, as it is in a file of one column. In others no row is that short.
  private var takesBlankLines: Bool { header.count == 1 }

  private func isComplete(_ count: Int) -> Bool {
    count == header.count || (count < header.count && (dialect.fillsShortRows || count >= leastFields))
  }

  private func record(_ row: Row) -> InputRecord {
    let fields = zip(header, row.cells).map { name, cell in
      InputField(name: name, node: InputNode(.text(cell.text), at: cell.offset))
    }
    return InputRecord(bytes: row.bytes, firstLine: row.firstLine, lineEnd: dialect.lineEnd, fields: fields)
  }

  func next(inPlace take: (FlatRow) throws -> Bool) throws -> FlatStep {
    guard !isBroken, pending == nil else { return try next().map { .record($0) } ?? .end }
    while true {
      var isBlank = false
      let use = try lines.nextInPlace { bytes, line, number in
        var end = line.upperBound
        if end > line.lowerBound, bytes[end &- 1] == lineEndMate { end &-= 1 }
        guard end > line.lowerBound, bytes[line.lowerBound] != dialect.comment else {
          guard end > line.lowerBound || !takesBlankLines else { return .left }
          isBlank = true
          return .taken
        }
        guard !dialect.trims, splitter.split(bytes, line.lowerBound..<end, into: cells), cells.count == header.count
        else {
          return .left
        }
        return try take(FlatRow(bytes: bytes, cells: cells, line: number)) ? .taken : .left
      }
      switch use {
      case .taken: if !isBlank { return .taken }
      case .left: return try next().map { .record($0) } ?? .end
      case nil: return .end
      }
    }
  }

  private struct Cell {
    var text: String
    var offset: Int
  }

  private struct Row {
    var bytes: [UInt8]
    var firstLine: Int
    var cells: [Cell] = []
  }

  private func fault(_ message: String, _ row: Row, _ offset: Int) -> InputFault {
    let place = InputRecord.position(
      of: offset, in: row.bytes, firstLine: row.firstLine, lineEnd: dialect.lineEnd)
    return InputFault(file: source.path, line: place.line, column: place.column, message: message)
  }

  private func nextRow() throws -> Row? {
    while let line = try lines.next() {
      var row = Row(bytes: line, firstLine: lines.lineNumber)
      if isEnd(row, 0), !takesBlankLines { continue }
      if let first = line.first, first == dialect.comment { continue }
      row.cells.reserveCapacity(header.count)
      do {
        try split(&row)
      } catch let error as RecordFault {
        throw fault(error.message, row, error.offset)
      }
      return row
    }
    return nil
  }

  /// True if the row ends at an offset that is outside of quotes; the CR of CR and LF does not count.
  private func isEnd(_ row: Row, _ index: Int) -> Bool {
    index == row.bytes.count || (index == row.bytes.count - 1 && row.bytes[index] == lineEndMate)
  }

  private func split(_ row: inout Row) throws {
    var index = 0
    while true {
      let start = index
      if dialect.trims { skipSpaces(row, &index) }
      if index < row.bytes.count, row.bytes[index] == quote {
        row.cells.append(Cell(text: try quoted(&row, &index), offset: start))
      } else {
        row.cells.append(Cell(text: try plain(row, &index), offset: start))
      }
      if isEnd(row, index) { return }
      index += 1  // the separator
    }
  }

  private func plain(_ row: Row, _ index: inout Int) throws -> String {
    let start = index
    // A quote that does not begin a field is one of its characters.
    while !isEnd(row, index), row.bytes[index] != separator { index += 1 }
    var end = index
    if dialect.trims { while end > start, Self.isSpace(row.bytes[end - 1]) { end -= 1 } }
    return try text(row.bytes[start..<end])
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Passes over spaces that are no separators.
  private func skipSpaces(_ row: Row, _ index: inout Int) {
    while index < row.bytes.count, Self.isSpace(row.bytes[index]), row.bytes[index] != separator { index += 1 }
  }

  private func quoted(_ row: inout Row, _ index: inout Int) throws -> String {
    let opening = index
    index += 1
    var content: [UInt8] = []
    while true {
      guard index < row.bytes.count else {
        try appendLine(to: &row, opening)
        continue
      }
      let byte = row.bytes[index]
      index += 1
      guard byte == quote else {
        content.append(byte)
        continue
      }
      guard index < row.bytes.count, row.bytes[index] == quote else { break }
      content.append(quote)
      index += 1
    }
    let afterQuote = index
    skipSpaces(row, &index)
    guard isEnd(row, index) || row.bytes[index] == separator else {
      throw RecordFault(
        offset: afterQuote, message: "a separator or the end of the row was expected after the quote")
    }
    return try text(content[...], from: opening)
  }

  /// Continues a quoted field on the next line of the file.
  private func appendLine(to row: inout Row, _ opening: Int) throws {
    // Where the row ends is not known without its quote.
    isBroken = true
    guard let line = try lines.next() else {
      throw RecordFault(offset: opening, message: "the quote that opens here is never closed")
    }
    guard row.bytes.count + line.count < lines.limit else { throw lines.tooLong(at: row.firstLine) }
    isBroken = false
    row.bytes.append(dialect.lineEnd)
    row.bytes.append(contentsOf: line)
  }

  private func text(_ bytes: ArraySlice<UInt8>, from start: Int? = nil) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let offset = start ?? TextEncoding.firstInvalidOffset(in: bytes) ?? bytes.startIndex
      throw RecordFault(offset: offset, message: "the bytes are not valid UTF-8")
    }
    return text
  }
}
