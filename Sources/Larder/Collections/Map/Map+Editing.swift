import LarderStorage

/// The cores of access by key and of all changes: they check everything first, and throw what is wrong.
extension Map {
  private func writable() throws -> CollectionLocation? {
    try location?.verifyWritable()
    return location
  }

  func value(of key: Key) throws -> Value? {
    if let trace { return trace.element() as Value }
    let text = MapKeyText(key)
    guard let location else { return unmanaged[text] }
    return try reading(location).value(of: text.text).map { try location.element($0, at: .key(text.text)) }
  }

  func set(_ value: Value?, of key: Key) throws {
    if let value { try put([(MapKeyText(key), value)]) } else { try removeEntry(MapKeyText(key)) }
  }

  func put(_ pairs: [(MapKeyText, Value)]) throws {
    guard let place = try writable() else {
      for (key, value) in pairs { unmanaged[key] = value }
      return
    }
    try place.put(pairs)
  }

  func removeEntry(_ key: MapKeyText) throws {
    guard let place = try writable() else {
      unmanaged[key] = nil
      return
    }
    try place.removeFromMap(key)
  }

  func removeAllElements() throws {
    guard let place = try writable() else {
      unmanaged = UnmanagedMap()
      return
    }
    try place.clearMap()
  }

  /// Returns the entries that a merge puts, in the order the keys came.
  func combined<S>(_ sequence: S, _ combine: (Value, Value) throws -> Value) rethrows -> [(MapKeyText, Value)]
  where S: Sequence, S.Element == (key: Key, value: Value) {
    var places: [MapKeyText: Int] = [:]
    var result: [(MapKeyText, Value)] = []
    for (key, value) in sequence {
      let text = MapKeyText(key)
      if let place = places[text] {
        result[place].1 = try combine(result[place].1, value)
      } else {
        places[text] = result.count
        result.append((text, try self[key].map { try combine($0, value) } ?? value))
      }
    }
    return result
  }

  /// Replaces the contents; under `.modified` sets what differs and keeps other keys (O-45).
  func setContents(_ pairs: [(MapKeyText, Value)], policy: Realm.UpdatePolicy) throws {
    guard let place = try writable() else {
      unmanaged = UnmanagedMap()
      for (key, value) in pairs { unmanaged[key] = value }
      return
    }
    guard policy == .modified else { return try place.assignMap(pairs) }
    if let target = place.target {
      _ = try merge(pairs.map { ($0, $1) }, place, target, place.host.maker(policy))
    } else {
      let map = try place.map()
      let realm = place.cursor.realm
      try place.put(try pairs.filter { try map.value(of: $0.text) != $1._rlmStored(in: realm) })
    }
  }

  /// Brings the objects under some keys to supplied values, as `.modified` asks for (O-45, O-46): an object without a primary
  /// key is updated where it is. False when a value does not fit.
  func merge(
    _ pairs: [(MapKeyText, Any)], _ location: CollectionLocation, _ target: _ClassCursor, _ maker: any ObjectMaker
  ) throws -> Bool {
    for (key, value) in pairs {
      let existing = try location.map().value(of: key.text)
      if case .link(let row)? = existing, try maker.merge(unwrapped(value), into: row, target) { continue }
      guard let element = try converted(value, maker) else { return false }
      if target.model.isEmbedded || existing == nil {
        try location.put([(key, element)])
      } else if try location.stored(CollectionOfOne(element))[0] != existing {
        try location.put([(key, element)])
      }
    }
    return true
  }

  private func unwrapped(_ value: Any) -> Any { (value as? any AnyOptional)?.unwrapped ?? value }

  /// Returns a value made from supplied contents; nil when the supplied value does not fit.
  func converted(_ value: Any, _ maker: (any ObjectMaker)?) throws -> Value? {
    if let maker, let target = location?.target {
      if ValueConverter.isNil(value) { return Value._rlmFromObjc(value, insideOptional: false) }
      guard let object = try maker.linked(unwrapped(value), target) else { return value as? Value }
      return object as? Value ?? Value._rlmFromObjc(object, insideOptional: false)
    }
    return ValueConverter.cast(value) ?? Value._rlmFromObjc(value, insideOptional: false)
  }
}
