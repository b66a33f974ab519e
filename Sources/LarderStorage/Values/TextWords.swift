import Foundation

/// Splits text into words, folded as full-text search compares them.
///
/// Words are those of UAX #29 (letters, digits and what joins them; ideographs, hiragana and letters of scripts without
/// spaces by themselves), in canonical decomposition, without marks and format characters, in simple case folding. An index
/// holds such words, so that what comes out here is part of the file format.
package struct TextWords {
  /// Words longer than this are cut, in UTF-8.
  package static let maximumBytes = 120

  private var words: [String] = []
  private var word = ""
  /// True if the word has more than connectors, which alone are no word.
  private var isWord = false
  private var last = WordClass.other
  /// Punctuation that belongs to the word if what follows does.
  private var pending: (scalar: Unicode.Scalar, kind: WordClass)?

  /// The words of a text in order, with repetitions.
  package static func words(of text: String) -> [String] {
    var splitter = TextWords()
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 {
        let folded = byte &- 0x41 < 26 ? byte | 0x20 : byte
        splitter.take(Unicode.Scalar(folded), WordClass.ascii(folded))
      }
    } else {
      for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
        splitter.take(scalar, WordClass(scalar))
      }
    }
    splitter.flush()
    return splitter.words
  }

  /// Counts how often each word occurs, and how many words there are. Beyond 255 occurrences the count is 255.
  package static func counts(of text: String) -> (counts: [String: UInt8], total: Int) {
    let words = words(of: text)
    var counts: [String: UInt8] = [:]
    counts.reserveCapacity(words.count)
    for word in words {
      let count = counts[word, default: 0]
      if count < 255 { counts[word] = count + 1 }
    }
    return (counts, words.count)
  }

  @inline(__always)
  private mutating func take(_ scalar: Unicode.Scalar, _ kind: WordClass) {
    switch kind {
    case .letter, .digit, .katakana, .connector:
      if !joins(kind) { flush() }
      append(scalar, kind)
    case .extend: break
    case .midLetter, .midNumber, .midBoth:
      let isBetween = (last == .letter && kind != .midNumber) || (last == .digit && kind != .midLetter)
      if pending == nil, isBetween { pending = (scalar, kind) } else { flush() }
    case .single:
      flush()
      append(scalar, kind)
      flush()
    case .other: flush()
    }
  }

  /// Returns true if a scalar goes on with the word; takes the punctuation before it into the word then.
  private mutating func joins(_ kind: WordClass) -> Bool {
    if let pending {
      let fits =
        (last == .letter && kind == .letter && pending.kind != .midNumber)
        || (last == .digit && kind == .digit && pending.kind != .midLetter)
      guard fits else { return false }
      self.pending = nil
      append(pending.scalar, last)
      return true
    }
    switch (last, kind) {
    case (.letter, .letter), (.letter, .digit), (.digit, .letter), (.digit, .digit), (.katakana, .katakana): return true
    case (.other, _): return false
    default: return last == .connector || kind == .connector
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ kind: WordClass) {
    last = kind
    if kind != .connector { isWord = true }
    guard word.utf8.count <= Self.maximumBytes - 4 else { return }
    switch scalar.value {
    // One apostrophe for all that are typed.
    case 0x2018, 0x2019, 0xFF07: word.unicodeScalars.append("'")
    default: word.unicodeScalars.append(UnicodeFolding.simpleFold(scalar))
    }
  }

  private mutating func flush() {
    if isWord { words.append(word) }
    if !word.isEmpty { word = "" }
    isWord = false
    last = .other
    pending = nil
  }
}
