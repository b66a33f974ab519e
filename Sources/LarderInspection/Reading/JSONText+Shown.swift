import LarderExchange
import LarderStorage

extension JSONText {
  /// A shown value: objects as objects, links that were not followed as the name of their object; those of properties of any type
  /// tell their class, too.
  package static func value(_ shown: ShownValue) -> String {
    switch shown {
    case .scalar(let scalar): value(scalar)
    case .list(let elements, _): "[" + elements.map { value($0) }.joined(separator: ", ") + "]"
    case .map(let entries, _):
      "{" + entries.map { "\(quote($0.key)): \(value($0.value))" }.joined(separator: ", ") + "}"
    case .object(let inner): object(inner)
    case .link(let name, let tellsClass):
      tellsClass ? "{\"link\": [\(quote(name.className)), \(name.json)]}" : name.json
    }
  }

  /// An object on one line, with only the named properties when names are given.
  package static func object(_ shown: ShownObject, only names: Set<String>? = nil) -> String {
    let properties = shown.properties.filter { names?.contains($0.name) ?? true }
    return "{" + properties.map { "\(quote($0.name)): \(value($0.value))" }.joined(separator: ", ") + "}"
  }
}
