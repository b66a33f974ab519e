import LarderExchange
import LarderInspection
import LarderStorage

/// Values as the page takes them: as `--json` writes them, with whole numbers exact that a JavaScript program would round.
enum StudioJSON {
  /// Characters of a text in a row of the grid; the object has all of them.
  static let longestText = 1_000
  private static let largestExact: Int64 = 1 << 53

  /// - Parameter isCut: Whether long texts become `{"cut", "length"}`.
  static func value(_ shown: ShownValue, isCut: Bool) -> String {
    switch shown {
    case .scalar(let scalar): value(scalar, isCut: isCut)
    case .list(let elements, _): "[" + elements.map { value($0, isCut: isCut) }.joined(separator: ", ") + "]"
    case .map(let entries, _):
      "{" + entries.map { "\(JSONText.quote($0.key)): \(value($0.value, isCut: isCut))" }.joined(separator: ", ") + "}"
    case .object(let inner): object(inner, isCut: isCut)
    case .link(let name, let tellsClass):
      tellsClass ? "{\"link\": [\(JSONText.quote(name.className)), \(link(name))]}" : link(name)
    }
  }

  static func object(_ shown: ShownObject, only names: Set<String>? = nil, isCut: Bool) -> String {
    let properties = shown.properties.filter { names?.contains($0.name) ?? true }
    let pairs = properties.map { "\(JSONText.quote($0.name)): \(value($0.value, isCut: isCut))" }
    return "{" + pairs.joined(separator: ", ") + "}"
  }

  /// The name of an object that is linked to.
  static func link(_ name: ObjectName) -> String {
    name.primaryKey.map { value($0, isCut: false) } ?? name.json
  }

  static func value(_ scalar: StoredValue, isCut: Bool) -> String {
    switch scalar {
    case .int(let number) where number.magnitude > largestExact.magnitude: "{\"int\": \"\(number)\"}"
    case .string, .data:
      isCut ? cut(ValueText.plain(scalar) ?? "") ?? JSONText.value(scalar) : JSONText.value(scalar)
    default: JSONText.value(scalar)
    }
  }

  private static func cut(_ text: String) -> String? {
    guard text.utf8.count > longestText,
      let end = text.index(text.startIndex, offsetBy: longestText, limitedBy: text.endIndex),
      end < text.endIndex
    else { return nil }
    let value: JSONValue = ["cut": .init(String(text[..<end])), "length": .init(text.count)]
    return value.text
  }

  /// An object of the tool's JSON with the version and further members before its own.
  static func joined(_ members: [(name: String, value: JSONValue?)], _ object: String) -> String {
    let head = JSONValue(members).text
    let rest = object.drop { $0 != "{" }.dropFirst()
    let isEmpty = rest.first { !$0.isWhitespace } == "}"
    return head.dropLast() + (isEmpty ? "" : ", ") + rest
  }
}
