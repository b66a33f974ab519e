import Dispatch
import Foundation
import LarderQuery

/// A live collection of values by key.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  /// Texts.
  associatedtype Key: _MapKey
  /// The type of the stored values.
  associatedtype Value: RealmCollectionValue
  /// The Realm it belongs to; nil for a map in memory.
  var realm: Realm? { get }
  /// A Boolean value that says whether it cannot be used any more: its owner was deleted, or its Realm was invalidated.
  var isInvalidated: Bool { get }
  /// Number of entries.
  var count: Int { get }
  /// The type and the first 100 entries.
  var description: String { get }
  /// Stores a value for a key, in the place of one that is there; needs a write transaction when managed.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes the entry of a key, if there is one.
  func removeObject(for key: Key)
  /// Removes all entries. Embedded objects among the values are deleted, others stay in the Realm.
  func removeAll()
  /// The value of a key; nil when there is none. Setting nil removes the entry.
  subscript(key: Key) -> Value? { get set }
  /// The value of a key, boxed; nil when there is none.
  func value(forKey key: String) -> AnyObject?
  /// The value at a key path, which begins with a key.
  func value(forKeyPath keyPath: String) -> AnyObject?
  /// Stores a value for a key.
  func setValue(_ value: Any?, forKey key: String)
  /// The values that satisfy a predicate: lazy and live.
  func filter(_ predicate: NSPredicate) -> Results<Value>
  /// Returns true if an entry satisfies the condition; asks one after the other.
  func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool
  /// The values in their order: lazy and live.
  func sorted(ascending: Bool) -> Results<Value>
  /// The values, objects, in the order of a property: lazy and live.
  func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
  /// The values in the order of the first descriptor, then the second and so on: lazy and live.
  func sorted<S>(by sortDescriptors: S) -> Results<Value> where S: Sequence, S.Element == SortDescriptor
  /// The keys in the bytewise order of their UTF-8.
  var keys: [Key] { get }
  /// The values in the order of their keys.
  var values: [Value] { get }
  /// The smallest value of a property of the values; nil when there is none.
  func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType
  /// The largest value of a property of the values; nil when there is none.
  func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType
  /// The values of a number property of the values added up; zero when there is none.
  func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType
  /// The mean of a number property of the values; nil when there is none.
  func average<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: AddableType
  /// Calls the block with the map, and then after each change with the keys of what changed, until the token goes.
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken
  /// A Boolean value that says whether it belongs to a frozen Realm: it never changes, and any thread may read it.
  var isFrozen: Bool { get }
  /// The same at its present version, unchanging, for any thread.
  func freeze() -> Self
  /// The live map on the calling thread; nil when its owner is deleted.
  func thaw() -> Self?
}

extension RealmKeyedCollection {
  /// Calls the block with the map, and with the keys that come, go and change.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths, on: queue, block)
  }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The smallest value of a property of the values; nil when there is none.
  public func min<T>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T: _HasPersistedType, T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// The largest value of a property of the values; nil when there is none.
  public func max<T>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T: _HasPersistedType, T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// The values of a number property of the values added up; zero when there is none.
  public func sum<T>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
  where T: _HasPersistedType, T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// The mean of a number property of the values; nil when there is none.
  public func average<T>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}

extension RealmKeyedCollection
where Value: OptionalProtocol, Value.Wrapped: ObjectBase, Value.Wrapped: RealmCollectionValue {
  /// The values, objects, in the order of a property: lazy and live.
  public func sorted<T>(by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool) -> Results<Value>
  where T: _HasPersistedType, T.PersistedType: SortableType {
    sorted(byKeyPath: _name(for: keyPath), ascending: ascending)
  }
}

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
  /// The smallest value; nil when there is none.
  public func min() -> Value? { Value._rlmFromAggregate(folded(.min)) }
  /// The largest value; nil when there is none.
  public func max() -> Value? { Value._rlmFromAggregate(folded(.max)) }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
  /// The values added up; zero when there is none.
  public func sum() -> Value { Value._rlmSum(folded(.sum)) }

  /// Nil when there is no value.
  public func average<T>() -> T? where T: _HasPersistedType, T.PersistedType: AddableType {
    T._rlmFromAggregate(folded(.average))
  }
}

extension RealmKeyedCollection where Value.PersistedType: SortableType {
  /// The values sorted: lazy and live.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    sorted(byKeyPath: "self", ascending: ascending)
  }
}
