import Foundation
import LarderStorage

/// Access to the elements' properties by name, with the operators `@count @min @max @sum @avg @unionOfObjects
/// @distinctUnionOfObjects @unionOfArrays @distinctUnionOfArrays` on one direct property or `self` (R-19).
enum CollectionKeyValues {
  static func value<C: RealmCollection>(of collection: C, forKey key: String) -> Any? {
    if key.hasPrefix("@") { return value(of: collection, forKeyPath: key) }
    // Values of any type as what they are, without the enum around them.
    if key == "self", C.Element.self != AnyRealmValue.self { return Array(collection) }
    return values(Array(collection), key)
  }

  /// The same for a set, whose values are each there once.
  static func value<Element>(ofSet set: MutableSet<Element>, forKey key: String) -> Any? {
    let found = value(of: set, forKey: key)
    return key.hasPrefix("@") ? found : members(found)
  }

  /// The same for a key path.
  static func value<Element>(ofSet set: MutableSet<Element>, forKeyPath keyPath: String) -> Any? {
    let found = value(of: set, forKeyPath: keyPath)
    return keyPath.hasPrefix("@") ? found : members(found)
  }

  private static func members(_ values: Any?) -> Any? {
    guard let values = values as? [Any] else { return values }
    return Set(values.compactMap { $0 as? AnyHashable })
  }

  static func value<C: RealmCollection>(of collection: C, forKeyPath keyPath: String) -> Any? {
    if keyPath == "self" { return value(of: collection, forKey: keyPath) }
    guard keyPath.hasPrefix("@") else {
      return collection.map { element -> Any in
        guard let object = element as? ObjectBase else { misuse("The elements have no property '\(keyPath)'.") }
        return object.value(forKeyPath: keyPath) ?? NSNull()
      } as [Any]
    }
    if keyPath == "@count" { return collection.count }
    return operation(keyPath, Array(collection)) { property, elements in
      if property == "self" || !C.Element._rlmHoldsObject { return collection.foldedValues() }
      return ValueFold.property(property, of: elements)
    }
  }

  /// Sets a property of every element of now.
  static func setValue<C: RealmCollection>(_ value: Any?, forKey key: String, of collection: C) {
    for element in Array(collection) {
      guard let object = element as? ObjectBase else {
        misuse("The elements have no property '\(key)'; only objects have properties to set.")
      }
      object.setValue(value, forKey: key)
    }
  }

  static func objects(_ value: Any?) -> [AnyObject] {
    if let members = value as? Set<AnyHashable> { return members.map { $0.base as AnyObject } }
    return (value as? [Any])?.map { $0 as AnyObject } ?? []
  }

  /// Returns the result of a collection operator over elements.
  static func operation<Element: RealmCollectionValue>(
    _ keyPath: String, _ elements: [Element], _ stored: (String, [Element]) -> [StoredValue]
  ) -> Any? {
    let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = parts.first else { misuse("'\(keyPath)' is no collection operator.") }
    if name == "count" { return elements.count }
    guard parts.count == 2 else { misuse("'\(keyPath)' needs a property after the operator.") }
    switch name {
    case "min": return ValueFold.minimum(stored(parts[1], elements)).boxed
    case "max": return ValueFold.maximum(stored(parts[1], elements)).boxed
    case "sum": return ValueFold.sum(stored(parts[1], elements)).boxed ?? 0
    case "avg": return ValueFold.average(stored(parts[1], elements)).boxed
    case "unionOfObjects": return present(values(elements, parts[1]))
    case "distinctUnionOfObjects": return distinct(present(values(elements, parts[1])))
    case "unionOfArrays": return present(values(elements, parts[1])).flatMap(flattened)
    case "distinctUnionOfArrays": return distinct(present(values(elements, parts[1])).flatMap(flattened))
    default: misuse("The collection operator '@\(name)' is not supported.")
    }
  }

  private static func values<Element: RealmCollectionValue>(_ elements: [Element], _ key: String) -> [Any] {
    if key == "self" { return elements.map { $0._rlmObjcValue } }
    return elements.map { element -> Any in
      guard let object = element as? ObjectBase else { misuse("The elements have no property '\(key)'.") }
      return object.value(forKey: key) ?? NSNull()
    }
  }

  private static func present(_ values: [Any]) -> [Any] { values.filter { !($0 is NSNull) } }
  private static func flattened(_ value: Any) -> [Any] { ValueConverter.sequence(value) ?? [value] }

  private static func distinct(_ values: [Any]) -> [Any] {
    var seen: Set<AnyHashable> = []
    return values.filter { value in (value as? AnyHashable).map { seen.insert($0).inserted } ?? true }
  }
}
