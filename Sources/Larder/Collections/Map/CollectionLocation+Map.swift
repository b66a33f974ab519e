import LarderStorage

/// Changes of a map in the store; the owner and the transaction were checked before.
extension CollectionLocation {
  /// Sets the values of keys in one go; embedded objects move in one by one.
  func put<Value: RealmCollectionValue>(_ pairs: [(MapKeyText, Value)]) throws {
    if pairs.isEmpty { return }
    guard property.isEmbedded else {
      let values = try stored(pairs.map(\.1))
      let stored = zip(pairs, values).map { ($0.0.text, $1) }
      if try editNested({ .put(stored) }) { return }
      return try write { try $0.maps.put($1, $2, $3, stored) }
    }
    for (key, value) in pairs { try putEmbedded(value, key) }
  }

  private func putEmbedded<Value: RealmCollectionValue>(_ value: Value, _ key: MapKeyText) throws {
    guard let (object, target) = try newEmbedded(value) else {
      return try write { try $0.maps.put($1, $2, $3, [(key.text, .null)]) }
    }
    let row = try write { try $0.maps.insertEmbedded(in: $1, $2, $3, mapKey: key.text) }
    host.maker(host.adding.policy).adopt(object, target, row)
  }

  func removeFromMap(_ key: MapKeyText) throws {
    if try !editNested({ .removeKey(key.text) }) { _ = try write { try $0.maps.remove($1, $2, $3, key.text) } }
  }

  func clearMap() throws {
    if try !editNested({ .clear }) { try write { try $0.maps.clear($1, $2, $3) } }
  }

  /// Replaces all entries in one go.
  func assignMap<Value: RealmCollectionValue>(_ pairs: [(MapKeyText, Value)]) throws {
    if property.isEmbedded {
      for (_, value) in pairs { _ = try newEmbedded(value) }
      try clearMap()
      return try put(pairs)
    }
    let values = try stored(pairs.map(\.1))
    let stored = zip(pairs, values).map { ($0.0.text, $1) }
    if try editNested({ .assign(.dictionary(StoredDictionary(stored.map { (key: $0.0, value: $0.1) }))) }) { return }
    try write { try $0.maps.assign($1, $2, $3, stored) }
  }
}
