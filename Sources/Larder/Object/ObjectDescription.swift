import Foundation

/// Text of objects and collections: nested by indentation, links to a depth of five.
enum ObjectDescription {
  static let maximumDepth = 5

  static func text(of object: ObjectBase, depth: Int) -> String {
    if object.isInvalidated { return "[invalid object]" }
    if depth >= maximumDepth { return "<Maximum depth exceeded>" }
    let lines = object.model.properties.map { property in
      "\t\(property.name) = \(text(of: object.boxedValue(property), depth: depth + 1));"
    }
    return "\(object.model.name) {\n\(lines.joined(separator: "\n"))\n}"
  }

  static func text(of value: Any, depth: Int) -> String {
    let text: String
    switch value {
    case let object as ObjectBase: text = self.text(of: object, depth: depth)
    case let value as any AnyValueHolder: return self.text(of: value.heldValue, depth: depth)
    // A collection of values of any type may hold itself.
    case is any ManagedCollection where depth > maximumDepth: text = "<Maximum depth exceeded>"
    case let list as any ManagedCollection: text = list.text(depth: depth)
    case let data as Data:
      let head = data.prefix(24).map { String(format: "%02x", $0) }.joined()
      text = "<\(head)\(data.count > 24 ? "…" : "")> \(data.count) bytes"
    case is NSNull: text = "(null)"
    default: text = "\(value)"
    }
    return text.replacingOccurrences(of: "\n", with: "\n\t")
  }

  static func list(_ name: String, _ identity: String, _ count: Int, _ element: (Int) -> String) -> String {
    let shown = min(count, 100)
    var lines = (0..<shown).map { "\t[\($0)] \(element($0))" }
    if count > shown { lines.append("\t… \(count - shown) objects skipped.") }
    return "\(name) <\(identity)> (\n\(lines.joined(separator: ",\n"))\n)"
  }
}

extension ObjectBase {
  final func text(depth: Int) -> String { ObjectDescription.text(of: self, depth: depth) }
}
