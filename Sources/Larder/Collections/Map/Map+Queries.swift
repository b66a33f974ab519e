import Dispatch
import Foundation
import LarderQuery
import LarderStorage

extension Map: HasThrowingForms {}

extension Map: LocatedContents {
  static var noun: String { "map" }
  var held: [Value] { values }
  func hasSameContents(as other: Map<Key, Value>) -> Bool {
    let keys = ContentKeys<Value>()
    return unmanaged.values.count == other.unmanaged.values.count
      && unmanaged.values.allSatisfy { key, value in
        other.unmanaged[key].map { keys.key($0) == keys.key(value) } ?? false
      }
  }
}

extension Map {
  /// The objects among the values that satisfy a predicate, in the order of the keys: lazy and live.
  public func filter(_ predicate: NSPredicate) -> Results<Value> { Results(makeState("filtered")).filter(predicate) }

  /// Returns true if some entry satisfies the condition. Looks at the entries as they are now, until one does.
  public func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool {
    asKeyValueSequence().contains { predicate($0.key, $0.value) }
  }

  /// The values sorted: lazy and live.
  public func sorted(ascending: Bool = true) -> Results<Value> { sorted(byKeyPath: "self", ascending: ascending) }

  /// The objects among the values sorted by a property: lazy and live.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  public func sorted<S>(by sortDescriptors: S) -> Results<Value> where S: Sequence, S.Element == SortDescriptor {
    Results(makeState("sorted")).sorted(by: sortDescriptors)
  }

  public func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    minimum(property)
  }

  public func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType {
    maximum(property)
  }

  public func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType {
    total(property)
  }

  public func average<T>(ofProperty property: String) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    mean(property)
  }

  // MARK: - Access by text

  /// The value of a key, boxed; nil when there is none. For code of the old style.
  public func object(forKey key: AnyObject) -> AnyObject? { (key as? String).flatMap { value(forKey: $0) } }

  /// The boxed value of a key, `NSNull` for a stored nil; or what an operator such as `@count` gives for the values.
  public func value(forKey key: String) -> AnyObject? {
    if key.hasPrefix("@"), orMisuse({ try value(of: MapKeyText(key).key()) }) == nil {
      return CollectionKeyValues.operation(key, values) { ValueFold.property($0, of: $1) }.map { $0 as AnyObject }
    }
    return self[MapKeyText(key).key()].map { $0._rlmObjcValue as AnyObject }
  }

  /// The value of a key, or a property of the object that is its value.
  public func value(forKeyPath keyPath: String) -> AnyObject? {
    if keyPath.hasPrefix("@") { return value(forKey: keyPath) }
    let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, self[MapKeyText(keyPath).key()] == nil else { return value(forKey: keyPath) }
    return (value(forKey: parts[0]) as? ObjectBase)?.value(forKeyPath: parts[1]).map { $0 as AnyObject }
  }

  /// Sets a value of any kind; nil removes the key.
  public func setValue(_ value: Any?, forKey key: String) { orMisuse { try setBoxed(value, forKey: key) } }

  func setBoxed(_ value: Any?, forKey key: String) throws {
    guard let value else { return try removeEntry(MapKeyText(key)) }
    guard let converted = try converted(value, nil) else {
      throw Realm.Error.invalid(
        "'\(misuseText(value))' (type \(misuseType(value))) does not fit a map of \(Value.self).",
        className: location?.cursor.model.name, propertyName: location?.property.name)
    }
    try location?.verifyElements(CollectionOfOne(converted))
    try put([(MapKeyText(key), converted)])
  }

  // MARK: - Living with versions

  public var isFrozen: Bool { location?.host.isFrozen ?? false }

  /// The map at the committed version, unchanging and for any thread.
  public func freeze() -> Map<Key, Value> { frozenCopy() }

  /// The live map on this thread; nil when its owner is deleted.
  public func thaw() -> Map<Key, Value>? { thawedCopy() }
}
