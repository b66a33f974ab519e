import LarderStorage

/// Live lists and dictionaries within values of any type (O-90, O-91).
extension CollectionLocation {
  /// A value of any type that was found here: lists and dictionaries are live. `step` leads to it from this collection; without
  /// one it is searched for when it is used.
  func anyValue(_ value: StoredValue, at step: MixedStep?) -> AnyRealmValue {
    switch value {
    case .list(let elements):
      let place = nested(elements.id, step)
      let list = List<AnyRealmValue>(place)
      list.remember(NestedListReading(elements: Array(elements)), place)
      return .list(list)
    case .dictionary(let entries):
      let place = nested(entries.id, step)
      let map = Map<String, AnyRealmValue>(place)
      map.remember(NestedMapReading(entries: entries), place)
      return .dictionary(map)
    default: return AnyRealmValue._rlmFromStored(value, in: cursor.realm) ?? AnyRealmValue.none
    }
  }

  private func nested(_ id: UInt64, _ step: MixedStep?) -> CollectionLocation {
    var result = self
    result.nested = NestedPlace(path: (nested?.path ?? []) + (step.map { [$0] } ?? []), id: id)
    return result
  }

  /// The list or dictionary as it is now; nil once it was removed or replaced.
  func find(_ place: NestedPlace) throws -> StoredValue? {
    try host.reader.nested(cursor.classID, column, key, path: place.path, id: place.id)?.value
  }

  /// The same; throws once it was removed or replaced.
  func nestedValue(_ place: NestedPlace) throws -> StoredValue {
    guard let found = try find(place) else { throw replaced }
    return found
  }

  /// E-82 for collections within values.
  var replaced: Realm.Error {
    error("The collection in \(name) was removed or replaced by another value; read \(name) again.")
  }

  func nestedElements(_ place: NestedPlace) throws -> [StoredValue] {
    switch try nestedValue(place) {
    case .list(let list): Array(list)
    case .dictionary(let entries): entries.values
    default: []
    }
  }

  func nestedEntries(_ place: NestedPlace) throws -> StoredDictionary {
    if case .dictionary(let entries) = try nestedValue(place) { entries } else { StoredDictionary() }
  }

  /// Changes a nested collection; false for a collection that is a property of its own.
  func editNested(_ change: () throws -> NestedChange) throws -> Bool {
    guard let place = nested else { return false }
    let change = try change()
    try write { try $0.mixed.edit($1, $2, $3, place.path, id: place.id, change) }
    return true
  }
}
