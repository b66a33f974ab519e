import LarderExchange

/// Text as a terminal may be given it, whatever it was made for.
package enum ScreenText {
  /// The form of characters that a terminal would obey.
  package enum Escaping: Sendable {
    /// The form of pictures and numbers, for people.
    case visible
    /// The escapes of JSON in texts, which keep every value.
    case json
  }

  /// The text with its lines, and without anything that moves the cursor, changes colours or turns lines around.
  ///
  /// - Complexity: O(n); texts of printed ASCII are given back as they are.
  package static func safe(_ text: String, _ escaping: Escaping = .visible) -> String {
    guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) else { return text }
    let isHarmful = { (scalar: Unicode.Scalar) in
      (scalar.value < 0x20 && scalar != "\n" && scalar != "\t") || scalar == "\u{7F}" || VisibleText.isHidden(scalar)
    }
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var result = ""
    var pending: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      // A line of CSV ends in two characters.
      if let held = pending, !(held == "\r" && scalar == "\n") { result += shown(held, escaping) }
      pending = nil
      if isHarmful(scalar) { pending = scalar } else { result.unicodeScalars.append(scalar) }
    }
    if let held = pending { result += shown(held, escaping) }
    return result
  }

  private static func shown(_ scalar: Unicode.Scalar, _ escaping: Escaping) -> String {
    switch escaping {
    case .visible: VisibleText.line(String(scalar))
    case .json: JSONText.escape(scalar)
    }
  }
}
