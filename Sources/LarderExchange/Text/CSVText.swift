/// Rows as CSV (RFC 4180).
package enum CSVText {
  /// Numbers the rows of classes that could have rows without any text, in exports.
  static let numberColumn = "#"

  /// The end of a row where no other is asked for.
  package static let lineEnd = "\n"

  /// A row without its line end; cells are quoted where they must be.
  package static func row(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: ",")
  }

  /// A row of values without its line end: nil is an empty cell, and an empty text is `""`.
  package static func row(values: [String?]) -> String {
    values.map { $0.map { $0.isEmpty ? "\"\"" : cell($0) } ?? "" }.joined(separator: ",")
  }

  /// The same as SQLite's shell writes it, which also quotes texts with spaces, apostrophes, and characters beyond ASCII.
  package static func row(likeSQLite values: [String?]) -> String {
    func mustBeQuoted(_ byte: UInt8) -> Bool {
      byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
        || byte == UInt8(ascii: ",")
    }
    return values.map { value in
      guard let value else { return "" }
      return value.isEmpty || value.utf8.contains(where: mustBeQuoted) ? doublingQuotes(value) : value
    }.joined(separator: ",")
  }

  /// A text in quotes, with the quotes in it doubled.
  ///
  /// Scalar by scalar: a quote before a combining mark is no `Character` of its own.
  static func doublingQuotes(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    quoted.unicodeScalars.append("\"")
    return quoted
  }

  private static func cell(_ text: String) -> String {
    let special: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13]
    guard text.utf8.contains(where: special.contains) else { return text }
    return doublingQuotes(text)
  }
}
