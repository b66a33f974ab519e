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
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Reads the header.
  ///
  /// - Throws: `InputFault` when there is none, or a name is empty or given twice.
  init(_ source: ByteSource, _ dialect: CSVDialect, lineLimit: Int) throws {
    lines = LineReader(source, limit: lineLimit)
    self.dialect = dialect
    separator = dialect.separator
    quote = dialect.quote
    splitter = CSVSplitter(separator: separator, quote: quote)
    guard let row = try nextRow() else {
      throw InputFault(file: source.path, line: 1, column: 1, message: "the file is empty; a header row was expected")
    }
    guard dialect.hasHeader else {
      header = row.cells.indices.map { "field\($0 + 1)" }
      pending = record(row)
      return
    }
    var names: Set<String> = []
    for cell in row.cells {
      guard !cell.text.isEmpty else { throw fault("the header has a column without a name", row, cell.offset) }
      guard names.insert(cell.text).inserted else {
        throw fault("the header names the column \"\(cell.text)\" twice", row, cell.offset)
      }
      header.append(cell.text)
    }
  }

  func next() throws -> InputRecord? {
    if let pending {
      self.pending = nil
      return pending
    }
    guard !isBroken, let row = try nextRow() else { return nil }
    guard row.cells.count == header.count else {
      let place = row.cells.count > header.count ? row.cells[header.count].offset : row.bytes.count
      throw fault(
        "the row has \(row.cells.count) field\(row.cells.count == 1 ? "" : "s"), the header names \(header.count)", row,
        place)
    }
    return record(row)
  }

  private func record(_ row: Row) -> InputRecord {
    let fields = zip(header, row.cells).map { name, cell in
      InputField(name: name, node: InputNode(.text(cell.text), at: cell.offset))
    }
    return InputRecord(bytes: row.bytes, firstLine: row.firstLine, fields: fields)
  }

  func next(inPlace take: (FlatRow) throws -> Bool) throws -> FlatStep {
    guard !isBroken, pending == nil else { return try next().map { .record($0) } ?? .end }
    while true {
      var isBlank = false
      let use = try lines.nextInPlace { bytes, line, number in
        var end = line.upperBound
        if end > line.lowerBound, bytes[end &- 1] == Self.carriageReturn { end &-= 1 }
        guard end > line.lowerBound else {
          isBlank = true
          return .taken
        }
        guard splitter.split(bytes, line.lowerBound..<end, into: cells), cells.count == header.count else {
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
    let place = InputRecord.position(of: offset, in: row.bytes, firstLine: row.firstLine)
    return InputFault(file: source.path, line: place.line, column: place.column, message: message)
  }

  private func nextRow() throws -> Row? {
    while let line = try lines.next() {
      var row = Row(bytes: line, firstLine: lines.lineNumber)
      if isEnd(row, 0) { continue }
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

  /// Whether the row ends at an offset that is outside of quotes; the `\r` of a `\r\n` does not count.
  private func isEnd(_ row: Row, _ index: Int) -> Bool {
    index == row.bytes.count || (index == row.bytes.count - 1 && row.bytes[index] == Self.carriageReturn)
  }

  private func split(_ row: inout Row) throws {
    var index = 0
    while true {
      let start = index
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
    while !isEnd(row, index), row.bytes[index] != separator {
      guard row.bytes[index] != quote else {
        throw RecordFault(offset: index, message: "a quote inside a field that does not start with one")
      }
      index += 1
    }
    return try text(row.bytes[start..<index])
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
    guard isEnd(row, index) || row.bytes[index] == separator else {
      throw RecordFault(offset: index, message: "a separator or the end of the row was expected after the quote")
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
    row.bytes.append(UInt8(ascii: "\n"))
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
