/// Key paths as text for messages and for sorting: names are written as they are.
enum KeyPathText {
  /// The path with its subscripts.
  package static func plain(_ path: KeyPathNode) -> String {
    guard !path.isSelf else { return "SELF" }
    var parts = path.components.map { text($0) }
    if path.countsLinks { parts.append("@links") }
    if let aggregate = path.aggregate { parts.append(aggregate.rawValue) }
    parts += path.trailing.map { text($0) }
    if let measure = path.measure { parts.append(measure.rawValue) }
    return parts.joined(separator: ".")
  }

  private static func text(_ component: KeyPathNode.Component) -> String {
    let name = component.originClass.map { "@links.\($0).\(component.name)" } ?? component.name
    let brackets = component.subscripts.map { selector in
      switch selector.selector {
      case .key(let key): "['\(key)']"
      case .position(let position): "[\(position)]"
      case .any: "[*]"
      case .first: "[FIRST]"
      case .last: "[LAST]"
      case .keys: ".@keys"
      case .values: ".@values"
      }
    }
    return name + brackets.joined() + (component.part.map { "." + $0.rawValue } ?? "")
  }
}

extension KeyPathNode {
  package var text: String { KeyPathText.plain(self) }
}
