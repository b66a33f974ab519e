import LarderExchange
import LarderStorage

/// Objects as indented text for people, and as tables.
package enum ObjectText {
  /// The object with one property a line; nested objects are indented.
  package static func render(_ object: ShownObject) -> String {
    var lines: [String] = []
    lines.append(object.name.text)
    append(object, indent: "  ", &lines)
    return lines.joined(separator: "\n") + "\n"
  }

  /// A table of all values with their paths, and one of the objects that link to it.
  package static func page(
    _ object: ShownObject, _ links: IncomingLinks, as form: OutputForm, fitting width: Int? = nil
  ) -> String {
    var page = TablePage(object.name.text, form, fitting: width)
    var values = TextTable([.init("property"), .init("value")])
    for row in rows(object, path: "") { values.append(row) }
    page.add("Properties", values)
    var incoming = TextTable([.init("from"), .init("object")])
    for origin in links.origins {
      let property = "\(origin.className).\(origin.property)"
      for name in origin.objects { incoming.append([property, name.text]) }
      let more = origin.total - origin.objects.count
      if more > 0 { incoming.append([property, "… \(more) more (--list-limit shows them)"]) }
    }
    if !incoming.isEmpty { page.add("Incoming links", incoming) }
    return page.finish()
  }

  /// Each value with its path, those within an object or collection after it.
  private static func rows(_ object: ShownObject, path: String) -> [[String]] {
    object.properties.flatMap { rows($0.value, path: path.isEmpty ? $0.name : "\(path).\($0.name)") }
  }

  private static func rows(_ value: ShownValue, path: String) -> [[String]] {
    func more(_ count: Int) -> [[String]] { count > 0 ? [[path, "… \(count) more (--list-limit shows them)"]] : [] }
    switch value {
    case .scalar(.string(let text)): return [[path, text]]
    case .scalar(let scalar): return [[path, ValueText.plain(scalar) ?? "nil"]]
    case .link(let name, _): return [[path, "→ \(name.text)"]]
    case .object(let inner):
      return [[path, inner.isEmbedded ? inner.name.className : "→ \(inner.name.text)"]] + rows(inner, path: path)
    case .list(let elements, let total):
      let inner: [[String]] = elements.enumerated().flatMap { rows($1, path: "\(path)[\($0)]") }
      return [[path, "\(total) element\(total == 1 ? "" : "s")"]] + inner + more(total - elements.count)
    case .map(let entries, let total):
      let inner: [[String]] = entries.flatMap { rows($0.value, path: "\(path)[\(JSONText.quote($0.key))]") }
      return [[path, "\(total) entr\(total == 1 ? "y" : "ies")"]] + inner + more(total - entries.count)
    }
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
