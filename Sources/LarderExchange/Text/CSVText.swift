/// Rows as CSV (RFC 4180).
package enum CSVText {
  /// Numbers the rows of classes that could have rows without any text, in exports.
  static let numberColumn = "#"

  /// A row without its line end; cells are quoted where they must be.
  package static func row(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: ",")
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
