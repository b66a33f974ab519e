import LarderStorage

/// Values as JSON.
package enum JSONText {
  /// A text as a JSON string, in quotes.
  package static func quote(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // Those behind ASCII are written so, too: some terminals obey them.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A stored value: numbers that JSON cannot hold (NaN, infinities) and other types become strings.
  package static func value(_ value: StoredValue) -> String {
    switch value {
    case .null: "null"
    case .bool, .int: ValueText.plain(value) ?? "null"
    case .float(let float): float.isFinite ? String(describing: float) : quote(String(describing: float))
    case .double(let double): double.isFinite ? String(describing: double) : quote(String(describing: double))
    case .link(let key): String(key.rawValue)
    default: quote(ValueText.plain(value) ?? "")
    }
  }

  /// A shown value: objects as objects, links that were not followed as the name of their object.
  package static func value(_ shown: ShownValue) -> String {
    switch shown {
    case .scalar(let scalar): value(scalar)
    case .list(let elements, _): "[" + elements.map { value($0) }.joined(separator: ", ") + "]"
    case .map(let entries, _):
      "{" + entries.map { "\(quote($0.key)): \(value($0.value))" }.joined(separator: ", ") + "}"
    case .object(let inner): object(inner)
    case .link(_, let label): quote(label)
    }
  }

  /// An object on one line, with only the named properties when names are given.
  package static func object(_ shown: ShownObject, only names: Set<String>? = nil) -> String {
    let properties = shown.properties.filter { names?.contains($0.name) ?? true }
    return "{" + properties.map { "\(quote($0.name)): \(value($0.value))" }.joined(separator: ", ") + "}"
  }
}
