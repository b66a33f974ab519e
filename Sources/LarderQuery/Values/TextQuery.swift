import LarderStorage

/// A search by TEXT: words that must all occur, in any order.
///
/// `swift linux` asks for both words, `swi*` for a word that begins so, `"to be"` for words that follow one another, `-java` that a word does not
/// occur, `OR` between words that those before or those after it occur. Words are those of `TextWords`, so case and diacritics make no difference;
/// what is written together but consists of several words is a phrase. Without any word it asks for nothing and finds nothing.
struct TextQuery: Hashable, Sendable {
  /// A word, or several that follow one another.
  package struct Term: Hashable, Sendable {
    package var words: [String]
    /// True if the last word may go on.
    package var isPrefix: Bool
    package var isExcluded: Bool
  }

  /// Terms of which all must hold; alternatives of one another.
  package let alternatives: [[Term]]

  package init(_ text: String) {
    var parser = TextQueryParser(text)
    alternatives = parser.alternatives()
  }

  /// Returns true if a text is what is searched for.
  package func matches(_ text: String) -> Bool { matches(words: TextWords.words(of: text)) }

  package func matches(words: [String]) -> Bool {
    alternatives.contains { terms in Self.holds(terms, words) }
  }

  /// Returns true if all terms hold of a text with these words.
  static func holds(_ terms: [Term], _ words: [String]) -> Bool {
    terms.allSatisfy { $0.occurs(in: words) != $0.isExcluded }
  }

  /// The words that count for the order by relevance: those that are asked for, each once.
  package var scored: [Term] {
    var seen: Set<Term> = []
    var result: [Term] = []
    for term in alternatives.joined() where !term.isExcluded {
      for (place, word) in term.words.enumerated() {
        let one = Term(words: [word], isPrefix: term.isPrefix && place == term.words.count - 1, isExcluded: false)
        if seen.insert(one).inserted { result.append(one) }
      }
    }
    return result
  }
}

extension TextQuery.Term {
  func occurs(in text: [String]) -> Bool {
    guard text.count >= words.count else { return false }
    return (0...(text.count - words.count)).contains { begins(at: $0, text) }
  }

  private func begins(at start: Int, _ text: [String]) -> Bool {
    for (place, word) in words.enumerated() {
      let found = text[start + place]
      let mayGoOn = isPrefix && place == words.count - 1
      guard mayGoOn ? found.utf8.starts(with: word.utf8) : found == word else { return false }
    }
    return true
  }

  /// Returns the number of times that a single word occurs.
  func count(in text: [String]) -> Int {
    guard let word = words.first else { return 0 }
    return text.count { isPrefix ? $0.utf8.starts(with: word.utf8) : $0 == word }
  }
}

/// Reads the text of a `TextQuery`. There are no mistakes to make: what is no word is left out.
private struct TextQueryParser {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  mutating func alternatives() -> [[TextQuery.Term]] {
    var alternatives: [[TextQuery.Term]] = []
    var terms: [TextQuery.Term] = []
    while let piece = nextPiece() {
      if piece.text == "OR", !piece.isQuoted, !piece.isExcluded {
        if !terms.isEmpty { alternatives.append(terms) }
        terms = []
      } else if let term = term(piece) {
        terms.append(term)
      }
    }
    if !terms.isEmpty { alternatives.append(terms) }
    return alternatives
  }

  private struct Piece {
    var text: String
    var isQuoted: Bool
    var isExcluded: Bool
    var isPrefix: Bool
  }

  /// The next run without spaces, or what stands between quotes.
  private mutating func nextPiece() -> Piece? {
    rest = rest.drop { $0.isWhitespace }
    guard let first = rest.first else { return nil }
    var piece = Piece(text: "", isQuoted: false, isExcluded: false, isPrefix: false)
    if first == "-", let next = rest.dropFirst().first, !next.isWhitespace {
      piece.isExcluded = true
      rest = rest.dropFirst()
    }
    if rest.first == "\"" {
      piece.isQuoted = true
      rest = rest.dropFirst()
      piece.text = String(rest.prefix { $0 != "\"" })
      rest = rest.dropFirst(piece.text.count + 1)
      if rest.first == "*" {
        piece.isPrefix = true
        rest = rest.dropFirst()
      }
    } else {
      let text = rest.prefix { !$0.isWhitespace && $0 != "\"" }
      rest = rest.dropFirst(text.count)
      piece.isPrefix = text.last == "*"
      piece.text = String(text)
    }
    return piece
  }

  private func term(_ piece: Piece) -> TextQuery.Term? {
    let words = TextWords.words(of: piece.text)
    return words.isEmpty
      ? nil : TextQuery.Term(words: words, isPrefix: piece.isPrefix, isExcluded: piece.isExcluded)
  }
}
