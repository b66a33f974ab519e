/// Text from a store as a terminal may be given it: nothing in it moves the cursor, changes colours or turns the line around.
package enum VisibleText {
  /// One line: line ends are `⏎`, other control characters their pictures, such as `␛`, or their number, such as `\u{9b}`.
  package static func line(_ text: String) -> String {
    text.utf8.allSatisfy(isHarmless) ? text : shown(text) { _ in false }
  }

  /// The same, where line ends stay and tabs do.
  package static func lines(_ text: String) -> String {
    text.utf8.allSatisfy(isHarmless) ? text : shown(text) { $0 == "\n" || $0 == "\t" }
  }

  /// Controls of eight bits, which some terminals obey, and marks that turn the direction of what follows them.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// True if a byte is a character of ASCII that is printed.
  private static func isHarmless(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }

  private static func shown(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    var result = ""
    var isReturn = false
    for scalar in text.unicodeScalars {
      defer { isReturn = scalar == "\r" }
      if isKept(scalar) {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch scalar.value {
      case 0x0A where isReturn: continue
      case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: result += "⏎"
      case 0..<0x20: result.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? scalar)
      case 0x7F: result += "␡"
      case _ where isHidden(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
