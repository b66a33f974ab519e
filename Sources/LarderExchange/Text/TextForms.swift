import LarderStorage

/// The forms of values in a file of another program, where they are not the usual ones.
package struct TextForms: Sendable {
  /// Texts that mean "no value", such as `NA`.
  package var nullMarkers: Set<String> = []
  /// Numbers without a type of their own have a comma before their decimals.
  package var hasDecimalComma = false
  /// Texts of this form are dates besides those of ISO 8601.
  package var datePattern: DatePattern?

  package init() {}

  package init(nullMarkers: Set<String>) { self.nullMarkers = nullMarkers }

  /// The number that a text without a type means, with a point before its decimals; nil where there is one already.
  func number(_ text: String) -> String? {
    guard hasDecimalComma else { return text }
    return text.utf8.contains(UInt8(ascii: ".")) ? nil : text.replacing(",", with: ".")
  }

  func date(_ text: String) -> Timestamp? { datePattern?.parse(text) ?? DateText.parse(text) }
}
