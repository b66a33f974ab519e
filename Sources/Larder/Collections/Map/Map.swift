import Dispatch
import Foundation
import LarderStorage

/// Values by key; as a property of a managed object it reads and writes the store.
///
/// Any text can be a key, `.`, `$` and NUL included; keys are equal when their UTF-8 bytes are. In loops, `keys` and `values` the
/// order is the bytewise one of the keys. Access by key costs O(log n). Changing a managed map needs a write transaction. The
/// values of a map of objects are optional: deleting an object leaves its key with nil (O-11).
public final class Map<Key, Value>: NSObject, RealmKeyedCollection where Key: _MapKey, Value: RealmCollectionValue {
  var unmanaged = UnmanagedMap<Value>()
  var location: CollectionLocation?
  var trace: _KeyPathTrace?
  private var cached: (stamp: ReadingStamp, reading: any MapReading)?

  /// An unmanaged, empty map.
  public override init() { super.init() }

  init(_ location: CollectionLocation) {
    self.location = location
    super.init()
  }

  // MARK: - Reading

  /// The stored map; throws when its owner is deleted.
  func reading(_ location: CollectionLocation) throws -> any MapReading {
    try location.host.verifyThread()
    if let cached, cached.stamp == location.host.readingStamp { return cached.reading }
    try location.verify()
    let reading = try location.map()
    // Frozen ones are read from many threads, and a reading remembers where it read last.
    if !location.host.isFrozen { cached = (location.host.readingStamp, reading) }
    return reading
  }

  /// Takes over entries that were read already, with the value that the map is in.
  func remember(_ reading: any MapReading, _ location: CollectionLocation) {
    cached = (location.host.readingStamp, reading)
  }

  /// All entries as they are now, read chunk by chunk.
  func entries() throws -> MapEntries<Key, Value> {
    guard let location else {
      let keys = unmanaged.keys
      return MapEntries(keys.map { $0.key() }, held: keys.compactMap { unmanaged[$0] })
    }
    return try MapEntries(reading(location), location)
  }

  public var count: Int { orMisuse { try location.map { try reading($0).count } ?? unmanaged.values.count } }

  /// A Boolean value that says whether there is no entry.
  public var isEmpty: Bool { count == 0 }

  /// All keys, bytewise ascending.
  public var keys: [Key] {
    orMisuse {
      guard let location else { return unmanaged.keys.map { $0.key() } }
      return try reading(location).keys.values().map { Key._rlmMapKey($0) }
    }
  }

  /// All values in the order of the keys.
  public var values: [Value] { orMisuse { try entries().allValues() } }

  /// The value of a key; nil when the key is not there. Assigning nil removes the key; in a map of optional values
  /// `.some(nil)` stores nil.
  ///
  /// ```swift
  /// try realm.write { person.scores["chess"] = 12 }
  /// let score = person.scores["chess"]
  /// ```
  ///
  /// Setting outside of a write transaction is misuse; `map.throwing` throws instead. On the Realm's thread. Costs O(log n).
  public subscript(key: Key) -> Value? {
    get { orMisuse { try value(of: key) } }
    set { orMisuse { try set(newValue, of: key) } }
  }

  /// Iterates over the entries as they are now; changes made in the loop are not seen by it.
  public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> {
    RLMMapIterator(orMisuse { try entries() }) { SingleMapEntry(key: $0, value: $1) }
  }

  /// The entries as tuples.
  public func asKeyValueSequence() -> Map<Key, Value>.KeyValueSequence { KeyValueSequence(map: self) }

  /// The entries of a map as tuples of `key` and `value`.
  public struct KeyValueSequence: Sequence {
    let map: Map<Key, Value>

    public func makeIterator() -> RLMKeyValueIterator<Key, Value> {
      RLMKeyValueIterator(orMisuse { try map.entries() })
    }
  }

  public var realm: Realm? { location.map { Realm($0.host) } }

  /// A Boolean value that says whether the owner was deleted or its Realm invalidated: then nothing else may be asked for.
  public var isInvalidated: Bool { location.map { !$0.isAlive } ?? false }

  public override var description: String { text(depth: 0) }

  /// Managed: the same map of the same object. Unmanaged: the same instance or equal contents.
  public static func == (lhs: Map<Key, Value>, rhs: Map<Key, Value>) -> Bool { lhs.isSame(as: rhs) }
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? Map<Key, Value>).map { isSame(as: $0) } ?? false
  }
  public override var hash: Int { location?.hashValue ?? 0 }

  // MARK: - Writing

  /// Sets the value of a key; an unmanaged object becomes managed.
  public func updateValue(_ value: Value, forKey key: Key) { orMisuse { try put([(MapKeyText(key), value)]) } }

  /// Adds entries, in one go; `combine` gives the value of a key that is there already.
  public func merge<S>(_ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows
  where S: Sequence, S.Element == (key: Key, value: Value) {
    let merged = try combined(sequence, combine)
    orMisuse { try put(merged) }
  }

  /// Takes over the entries of another map; where both have a key, the value that `combine` makes of the present and the new one.
  public func merge(_ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows {
    try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
  }

  /// Removes a key with its value, if it is there; an object stays in the Realm, an embedded one is deleted.
  public func removeObject(for key: Key) { orMisuse { try removeEntry(MapKeyText(key)) } }
  public func removeAll() { orMisuse { try removeAllElements() } }
}
