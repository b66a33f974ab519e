import LarderExchange
import LarderStorage

/// Objects as indented text for people.
package enum ObjectText {
  /// The object with one property a line; nested objects are indented.
  package static func render(_ object: ShownObject) -> String {
    var lines: [String] = []
    lines.append(object.name.text)
    append(object, indent: "  ", &lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func append(_ object: ShownObject, indent: String, _ lines: inout [String]) {
    let width = object.properties.map { DisplayWidth.of($0.name) }.max() ?? 0
    for (name, value) in object.properties {
      let space = String(repeating: " ", count: width - DisplayWidth.of(name))
      append(value, head: "\(indent)\(VisibleText.line(name))\(space)  ", indent: indent + "  ", &lines)
      if name == object.primaryKey, let last = lines.popLast() { lines.append(last + "  primary key") }
    }
  }

  private static func append(_ value: ShownValue, head: String, indent: String, _ lines: inout [String]) {
    switch value {
    case .scalar(.string(let text)): lines.append(head + JSONText.quote(text))
    case .scalar(let scalar): lines.append(head + VisibleText.line(ValueText.plain(scalar) ?? "nil"))
    case .link(let name, _): lines.append("\(head)→ \(name.text)")
    case .object(let inner):
      lines.append(head + (inner.isEmbedded ? VisibleText.line(inner.name.className) : "→ \(inner.name.text)"))
      append(inner, indent: indent, &lines)
    case .list(let elements, let total):
      lines.append("\(head)\(total) element\(total == 1 ? "" : "s")")
      for (index, element) in elements.enumerated() {
        append(element, head: "\(indent)[\(index)] ", indent: indent + "  ", &lines)
      }
      appendMore(total - elements.count, indent, &lines)
    case .map(let entries, let total):
      lines.append("\(head)\(total) entr\(total == 1 ? "y" : "ies")")
      for entry in entries {
        append(entry.value, head: "\(indent)\(JSONText.quote(entry.key))  ", indent: indent + "  ", &lines)
      }
      appendMore(total - entries.count, indent, &lines)
    }
  }

  private static func appendMore(_ count: Int, _ indent: String, _ lines: inout [String]) {
    if count > 0 { lines.append("\(indent)… \(count) more (--list-limit shows them)") }
  }
}
