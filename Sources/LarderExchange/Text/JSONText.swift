import LarderStorage

/// Values as JSON.
package enum JSONText {
  /// A text as a JSON string, in quotes. What a terminal would obey is escaped: control characters, and marks that turn the direction
  /// of text.
  package static func quote(_ text: String) -> String { quote(text, escapesMarks: true) }

  /// The same as dumps have it, where marks of direction mean themselves: the bytes of a dump never change.
  static func dumpQuote(_ text: String) -> String { quote(text, escapesMarks: false) }

  private static func quote(_ text: String, escapesMarks: Bool) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // Those after ASCII are written so, too: some terminals obey them.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": result += escape(scalar)
      case _ where escapesMarks && VisibleText.isHidden(scalar): result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A scalar of at most four hexadecimal digits as JSON escapes it.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// A stored value: numbers that JSON cannot hold (NaN, infinities) and other types become strings, collections arrays and objects.
  /// Links are named by object keys here; `ObjectTree` finds the names of what they lead to.
  package static func value(_ value: StoredValue) -> String {
    switch value {
    case .null: "null"
    case .bool, .int: ValueText.plain(value) ?? "null"
    case .float(let float): float.isFinite ? String(describing: float) : quote(String(describing: float))
    case .double(let double): double.isFinite ? String(describing: double) : quote(String(describing: double))
    case .list(let elements): "[" + elements.map { JSONText.value($0) }.joined(separator: ", ") + "]"
    case .dictionary(let entries):
      "{" + entries.map { "\(quote($0.key)): \(JSONText.value($0.value))" }.joined(separator: ", ") + "}"
    default: quote(ValueText.plain(value) ?? "")
    }
  }
}
