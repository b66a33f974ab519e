/// An element of a loop over a `Map`.
public protocol _RealmMapValue {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue
}

/// One key of a map with its value.
public struct SingleMapEntry<Key, Value>: _RealmMapValue, Hashable where Key: _MapKey, Value: RealmCollectionValue {
  /// The key of the entry.
  public var key: Key
  /// The value of the entry.
  public var value: Value

  /// Compares the values.
  public static func == (lhs: SingleMapEntry<Key, Value>, rhs: SingleMapEntry<Key, Value>) -> Bool {
    lhs.value == rhs.value
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A position in a map; nothing uses it.
public struct MapIndex {
  /// Its place in the order of the keys.
  public var offset: UInt
}
