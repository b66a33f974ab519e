import LarderExchange

/// Writes rows in columns as they come: widths are taken from the first rows, and no more than those are ever held.
///
/// Columns that do not fit a line are left out, which is reported at the end. Where not even two fit, each row becomes a block with a
/// line for each column. In the forms that are for other programs, CSV, Markdown and HTML, rows are written at once, and those of CSV as they
/// are.
package struct TableWriter {
  /// A column's title, and on which side its cells are.
  package struct Column: Sendable {
    package var title: String
    package var isNumeric: Bool

    package init(_ title: String, isNumeric: Bool = false) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  private enum Form {
    /// Widths of the columns that are shown, the first ones.
    case lines([Int])
    case blocks
    case markdown
    case html
    case csv
  }

  private let columns: [Column]
  private let limit: Int?
  /// Wider cells are cut.
  private let cellLimit: Int
  private let sample: Int
  private let hint: String
  private let outputForm: OutputForm
  /// The end of rows of CSV.
  private let lineEnd: String
  private var form: Form?
  /// Rows that the widths are made of, until there are enough.
  private var held: [[String]] = []
  /// The most rows that were ever held.
  package private(set) var mostHeld = 0

  /// Columns that show less stay readable.
  private static let narrowest = 6
  /// Values of blocks are not cut to less.
  private static let usefulValue = 16
  /// Widths come from so many rows.
  package static let sampleSize = 1000

  /// - Parameters:
  ///   - limit: Characters in a line; nil: as many as there are.
  ///   - cellLimit: How wide a cell is at most where no line is too long.
  ///   - sample: How many rows widths are made of. Later texts are cut where lines are limited;
  ///     numbers, and texts elsewhere, widen their line.
  ///   - hint: What shows columns that are left out, after their names.
  ///   - outputForm: Any form but JSON.
  ///   - lineEnd: What ends rows of CSV.
  package init(
    _ columns: [Column], fitting limit: Int? = nil, cellLimit: Int = 1000, sample: Int = Self.sampleSize,
    hint: String = "", as outputForm: OutputForm = .table, lineEnd: String = CSVText.lineEnd
  ) {
    self.outputForm = outputForm
    self.lineEnd = lineEnd
    self.columns =
      outputForm == .csv ? columns : columns.map { Column(VisibleText.line($0.title), isNumeric: $0.isNumeric) }
    (self.limit, self.cellLimit, self.sample, self.hint) = (limit, cellLimit, max(1, sample), hint)
  }

  /// Adds a row with a cell for each column; line ends and other control characters in cells are made visible.
  package mutating func append(_ row: [String], _ write: (String) -> Void) {
    let cells = outputForm == .csv ? row : row.map { DisplayWidth.cut(VisibleText.line($0), to: cellLimit) }
    if form == nil, outputForm != .table { settle(write) }
    guard form == nil else { return write(text(cells)) }
    held.append(cells)
    mostHeld = max(mostHeld, held.count)
    if held.count == sample { settle(write) }
  }

  /// Writes what is held, and what was left out.
  package mutating func finish(_ write: (String) -> Void) {
    if form == nil { settle(write) }
    if case .html? = form { write("</tbody>\n</table>\n") }
    guard case .lines(let widths)? = form, widths.count < columns.count else { return }
    let names = columns[widths.count...].map(\.title).joined(separator: ", ")
    write("not shown, for want of width: \(names)\(hint.isEmpty ? "" : "; \(hint)")\n")
  }

  // MARK: Quick rows

  /// The layout of lines; nil before that is known, and for other forms than lines.
  var layout: ObjectRows.Layout? {
    guard case .lines(let widths)? = form else { return nil }
    return ObjectRows.Layout(
      widths: widths, isNumeric: columns.map(\.isNumeric), isCut: limit != nil, cellLimit: cellLimit)
  }

  /// A cell of a line in the column of a number, as `append` writes it.
  func lineCell(_ text: String, _ number: Int) -> String {
    guard case .lines(let widths)? = form else { return text }
    return padded(DisplayWidth.cut(VisibleText.line(text), to: cellLimit), number, widths[number])
  }

  // MARK: Form

  private mutating func settle(_ write: (String) -> Void) {
    let form = chosenForm
    self.form = form
    let (titles, numeric) = (columns.map(\.title), columns.map(\.isNumeric))
    switch form {
    case .lines(let widths):
      write(line(titles, widths))
      write(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ") + "\n")
    case .blocks: break
    case .markdown: write(MarkdownText.row(titles) + MarkdownText.rule(numeric: numeric))
    case .html:
      write("<table>\n<thead>\n\(HTMLText.row(titles, numeric: numeric, isHead: true))</thead>\n<tbody>\n")
    case .csv: write(CSVText.row(titles) + lineEnd)
    }
    for row in held { write(text(row)) }
    held = []
  }

  private var chosenForm: Form {
    switch outputForm {
    case .vertical: return .blocks
    case .markdown: return .markdown
    case .html: return .html
    case .csv: return .csv
    case .table, .json: break
    }
    var widths = columns.map { DisplayWidth.of($0.title) }
    for row in held {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], DisplayWidth.of(cell)) }
    }
    guard let limit else { return .lines(widths) }
    shrink(&widths, to: limit)
    while Self.total(widths) > limit, !widths.isEmpty { widths.removeLast() }
    // One column says little of a row of many.
    return widths.count < min(2, columns.count) ? .blocks : .lines(widths)
  }

  private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }

  /// Narrows the widest columns of text until the line fits, as far as that can be.
  private func shrink(_ widths: inout [Int], to limit: Int) {
    var excess = Self.total(widths) - limit
    while excess > 0 {
      let wide = widths.indices.filter { !columns[$0].isNumeric && widths[$0] > Self.narrowest }
      guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
      excess -= 1
    }
  }

  // MARK: Rows

  private func text(_ row: [String]) -> String {
    switch form {
    case .lines(let widths)?: line(row, widths)
    case .markdown?: MarkdownText.row(row)
    case .html?: HTMLText.row(row, numeric: columns.map(\.isNumeric))
    case .csv?: CSVText.row(row) + lineEnd
    default: block(row)
    }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, width) in widths.enumerated() {
      if index > 0 { text += "  " }
      text += padded(cells[index], index, width)
    }
    while text.utf8.last == UInt8(ascii: " ") { text.unicodeScalars.removeLast() }
    return text + "\n"
  }

  private func padded(_ text: String, _ index: Int, _ width: Int) -> String {
    // Part of a number would be another one.
    let isWhole = limit == nil || columns[index].isNumeric
    let cell = isWhole ? text : DisplayWidth.cut(text, to: width)
    let space = String(repeating: " ", count: max(0, width - DisplayWidth.of(cell)))
    return columns[index].isNumeric ? space + cell : cell + space
  }

  /// A line for each column, and an empty one. Values are cut where enough of them is left to be of use.
  private func block(_ cells: [String]) -> String {
    let width = columns.map { DisplayWidth.of($0.title) }.max() ?? 0
    // A property a line is asked for to see all of it.
    let room = (outputForm == .vertical ? .max : limit ?? .max) - width - 2
    return zip(columns, cells).reduce("") { text, pair in
      let space = String(repeating: " ", count: width + 2 - DisplayWidth.of(pair.0.title))
      let isCut = room >= Self.usefulValue && !pair.0.isNumeric
      return text + pair.0.title + space + (isCut ? DisplayWidth.cut(pair.1, to: room) : pair.1) + "\n"
    } + "\n"
  }
}
