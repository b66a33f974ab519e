/// A set over the list of its sorted elements, stored or open for changes.
package struct SetView: SetReading {
  let elements: any ListReading

  init(_ elements: any ListReading) { self.elements = elements }

  package var count: Int { elements.count }
  package func value(at position: Int) throws -> StoredValue { try elements.value(at: position) }
  package func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws {
    try elements.forEachChunk(body)
  }

  package func position(of value: StoredValue) throws -> Int? {
    let found = try elements.sortedPosition(of: value)
    return found.isThere ? found.position : nil
  }
}

/// A map over the lists of its keys and its values, stored or open for changes.
package struct MapView: MapReading {
  package let keys: any ListReading
  package let values: any ListReading

  /// - Throws: `.corrupted` when there are more of the one than of the other.
  init(keys: any ListReading, values: any ListReading) throws {
    self.keys = keys
    self.values = values
    guard keys.count == values.count else {
      throw StorageError(
        .corrupted, "A map has \(keys.count) keys and \(values.count) values. Run `larder check` on the store.")
    }
  }

  package var count: Int { keys.count }
  package func value(at position: Int) throws -> StoredValue { try values.value(at: position) }

  package func key(at position: Int) throws -> String {
    guard case .string(let key) = try keys.value(at: position) else {
      throw StorageError(.corrupted, "A map has a key that is no text. Run `larder check` on the store.")
    }
    return key
  }

  package func position(of key: String) throws -> Int? {
    let found = try keys.sortedPosition(of: .string(key))
    return found.isThere ? found.position : nil
  }
}

extension ListReading {
  /// Where a value is among sorted elements from a position on, or where it would be inserted. O(log count) elements are
  /// looked at.
  func sortedPosition(of value: StoredValue, from start: Int = 0) throws -> (position: Int, isThere: Bool) {
    var low = start
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      let order = StoredOrder.compare(try self.value(at: middle), value)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }
}
