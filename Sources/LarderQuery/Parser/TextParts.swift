/// The parts of a text with parentheses, brackets and quotes, which are not read further.
package enum TextParts {
  /// The pieces between commas, apart from those in parentheses, brackets and quotes, as they are.
  package static func split(_ text: Substring) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    walk(text) { index, depth in
      if depth <= 0, text[index] == "," {
        pieces.append(text[start..<index])
        start = text.index(after: index)
      }
      return true
    }
    return pieces + [text[start...]]
  }

  /// The place of the parenthesis that closes the first one of a text; nil where none does.
  static func closing(_ text: Substring) -> Substring.Index? {
    var found: Substring.Index?
    walk(text) { index, depth in
      guard depth == 0, text[index] == ")" else { return true }
      found = index
      return false
    }
    return found
  }

  /// The text without spaces outside of quotes: the same for all ways of writing a title.
  package static func squeezed(_ text: String) -> String {
    var squeezed = ""
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character.isWhitespace {
        continue
      }
      squeezed.append(character)
    }
    return squeezed
  }

  package static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// Calls `body` with the places outside of quotes, and how many parentheses and brackets are open after each, until it returns false.
  private static func walk(_ text: Substring, _ body: (Substring.Index, Int) -> Bool) {
    var depth = 0
    var quote: Character?
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if !isEscaped, character == open { quote = nil }
        isEscaped = character == "\\" && !isEscaped
        continue
      }
      switch character {
      case "'", "\"": quote = character
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      default: break
      }
      guard body(index, depth) else { return }
    }
  }
}
