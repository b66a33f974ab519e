import LarderExchange

/// A table of which all rows are there before the first is written.
package struct TextTable {
  package typealias Column = TableWriter.Column

  private let columns: [Column]
  private var rows: [[String]] = []

  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row with a cell for each column; line ends and other control characters in cells are made visible.
  package mutating func append(_ row: [String]) { rows.append(row) }

  package var isEmpty: Bool { rows.isEmpty }

  /// Title, rule and rows, each line ended.
  ///
  /// - Parameters:
  ///   - limit: Characters in a line: the widest columns of text are cut until it fits, then columns are left out.
  ///   - lineEnd: The end of rows of CSV.
  package func render(
    fitting limit: Int? = nil, as form: OutputForm = .table, lineEnd: String = CSVText.lineEnd
  ) -> String {
    var text = ""
    var writer = TableWriter(columns, fitting: limit, sample: rows.count, as: form, lineEnd: lineEnd)
    for row in rows { writer.append(row) { text += $0 } }
    writer.finish { text += $0 }
    return text
  }
}
