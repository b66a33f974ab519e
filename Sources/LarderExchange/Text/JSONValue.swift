import LarderStorage

/// A JSON value as text. Its initialisers are the one place that knows how members and elements are written; those of an object keep their
/// order.
///
/// ```swift
/// let value: JSONValue = ["name": .init(name), "objects": .init(count), "parts": .init(parts)]
/// value.line  // {"name": "City", "objects": 3, "parts": []} and a line break
/// ```
package struct JSONValue: Sendable {
  package let text: String

  /// A value that was written before.
  package init(written text: String) { self.text = text }

  package init(_ text: String?) { self.text = text.map(JSONText.quote) ?? "null" }

  package init(_ number: (some BinaryInteger)?) { text = number.map { "\($0)" } ?? "null" }

  package init(_ isTrue: Bool) { text = isTrue ? "true" : "false" }

  package init(_ elements: [JSONValue]) {
    text = "[" + elements.map(\.text).joined(separator: ", ") + "]"
  }

  package init(_ texts: [String]) { self.init(texts.map { JSONValue($0) }) }

  /// An object; members without a value are left out.
  package init(_ members: [(name: String, value: JSONValue?)]) {
    let texts = members.compactMap { member in member.value.map { JSONText.quote(member.name) + ": " + $0.text } }
    text = "{" + texts.joined(separator: ", ") + "}"
  }

  /// An object with its members in the order of their names.
  package init(sorted counts: [String: Int]) {
    self.init(counts.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) })
  }

  /// The value on a line of its own.
  package var line: String { text + "\n" }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// An object; members that are nil are left out.
  package init(dictionaryLiteral members: (String, JSONValue?)...) { self.init(members.map { ($0.0, $0.1) }) }
  package init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}
