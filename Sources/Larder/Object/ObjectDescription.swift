import Foundation

/// Text of objects and collections as RealmSwift writes it: nested by indentation, links to a depth of five, numbers and Booleans as
/// `NSNumber` describes them.
enum ObjectDescription {
  static let maximumDepth = 5
  private static let exceeded = "<Maximum depth exceeded>"

  static func text(of object: ObjectBase, depth: Int) -> String {
    if object.isInvalidated { return "[invalid object]" }
    if depth >= maximumDepth { return exceeded }
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
    case is any ManagedCollection where depth >= maximumDepth: text = exceeded
    case let list as any ManagedCollection: text = list.text(depth: depth)
    case let data as Data:
      let head = data.prefix(24).map { String(format: "%02x", $0) }.joined()
      text = "<\(head) — \(data.count) total bytes>"
    case is NSNull: text = "(null)"
    // A nil among the elements of a collection.
    case let value as any AnyOptional: return value.unwrapped.map { self.text(of: $0, depth: depth) } ?? "<null>"
    case let value as any _CustomPersistable: return self.text(of: value._rlmObjcValue, depth: depth)
    case let value as any RealmEnum: return self.text(of: value._rlmObjcValue, depth: depth)
    default: text = number(value) ?? "\(value)"
    }
    return text.replacingOccurrences(of: "\n", with: "\n\t")
  }

  /// A Boolean as 0 or 1, and a floating-point number without a fraction as a whole one; nil for anything else.
  private static func number(_ value: Any) -> String? {
    // Asked by type: Foundation casts its numbers to each type that they fit in.
    let type = type(of: value)
    if type == Bool.self { return (value as? Bool).map { $0 ? "1" : "0" } }
    guard type == Double.self || type == Float.self else { return nil }
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  static func list(_ name: String, _ identity: String, _ count: Int, _ element: (Int) -> String) -> String {
    let shown = min(count, 100)
    let lines = (0..<shown).map { "\t[\($0)] \(element($0))" }
    let rest = count > shown ? "\n\t... \(count - shown) objects skipped." : ""
    return "\(name) <\(identity)> (\n\(lines.joined(separator: ",\n"))\(rest)\n)"
  }

  /// Returns the name of a collection's element type: that of a class, or the stored type of values.
  static func name<Element>(of type: Element.Type) -> String {
    guard let type = type as? any _RealmSchemaDiscoverable.Type else { return "\(type)" }
    return type._rlmObjectClass?.className() ?? type._rlmType.text
  }
}

extension ObjectBase {
  final func text(depth: Int) -> String { ObjectDescription.text(of: self, depth: depth) }
}
