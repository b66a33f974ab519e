import LarderSyncProtocol

/// The values that the program had written with operations that the server did not accept (Y-28).
struct RefusedValues {
  private var values: [SyncText: SyncValue] = [:]

  /// By property; of several values of a property the last one counts.
  var properties: [SyncProperty] { values.sorted { $0.key < $1.key }.map { SyncProperty($0.key, $0.value) } }

  mutating func add(_ edit: SyncEdit) {
    switch edit {
    case .create(let properties): for property in properties { values[property.name] = property.value }
    case .set(let path, let value): values[path.property] = value
    case .setInsert(let path, let value), .mapPut(let path, _, let value): values[path.slot.property] = value
    case .listInsert(let path, let inserted, _, _, _):
      values[path.slot.property] = .list(
        SyncList(incarnation: .root, entries: inserted.map { SyncListEntry(element: .root, value: $0) }))
    case .add(let path, .int(let delta)): values[path.property] = .int(delta)
    case .add(let path, .decimal(let delta)): values[path.property] = .decimal(delta)
    case .delete, .setRemove, .setClear, .mapRemove, .mapClear, .listMove, .listRemove: break
    }
  }
}
