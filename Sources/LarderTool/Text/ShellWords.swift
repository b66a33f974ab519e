import ArgumentParser

/// Lines as words, with quotes as in a shell of the system.
enum ShellWords {
  /// The thing that a text ends within.
  enum Openness: Equatable {
    case nothing
    /// A backslash is the last character.
    case escape
    case quote
    /// A bracket outside of quotes.
    case bracket
  }

  /// - Throws: `ValidationError` for a quote that is never closed.
  static func split(_ line: String) throws -> [String] {
    let (words, open) = scan(line)
    guard open != .quote, open != .escape else {
      throw ValidationError("the line ends within quotes, or after a backslash")
    }
    return words
  }

  /// Returns what a text ends within.
  static func openness(of text: String) -> Openness { scan(text).open }

  private static func scan(_ line: String) -> (words: [String], open: Openness) {
    var words: [String] = []
    var word: String?
    var quote: Unicode.Scalar?
    var isEscaped = false
    var depth = 0
    // A quote before a combining mark is no `Character` of its own.
    for character in line.unicodeScalars {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if word == nil, words.isEmpty, character == "#" {
        return ([], .nothing)
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.properties.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        if quote == nil {
          depth += "([{".unicodeScalars.contains(character) ? 1 : ")]}".unicodeScalars.contains(character) ? -1 : 0
        }
        word = (word ?? "") + String(character)
      }
    }
    let open: Openness = isEscaped ? .escape : quote != nil ? .quote : depth > 0 ? .bracket : .nothing
    return (words + (word.map { [$0] } ?? []), open)
  }
}
