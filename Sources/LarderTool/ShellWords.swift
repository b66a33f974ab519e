import ArgumentParser

/// Lines as words, with quotes as in a shell of the system.
enum ShellWords {
  /// - Throws: `ValidationError` for a quote that is never closed.
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
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
      } else if quote == nil, character.isWhitespace {
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
