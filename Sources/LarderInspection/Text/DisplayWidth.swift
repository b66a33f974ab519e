/// The number of cells of a terminal that a text takes.
enum DisplayWidth {
  /// The width of a text: combining marks take none, East Asian wide characters and emoji two cells.
  package static func of(_ text: some StringProtocol) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + width(of: $1) }
  }

  /// The longest start of a text that fits, ending in `…` when something was cut.
  package static func cut(_ text: String, to limit: Int) -> String {
    guard of(text) > limit else { return text }
    var result = ""
    var used = 1
    for character in text {
      used += width(of: character)
      if used > limit { break }
      result.append(character)
    }
    return result + "…"
  }

  /// Returns two cells for one emoji, however many scalars it has. Other characters take what their scalars take, as syllables do that are
  /// written with several letters.
  private static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    let isEmoji = first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
    if first.properties.isEmoji, isEmoji { return 2 }
    return scalars.reduce(0) { $0 + width(of: $1) }
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    // Terminals show the soft hyphen.
    if scalar.value == 0xAD { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    // Vowels and final consonants of Hangul are in the cells of the first consonant.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    case 0x1100...0x115F, 0x2329...0x232A, 0xA960...0xA97C, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
