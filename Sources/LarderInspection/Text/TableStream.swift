import LarderExchange

/// One table of results that is written row by row, in any form but JSON: a page of HTML around it, and a sentence at its end.
package struct TableStream {
  private var table: TableWriter
  private let form: OutputForm
  private var title: String?

  /// - Parameters:
  ///   - title: What a page is called.
  ///   - width: Characters in a line; nil: as many as there are.
  ///   - hint: What shows columns that are left out for want of width.
  ///   - lineEnd: The end of rows of CSV.
  package init(
    _ title: String, _ columns: [TableWriter.Column], _ form: OutputForm, fitting width: Int?, hint: String = "",
    lineEnd: String = CSVText.lineEnd
  ) {
    (self.form, self.title) = (form, title)
    table = TableWriter(columns, fitting: width, hint: hint, as: form, lineEnd: lineEnd)
  }

  private mutating func begin(_ write: (String) -> Void) {
    if form == .html, let title { write(HTMLText.head(title)) }
    title = nil
  }

  package mutating func append(_ row: [String], _ write: (String) -> Void) {
    begin(write)
    table.append(row, write)
  }

  /// Ends the table.
  ///
  /// - Parameter sentence: What is said of all rows; CSV does without.
  package mutating func finish(_ sentence: String?, _ write: (String) -> Void) {
    begin(write)
    table.finish(write)
    if let sentence { write(Self.sentence(sentence, form)) }
    if form == .html { write(HTMLText.foot) }
  }

  static func sentence(_ sentence: String, _ form: OutputForm) -> String {
    switch form {
    case .html: "<p>\(HTMLText.escaped(sentence))</p>\n"
    case .markdown: "\n\(MarkdownText.escaped(sentence))\n"
    case .table, .vertical: VisibleText.line(sentence) + "\n"
    case .csv, .json: ""
    }
  }
}
