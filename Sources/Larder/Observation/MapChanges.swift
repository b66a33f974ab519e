import LarderObservation
import LarderStorage

/// Turns what the observer of a map is notified of, positions in the order of keys, into keys.
enum MapChanges {
  static func call<Key, Value>(
    _ event: ObservationEvent, _ map: Map<Key, Value>, _ block: (RealmMapChange<Map<Key, Value>>) -> Void
  ) {
    switch event.change {
    case .initial: block(.initial(map))
    case .update(let changes):
      guard let location = map.location else { return }
      do {
        let older =
          try event.previous.map { try keys(at: changes.deletions + changes.modifications, location, $0) } ?? []
        let insertions = try changes.insertions.isEmpty ? [] : keys(at: changes.insertions, location, event.snapshot)
        block(
          .update(
            map, deletions: older.prefix(changes.deletions.count).map { Key._rlmMapKey($0) },
            insertions: insertions.map { Key._rlmMapKey($0) },
            modifications: older.dropFirst(changes.deletions.count).map { Key._rlmMapKey($0) }))
      } catch {
        let _: Never? = CollectionObservation.noted(
          error as? StorageError ?? StorageError(.internalError, "The keys of a map could not be read: \(error)"))
      }
    case .failed(let error): let _: Never? = CollectionObservation.noted(error)
    case .properties, .deleted: break
    }
  }

  /// The keys that are at some positions in a version.
  private static func keys(
    at positions: [Int], _ location: CollectionLocation, _ snapshot: Snapshot
  ) throws -> [StoredValue] {
    if positions.isEmpty { return [] }
    if let nested = location.nested {
      let found = try snapshot.nested(
        location.cursor.classID, location.column, location.key, path: nested.path, id: nested.id)
      guard case .dictionary(let entries)? = found?.value else { return [] }
      return positions.map { .string(entries.keys[$0]) }
    }
    let keys = try snapshot.map(location.cursor.classID, location.column, location.key).keys
    return try positions.map { try keys.value(at: $0) }
  }
}
