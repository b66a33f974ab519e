/// A map over the lists of its keys and its values, stored or open for changes.
struct MapView: MapReading {
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
