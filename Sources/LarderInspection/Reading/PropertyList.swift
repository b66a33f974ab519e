import LarderQuery

/// A list of properties and of what is computed, as it is written: `origin,distance / airTime AS speed`.
package enum PropertyList {
  /// The parts between commas, apart from those in parentheses, brackets and quotes; empty parts are left out.
  package static func split(_ text: String) -> [String] {
    TextParts.split(text[...]).map { String(TextParts.trimmed($0)) }.filter { !$0.isEmpty }
  }

  /// Splits a part into its text and the title of its column: the same text, or the name after `AS`.
  package static func named(_ part: String) -> (text: String, title: String) {
    let words = part.split(separator: " ")
    guard words.count > 2, words[words.count - 2].uppercased() == "AS", let title = words.last else {
      return (part, part)
    }
    let text = part.dropLast(title.count).reversed().drop { $0 == " " }.dropFirst(2).drop { $0 == " " }
    return (String(text.reversed()), String(title))
  }
}
