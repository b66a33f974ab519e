import Foundation

/// Access to the elements' properties by name, with the operators `@count @min @max @sum @avg`.
enum CollectionKeyValues {
  static func value<C: RealmCollection>(of collection: C, forKey key: String) -> Any? {
    if key.hasPrefix("@") { return value(of: collection, forKeyPath: key) }
    if key == "self" { return Array(collection) }
    return collection.map { element -> Any in
      guard let object = element as? ObjectBase else { misuse("The elements have no property '\(key)'.") }
      return object.value(forKey: key) ?? NSNull()
    } as [Any]
  }

  static func value<C: RealmCollection>(of collection: C, forKeyPath keyPath: String) -> Any? {
    guard keyPath.hasPrefix("@") else {
      return collection.map { ($0 as? ObjectBase)?.value(forKeyPath: keyPath) ?? NSNull() } as [Any]
    }
    let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = parts.first else { misuse("'\(keyPath)' is no collection operator.") }
    if name == "count" { return collection.count }
    guard parts.count == 2 else { misuse("'\(keyPath)' needs a property after the operator.") }
    switch name {
    case "min": return collection.min(ofProperty: parts[1]) as Double?
    case "max": return collection.max(ofProperty: parts[1]) as Double?
    case "sum": return collection.sum(ofProperty: parts[1]) as Double
    case "avg": return collection.average(ofProperty: parts[1]) as Double?
    default: misuse("The collection operator '@\(name)' is not supported.")
    }
  }
}
