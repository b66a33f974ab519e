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

  package init(_ columns: [Column], cellLimit: Int = 60) {
    self.columns = columns
    self.cellLimit = cellLimit
  }

  /// Adds a row with a cell for each column; line ends in cells are shown as `⏎`.
  package mutating func append(_ row: [String]) {
    rows.append(
      row.map { cell in
        let line = cell.contains(where: \.isNewline) ? String(cell.map { $0.isNewline ? "⏎" : $0 }) : cell
        return DisplayWidth.cut(line, to: cellLimit)
      })
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// Title, rule and rows, each line ended.
  package func render() -> String {
    var widths = columns.map { DisplayWidth.of($0.title) }
    for row in rows {
      for (index, cell) in row.enumerated() { widths[index] = max(widths[index], DisplayWidth.of(cell)) }
    }
    var text = line(columns.map(\.title), widths)
    text += widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ") + "\n"
    for row in rows { text += line(row, widths) }
    return text
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      let space = String(repeating: " ", count: max(0, widths[index] - DisplayWidth.of(cell)))
      if index > 0 { text += "  " }
      text += columns[index].isNumeric ? space + cell : cell + space
    }
    while text.last == " " { text.removeLast() }
    return text + "\n"
  }
}
