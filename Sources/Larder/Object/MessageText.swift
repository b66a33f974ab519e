import Foundation
import LarderStorage

/// A value for a message, as its program knows it: at most 100 characters of it (E-131).
func misuseText(_ value: Any) -> String {
  let text = MessageText.text(of: value)
  return text.count > 100 ? text.prefix(100) + "…" : text
}

/// The type of a value for a message. Foundation's box of a Swift value has a name that says nothing to anybody.
func misuseType(_ value: Any) -> String {
  let name = "\(type(of: value))"
  return name == "__SwiftValue" ? "a Swift value" : name
}

/// Values in messages. What holds values is shown to a depth and a number of elements, however much there is of it.
enum MessageText {
  private static let shownLevels = 3
  private static let shownElements = 5

  static func text(of value: Any) -> String { text(of: value, level: 0) }

  private static func text(of value: Any, level: Int) -> String {
    if ValueConverter.isNil(value) { return "nil" }
    if let value = (value as? any AnyOptional)?.unwrapped { return text(of: value, level: level) }
    if let object = ValueConverter.object(value) { return text(of: object) }
    if let value = value as? any AnyValueHolder { return text(of: value.heldValue, level: level) }
    if let value = value as? StoredValue { return value.text }
    if let value = ValueConverter.collection(value) { return text(of: value) }
    guard ValueConverter.isContainer(value) || isFoundationContainer(value) else {
      return plain(value)
    }
    guard level < shownLevels else { return "[…]" }
    if let entries = value as? [String: Any] {
      let shown = entries.sorted { $0.key < $1.key }.prefix(shownElements)
      let texts = shown.map { "\"\($0.key)\": \(element($0.value, level))" }
      return list(texts, of: entries.count, empty: "[:]")
    }
    guard let elements = ValueConverter.sequence(value) else { return "[…]" }
    return list(elements.prefix(shownElements).map { element($0, level) }, of: elements.count, empty: "[]")
  }

  private static func isFoundationContainer(_ value: Any) -> Bool {
    type(of: value) is AnyObject.Type && (value is NSArray || value is NSDictionary || value is NSSet)
  }

  private static func element(_ value: Any, _ level: Int) -> String {
    if let text = value as? String { return "\"\(text.prefix(100))\"" }
    return text(of: value, level: level + 1)
  }

  private static func list(_ texts: [String], of count: Int, empty: String) -> String {
    if count == 0 { return empty }
    return "[" + texts.joined(separator: ", ") + (count > texts.count ? ", … \(count - texts.count) more]" : "]")
  }

  /// A collection is not read for a message: it may be that it cannot be.
  private static func text(of collection: any ManagedCollection) -> String {
    "a \(String(describing: type(of: collection)).prefix { $0 != "<" })"
  }

  /// An object by its class and, when it is there, its primary key.
  private static func text(of object: ObjectBase) -> String {
    let name = object.model.name
    if object.isInvalidated { return "a deleted \(name)" }
    let key = object.model.primaryKey.flatMap { try? object.verifiedValue($0) }
    return key.map { "\(name) with the primary key \(text(of: $0, level: shownLevels))" } ?? "a \(name)"
  }

  private static func plain(_ value: Any) -> String {
    if let data = value as? Data { return "\(data.count) bytes" }
    return "\(value)"
  }
}
