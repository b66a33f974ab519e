/// A translation of the names that a device gave into those of another site: its commits after a common one count from 1 there. It also has the
/// new indices of operations in commits that lost others.
struct SiteFork {
  let old: SiteID
  let new: SiteID
  let common: UInt64
  /// The new indices of operations by their old ones, in commits that lost others.
  var moved: [UInt64: [UInt32: UInt32]] = [:]

  func renamed(_ id: OperationID) -> OperationID {
    guard id.site == old, id.siteVersion > common else { return id }
    let operation = moved[id.siteVersion]?[id.operation] ?? id.operation
    return OperationID(site: new, siteVersion: id.siteVersion - common, operation: operation, index: id.index)
  }

  func renamed(_ id: OperationID?) -> OperationID? { id.map { renamed($0) } }

  func renamed(_ commit: SyncCommit) -> SyncCommit {
    SyncCommit(
      siteVersion: commit.siteVersion - common, time: commit.time, nonce: commit.nonce,
      operations: commit.operations.map { SyncOperation($0.object, renamed($0.edit)) })
  }

  private func renamed(_ edit: SyncEdit) -> SyncEdit {
    switch edit {
    case .create(let properties):
      .create(properties.map { CreatedProperty($0.name, $0.value.renamed(renamed), rank: $0.rank) })
    case .delete: .delete
    case .set(let path, let value): .set(renamed(path), value.renamed(renamed))
    case .add(let path, let delta): .add(renamed(path), delta)
    case .setInsert(let path, let value): .setInsert(renamed(path), value)
    case .setRemove(let path, let value): .setRemove(renamed(path), value)
    case .setClear(let path): .setClear(renamed(path))
    case .mapPut(let path, let key, let value): .mapPut(renamed(path), key, value.renamed(renamed))
    case .mapRemove(let path, let key): .mapRemove(renamed(path), key)
    case .mapClear(let path): .mapClear(renamed(path))
    case .listInsert(let path, let values, let first, let left, let right):
      .listInsert(
        renamed(path), values.map { $0.renamed(renamed) }, first: renamed(first), left: renamed(left),
        right: renamed(right))
    case .listMove(let path, let element, let position, let left, let right):
      .listMove(
        renamed(path), renamed(element), position: renamed(position), left: renamed(left), right: renamed(right))
    case .listRemove(let path, let runs):
      .listRemove(renamed(path), OperationIDRun.runs(of: runs.flatMap { $0.ids.map { renamed($0) } }))
    }
  }

  private func renamed(_ path: SyncCollectionPath) -> SyncCollectionPath {
    SyncCollectionPath(renamed(path.slot), incarnation: renamed(path.incarnation))
  }

  private func renamed(_ path: SyncPath) -> SyncPath {
    SyncPath(
      path.property,
      path.steps.map { step in
        switch step {
        case .element(let id, let container): .element(renamed(id), in: renamed(container))
        case .key(let key, let container): .key(key, in: renamed(container))
        case .property(let name, let container): .property(name, in: renamed(container))
        }
      })
  }

  /// Side tables and incarnations: what waits in them names this device's operations.
  func renamed(_ shadow: Shadow) -> Shadow {
    var result = Shadow(shadow.kind, renamed(shadow.incarnation))
    result.table = shadow.table.renamed(renamed)
    for (slot, child) in shadow.children {
      if case .element(let id) = slot {
        result.children[.element(renamed(id))] = renamed(child)
      } else {
        result.children[slot] = renamed(child)
      }
    }
    return result
  }
}

extension SyncValue {
  /// The value with other names, all the way down.
  func renamed(_ name: (OperationID) -> OperationID) -> SyncValue {
    switch self {
    case .embedded(let embedded):
      .embedded(
        SyncEmbedded(
          incarnation: name(embedded.incarnation),
          properties: embedded.properties.map { SyncProperty($0.name, $0.value.renamed(name)) }))
    case .list(let list):
      .list(
        SyncList(
          incarnation: name(list.incarnation),
          entries: list.entries.map {
            SyncListEntry(element: name($0.element), position: name($0.position), value: $0.value.renamed(name))
          }))
    case .set(let set): .set(SyncSet(incarnation: name(set.incarnation), values: set.values))
    case .map(let map):
      .map(
        SyncMap(
          incarnation: name(map.incarnation), entries: map.entries.map { SyncMapEntry($0.key, $0.value.renamed(name)) })
      )
    default: self
    }
  }

  /// The value with names of an operation for all that is in it, given in order from `next` on.
  func named(_ next: inout OperationID) -> SyncValue {
    switch self {
    case .embedded(let embedded):
      let incarnation = next.take()
      return .embedded(
        SyncEmbedded(
          incarnation: incarnation,
          properties: embedded.properties.map { SyncProperty($0.name, $0.value.named(&next)) }))
    case .list(let list):
      let incarnation = next.take()
      return .list(
        SyncList(
          incarnation: incarnation,
          entries: list.entries.map { SyncListEntry(element: next.take(), value: $0.value.named(&next)) }))
    case .set(let set): return .set(SyncSet(incarnation: next.take(), values: set.values))
    case .map(let map):
      let incarnation = next.take()
      return .map(
        SyncMap(
          incarnation: incarnation, entries: map.entries.map { SyncMapEntry($0.key, $0.value.named(&next)) }))
    default: return self
    }
  }
}

extension OperationID {
  /// The name, after which this is the next one.
  mutating func take() -> OperationID {
    defer { self = later(by: 1) }
    return self
  }
}
