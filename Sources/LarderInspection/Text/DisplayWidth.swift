/// How many cells of a terminal a text takes.
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

  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
