import LarderExchange
import LarderStorage

/// One property of an object, or of an object embedded in it, with its old and new value.
package struct EditStep: Sendable {
  package var path: String
  /// The old value as JSON, links as the primary key of their object; nil where the object, or the embedded object it belongs to, is not there.
  package var old: String?
  package var new: String
  /// Elements of the values, where the property is a collection.
  var counts: (old: Int, new: Int)?

  /// The step for people, on one line: long values are cut, and say how many elements they have.
  package var text: String {
    "\(path): \(Self.shown(old, counts?.old)) → \(Self.shown(new, counts?.new))"
  }

  /// The step as a JSON object.
  package var json: String {
    let value: JSONValue = [
      "property": .init(path), "old": .init(written: old ?? "null"), "new": .init(written: new),
    ]
    return value.text
  }

  private static let widest = 200

  private static func shown(_ json: String?, _ count: Int?) -> String {
    guard let json else { return "nothing" }
    if json == "null" { return "nil" }
    let text = VisibleText.line(json)
    guard DisplayWidth.of(text) > widest else { return text }
    return DisplayWidth.cut(text, to: widest) + (count.map { " (\($0) elements)" } ?? "")
  }
}

/// The effects of deleting an object.
package struct EditDeletion: Sendable {
  /// The object as it is.
  package var object: ShownObject
  /// Links from other objects, which become nil or go from their collections.
  package var links: Int

  /// The object, a property a line, and what becomes of the links to it.
  package var text: String {
    let links = links == 1 ? "1 link to it goes, too" : "\(links) links to it go, too"
    return "- " + ObjectText.render(object) + links + "\n"
  }
}
