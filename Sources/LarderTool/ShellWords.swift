import ArgumentParser

/// Lines as words, with quotes as in a shell of the system.
enum ShellWords {
  /// - Throws: `ValidationError` for a quote that is never closed.
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Unicode.Scalar?
    var isEscaped = false
    // A quote before a combining mark is no `Character` of its own.
    for character in line.unicodeScalars {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
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
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { throw ValidationError("the line ends within quotes, or after a backslash") }
    return words + (word.map { [$0] } ?? [])
  }
}
