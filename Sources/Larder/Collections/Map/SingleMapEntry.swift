/// What a loop over a `Map` yields.
public protocol _RealmMapValue {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue
}

/// One key of a map with its value.
public struct SingleMapEntry<Key, Value>: _RealmMapValue, Hashable where Key: _MapKey, Value: RealmCollectionValue {
  public var key: Key
  public var value: Value

  /// Compares the values.
  public static func == (lhs: SingleMapEntry<Key, Value>, rhs: SingleMapEntry<Key, Value>) -> Bool {
    lhs.value == rhs.value
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A position in a map; nothing uses it.
public struct MapIndex {
  public var offset: UInt
}
