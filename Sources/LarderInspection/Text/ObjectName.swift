import LarderExchange
import LarderStorage

/// The name of an object wherever it is shown: the value of its primary key, or `#` and its object key where its class has none
/// or the object has nil there.
package struct ObjectName: Hashable, Sendable {
  package var className: String
  package var key: ObjectKey
  /// Nil where the class has none.
  package var primaryKey: StoredValue?

  package init(className: String, key: ObjectKey, primaryKey: StoredValue? = nil) {
    self.className = className
    self.key = key
    self.primaryKey = primaryKey.flatMap { $0.isNull ? nil : $0 }
  }

  /// `City 1`, `City "New York"`, `City #7`: as it is typed after `inspect`, a `#` aside.
  package var text: String { "\(VisibleText.line(className)) \(label)" }

  /// The same without the class.
  package var label: String {
    guard let primaryKey else { return "#\(key.rawValue)" }
    guard case .string(let text) = primaryKey else { return ValueText.plain(primaryKey) ?? "nil" }
    return Self.isWord(text) ? VisibleText.line(text) : JSONText.quote(text)
  }

  /// A link to the object as JSON: its primary key in its own type, else the text of `#` and the object key.
  package var json: String { primaryKey.map { JSONText.value($0) } ?? JSONText.quote("#\(key.rawValue)") }

  /// True if a text needs no quotes to be distinguished from the text around it.
  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "-_.:/@+".unicodeScalars.contains(scalar)
      }
  }
}
