import LarderExchange

/// Several tables with headings, in one of the forms for people.
struct TablePage {
  private(set) var text = ""
  private let form: OutputForm
  private let width: Int?

  init(_ title: String, _ form: OutputForm, fitting width: Int?) {
    (self.form, self.width) = (form, width)
    if form == .html { text = HTMLText.head(title) }
    if form == .markdown { text = "# \(MarkdownText.escaped(title))\n" }
  }

  mutating func add(_ heading: String, _ table: TextTable) {
    switch form {
    case .html: text += "<h2>\(HTMLText.escaped(heading))</h2>\n"
    case .markdown: text += "\n## \(MarkdownText.escaped(heading))\n\n"
    default: text += "\(text.isEmpty ? "" : "\n")\(heading)\n\n"
    }
    text += table.render(fitting: width, as: form)
  }

  mutating func finish() { if form == .html { text += HTMLText.foot } }
}
