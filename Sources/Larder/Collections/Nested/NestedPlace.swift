import LarderStorage

/// The identity of a list or dictionary within a mixed value.
struct NestedPlace: Hashable {
  /// The path on which it was found; edits around it may have moved it since.
  let path: [MixedStep]
  /// Tells it from any that took its place.
  let id: UInt64

  static func == (lhs: NestedPlace, rhs: NestedPlace) -> Bool { lhs.id == rhs.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The elements of a list within a mixed value, or the keys or values of a dictionary.
struct NestedListReading: ListReading {
  let elements: [StoredValue]

  var count: Int { elements.count }
  func value(at position: Int) throws -> StoredValue { elements[position] }
  func values() throws -> [StoredValue] { elements }
  /// They have no chunks; `values()` gives all at once.
  func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {}
}

/// A dictionary within a mixed value.
struct NestedMapReading: MapReading {
  let entries: StoredDictionary

  var count: Int { entries.count }
  func key(at position: Int) throws -> String { entries[position].key }
  func value(at position: Int) throws -> StoredValue { entries[position].value }

  func position(of key: String) throws -> Int? {
    let found = entries.position(of: key)
    return found.isThere ? found.position : nil
  }

  var keys: any ListReading { NestedListReading(elements: entries.keys.map { .string($0) }) }
  var values: any ListReading { NestedListReading(elements: entries.values) }
}
