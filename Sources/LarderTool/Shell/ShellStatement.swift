/// Lines of a shell that make one statement.
struct ShellStatement {
  private var text = ""
  private var hasLines = false
  /// True if the last line ended in a backslash: the next one goes on in the same word.
  private var isBroken = false

  /// True if a statement begins with the next line.
  var isEmpty: Bool { !hasLines }

  /// Adds a line. It goes on after a backslash at its end, and within quotes and brackets; brackets that are never closed end with an
  /// empty line.
  ///
  /// - Returns: Whether the statement is complete.
  mutating func add(_ line: String) -> Bool {
    if hasLines, !isBroken { text += "\n" }
    text += line
    (hasLines, isBroken) = (true, false)
    switch ShellWords.openness(of: text) {
    case .nothing: return true
    case .quote: return false
    case .bracket: return line.allSatisfy(\.isWhitespace)
    case .escape:
      text.unicodeScalars.removeLast()
      isBroken = true
      return false
    }
  }

  /// The statement; the next line begins another one.
  mutating func take() -> String {
    defer { self = ShellStatement() }
    return text
  }
}
