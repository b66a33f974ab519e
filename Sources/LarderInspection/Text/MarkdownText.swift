import LarderExchange

/// Tables as GitHub and others read them in Markdown.
enum MarkdownText {
  /// A text in a cell, of which nothing is read as markup.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in VisibleText.line(text).unicodeScalars {
      if "\\`*_[]<>|~&#!".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  static func row(_ cells: [String]) -> String { "| " + cells.map(escaped).joined(separator: " | ") + " |\n" }

  /// The line after the titles, which says on which side cells are.
  static func rule(numeric: [Bool]) -> String {
    "| " + numeric.map { $0 ? "---:" : "---" }.joined(separator: " | ") + " |\n"
  }
}
