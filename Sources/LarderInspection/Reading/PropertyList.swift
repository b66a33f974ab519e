/// The list of properties that a query prints, as it is written: `origin,distance / airTime AS speed`.
package enum PropertyList {
  /// The parts between commas, apart from those in parentheses, brackets and quotes; empty parts are left out.
  package static func split(_ text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "(" || character == "[" {
        depth += 1
      } else if character == ")" || character == "]" {
        depth -= 1
      } else if character == ",", depth <= 0 {
        parts.append(part)
        part = ""
        continue
      }
      part.append(character)
    }
    parts.append(part)
    return parts.map(trimmed).filter { !$0.isEmpty }
  }

  /// What is printed and what its column is called: the same, or the name after `AS`.
  static func named(_ part: String) -> (text: String, title: String) {
    let words = part.split(separator: " ")
    guard words.count > 2, words[words.count - 2].uppercased() == "AS", let title = words.last else {
      return (part, part)
    }
    let text = part.dropLast(title.count).reversed().drop { $0 == " " }.dropFirst(2).drop { $0 == " " }
    return (String(text.reversed()), String(title))
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
