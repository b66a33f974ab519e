/// The throwing forms of what maps do.
extension Throwing {
  /// The value of a key; throws when the map's owner was deleted.
  public subscript<Key, Value>(key: Key) -> Value? where Base == Map<Key, Value> {
    get throws(Realm.Error) { try orRealmError { try base.value(of: key) } }
  }

  /// `Map.updateValue(_:forKey:)` that throws.
  public func updateValue<Key, Value>(_ value: Value, forKey key: Key) throws(Realm.Error)
  where Base == Map<Key, Value> {
    try orRealmError {
      try base.location?.verifyElements(CollectionOfOne(value))
      try base.put([(MapKeyText(key), value)])
    }
  }

  /// Throws also what `combine` throws, as the error's `underlying`.
  public func merge<Key, Value, S>(
    _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) throws(Realm.Error)
  where Base == Map<Key, Value>, S: Sequence, S.Element == (key: Key, value: Value) {
    try orRealmError {
      let merged = try base.combined(sequence, combine)
      try base.location?.verifyElements(merged.map(\.1))
      try base.put(merged)
    }
  }

  /// `Map.removeObject(for:)` that throws.
  public func removeObject<Key, Value>(for key: Key) throws(Realm.Error) where Base == Map<Key, Value> {
    try orRealmError { try base.removeEntry(MapKeyText(key)) }
  }

  /// `Map.removeAll()` that throws.
  public func removeAll<Key, Value>() throws(Realm.Error) where Base == Map<Key, Value> {
    try orRealmError { try base.removeAllElements() }
  }

  /// Sets a value of any kind; throws when it does not fit.
  public func setValue<Key, Value>(_ value: Any?, forKey key: String) throws(Realm.Error)
  where Base == Map<Key, Value> {
    try orRealmError { try base.setBoxed(value, forKey: key) }
  }
}
