import LarderExchange

/// The report of a verb, as tables with headings and sentences after them, in any form but JSON.
///
/// As CSV it is its only table: sentences and headings are left out.
package struct TablePage {
  package private(set) var text = ""
  private let form: OutputForm
  private let width: Int?
  private let lineEnd: String

  /// - Parameters:
  ///   - width: Characters in a line of a table; nil: as many as there are.
  ///   - lineEnd: The end of rows of CSV.
  package init(_ title: String, _ form: OutputForm, fitting width: Int?, lineEnd: String = CSVText.lineEnd) {
    (self.form, self.width, self.lineEnd) = (form, width, lineEnd)
    switch form {
    case .html: text = HTMLText.head(title)
    case .markdown: text = "# \(MarkdownText.escaped(title))\n"
    case .table, .vertical, .csv, .json: break
    }
  }

  /// Adds a table. One without rows is only its titles.
  package mutating func add(_ heading: String?, _ table: TextTable) {
    if let heading { add(heading) } else if form == .markdown { text += "\n" }
    text += table.render(fitting: width, as: form, lineEnd: lineEnd)
  }

  private mutating func add(_ heading: String) {
    switch form {
    case .html: text += "<h2>\(HTMLText.escaped(heading))</h2>\n"
    case .markdown: text += "\n## \(MarkdownText.escaped(heading))\n\n"
    case .table, .vertical: text += "\(text.isEmpty ? "" : "\n")\(VisibleText.line(heading))\n\n"
    case .csv, .json: break
    }
  }

  /// Adds a sentence.
  package mutating func say(_ sentence: String) { text += TableStream.sentence(sentence, form) }

  /// Ends the page, which is its text then.
  package mutating func finish() -> String {
    if form == .html { text += HTMLText.foot }
    return text
  }
}
