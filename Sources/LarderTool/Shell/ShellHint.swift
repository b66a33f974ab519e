/// Lines that are right in the shells of other databases, and what to write for them here.
enum ShellHint {
  /// The words that statements of SQL begin with.
  private static let statements: Set<String> = ["select", "with", "values", "explain"]
  private static let changes: Set<String> = ["insert", "update", "delete", "create", "drop", "alter"]
  private static let listings: Set<String> = [
    ".tables", ".schema", ".dbinfo", "\\d", "\\dt", "show", "describe", "desc",
  ]
  private static let endings: Set<String> = ["\\q", ":q"]

  /// Returns the hint for a line; nil where it is none of those.
  static func of(_ line: String) -> String? {
    let words = line.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    guard let first = words.first else { return nil }
    let word = first.hasSuffix(";") ? String(first.dropLast()) : first
    if listings.contains(word) {
      return "'\(first)' is of another shell: 'classes' lists the classes and their properties"
    }
    if endings.contains(word) { return "'\(first)' is of another shell: '.exit' ends this one" }
    // EXPLAIN is a verb here, too, of a class.
    if statements.contains(word), word != "explain" || words.dropFirst().contains("select") {
      return "SQL is answered after .sql, as in '.sql SELECT …'; verbs begin with small letters"
    }
    return changes.contains(word) && words.count > 1
      ? "SQL only reads here: 'edit' changes, makes and deletes objects" : nil
  }
}
