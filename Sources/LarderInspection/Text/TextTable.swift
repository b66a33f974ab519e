/// Rows of cells, laid out in columns for a terminal.
package struct TextTable {
  package struct Column: Sendable {
    package var title: String
    package var isNumeric: Bool

    package init(_ title: String, isNumeric: Bool = false) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []
  /// Wider cells are cut.
  private let cellLimit: Int

  /// - Parameter cellLimit: How wide a cell is at most where no line is too long: each is as wide as the widest of its column.
  package init(_ columns: [Column], cellLimit: Int = 1000) {
    self.columns = columns
    self.cellLimit = cellLimit
  }

  /// Adds a row with a cell for each column; line ends and other control characters in cells are made visible.
  package mutating func append(_ row: [String]) {
    rows.append(row.map { DisplayWidth.cut(VisibleText.line($0), to: cellLimit) })
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// Columns that show less stay readable.
  private static let narrowest = 6

  /// Title, rule and rows, each line ended.
  ///
  /// - Parameter limit: Characters in a line: the widest columns of text are cut until it fits, as far as that can be.
  package func render(fitting limit: Int? = nil) -> String {
    var widths = columns.map { DisplayWidth.of(VisibleText.line($0.title)) }
    for row in rows {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], DisplayWidth.of(cell)) }
    }
    if let limit { shrink(&widths, to: limit) }
    var text = line(columns.map { VisibleText.line($0.title) }, widths)
    text += widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ") + "\n"
    for row in rows { text += line(row, widths) }
    return text
  }

  private func shrink(_ widths: inout [Int], to limit: Int) {
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - limit
    while excess > 0 {
      let wide = columns.indices.filter { !columns[$0].isNumeric && widths[$0] > Self.narrowest }
      guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return }
      widths[widest] -= 1
      excess -= 1
    }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, whole) in cells.enumerated() {
      let cell = DisplayWidth.cut(whole, to: widths[index])
      let space = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(cell)))
      if index > 0 { text += "  " }
      text += columns[index].isNumeric ? space + cell : cell + space
    }
    while text.last == " " { text.removeLast() }
    return text + "\n"
  }
}
