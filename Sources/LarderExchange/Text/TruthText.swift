import LarderStorage

/// Texts that mean true or false. All kinds of files follow the one rule.
enum TruthText {
  /// The truth of a text that nothing gives a type: `true` or `false` in any case.
  @inline(__always)
  static func inferred(_ bytes: TextBytes, _ range: Range<Int>) -> Bool? {
    switch range.count {
    case 4: bytes.equalsLowercased("true", range) ? true : nil
    case 5: bytes.equalsLowercased("false", range) ? false : nil
    default: nil
    }
  }

  static func inferred(_ text: String) -> Bool? { TextBytes.with(text) { inferred($0, 0..<$0.count) } }

  /// The truth of a text where one is wanted: also `yes` and `no`, `t` and `f`, `y` and `n`, `on` and `off`, `1` and `0`.
  static func wanted(_ bytes: TextBytes, _ range: Range<Int>) -> Bool? {
    guard 1...5 ~= range.count else { return nil }
    if trueWords.contains(where: { bytes.equalsLowercased($0, range) }) { return true }
    return falseWords.contains { bytes.equalsLowercased($0, range) } ? false : nil
  }

  static func wanted(_ text: String) -> Bool? { TextBytes.with(text) { wanted($0, 0..<$0.count) } }

  private static let trueWords: [StaticString] = ["true", "1", "yes", "t", "y", "on"]
  private static let falseWords: [StaticString] = ["false", "0", "no", "f", "n", "off"]
}

/// Texts that mean a number without digits.
enum SpecialNumberText {
  /// True if a text is `nan`, `inf` or `infinity` in any case, with a minus or without.
  static func isOne(_ bytes: TextBytes, _ range: Range<Int>) -> Bool {
    var range = range
    if range.count > 3, bytes[range.lowerBound] == UInt8(ascii: "-") {
      range = range.lowerBound + 1..<range.upperBound
    }
    switch range.count {
    case 3: return bytes.equalsLowercased("nan", range) || bytes.equalsLowercased("inf", range)
    case 8: return bytes.equalsLowercased("infinity", range)
    default: return false
    }
  }

  static func isOne(_ text: String) -> Bool { TextBytes.with(text) { isOne($0, 0..<$0.count) } ?? false }
}
