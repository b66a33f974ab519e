import Dispatch
import Foundation

/// A live collection of values by key.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue
  var realm: Realm? { get }
  var isInvalidated: Bool { get }
  var count: Int { get }
  var description: String { get }
  func updateValue(_ value: Value, forKey key: Key)
  func removeObject(for key: Key)
  func removeAll()
  subscript(key: Key) -> Value? { get set }
  func value(forKey key: String) -> AnyObject?
  func value(forKeyPath keyPath: String) -> AnyObject?
  func setValue(_ value: Any?, forKey key: String)
  func filter(_ predicate: NSPredicate) -> Results<Value>
  func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool
  func sorted(ascending: Bool) -> Results<Value>
  func sorted(byKeyPath keyPath: String, ascending: Bool) -> Results<Value>
  func sorted<S>(by sortDescriptors: S) -> Results<Value> where S: Sequence, S.Element == SortDescriptor
  var keys: [Key] { get }
  var values: [Value] { get }
  func min<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType
  func max<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: MinMaxType
  func sum<T>(ofProperty property: String) -> T where T: _HasPersistedType, T.PersistedType: AddableType
  func average<T>(ofProperty property: String) -> T? where T: _HasPersistedType, T.PersistedType: AddableType
  func observe(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmMapChange<Self>) -> Void
  ) -> NotificationToken
  var isFrozen: Bool { get }
  func freeze() -> Self
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
  public func min<T>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T: _HasPersistedType, T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  public func max<T>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T: _HasPersistedType, T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  public func sum<T>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
  where T: _HasPersistedType, T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  public func average<T>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
  where T: _HasPersistedType, T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}

extension RealmKeyedCollection
where Value: OptionalProtocol, Value.Wrapped: ObjectBase, Value.Wrapped: RealmCollectionValue {
  public func sorted<T>(by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool) -> Results<Value>
  where T: _HasPersistedType, T.PersistedType: SortableType {
    sorted(byKeyPath: _name(for: keyPath), ascending: ascending)
  }
}

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
  /// The smallest value; nil when there is none.
  public func min() -> Value? { Value._rlmFromAggregate(ValueFold.minimum(foldedValues())) }
  public func max() -> Value? { Value._rlmFromAggregate(ValueFold.maximum(foldedValues())) }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
  /// The values added up; zero when there is none.
  public func sum() -> Value { Value._rlmSum(ValueFold.sum(foldedValues())) }

  /// Nil when there is no value.
  public func average<T>() -> T? where T: _HasPersistedType, T.PersistedType: AddableType {
    T._rlmFromAggregate(ValueFold.average(foldedValues()))
  }
}

extension RealmKeyedCollection where Value.PersistedType: SortableType {
  /// The values sorted: lazy and live.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    sorted(byKeyPath: "self", ascending: ascending)
  }
}
