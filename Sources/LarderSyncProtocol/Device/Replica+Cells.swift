// Changes that the server sends of an object that the device has.
extension Replica {
  /// Applies changes of an object in order, as far as no waiting operation hides them. `origin` made them, at `time`.
  mutating func apply(_ deltas: [CellDelta], to object: ObjectName, time: SyncTime, origin: SiteID) {
    guard store.contains(object), !isDeleted(object) else { return }
    for delta in deltas { apply(delta, object, time, origin) }
  }

  private mutating func apply(_ delta: CellDelta, _ object: ObjectName, _ time: SyncTime, _ origin: SiteID) {
    switch delta {
    case .set(let path, let value): assign(value, path, object)
    case .mapPut(let path, let key, let value):
      assign(value, path.slot.appending(.key(key, in: path.incarnation)), object)
    case .mapRemove(let path, let keys):
      for key in keys { removeKey(key, path, object) }
    case .add(let path, let delta):
      if !masks(path, object) { add(delta, path, object) }
    case .setInsert(let path, let values):
      for value in values { setMember(value, isPresent: true, path, object) }
    case .setRemove(let path, let values):
      for value in values { setMember(value, isPresent: false, path, object) }
    case .listInsert(let path, let values, let first, let left):
      insert(values, first, left, path, object) { [pending] in pending.isOlder($0, than: time, origin) }
      reapplyWaiting(on: first, UInt32(values.count), object)
    case .listMove(let path, let element, let position, let left):
      move(element, position, left, path, object) { [pending] in pending.isOlder($0, than: time, origin) }
    case .listRemove(let path, let runs):
      for run in runs { for id in run.ids { remove(id, path, object) } }
    }
  }

  /// Does what waits for elements that have just come. They can have been known before: a restored server gets them again from their author.
  private mutating func reapplyWaiting(on first: OperationID, _ count: UInt32, _ object: ObjectName) {
    for edit in pending.edits(object) where edit.names(first, count) { _ = reapply(edit, object, nil, only: nil) }
  }

  private mutating func assign(_ value: SyncValue, _ path: SyncPath, _ object: ObjectName) {
    guard !masks(path, object) else { return }
    let shown = adding(to: value, at: path, object)
    withShadow(object) { shadow, store in
      _ = shadow.reach(path) { container, slot, local in
        container.children[slot] = Shadow(value)
        store.set(object, local, shown)
        return true
      }
    }
    if let incarnation = value.incarnation { reapplyWaiting(in: incarnation, object) }
  }

  /// Does what waits in a container that has just come, for the same reason.
  private mutating func reapplyWaiting(in container: OperationID, _ object: ObjectName) {
    for edit in pending.edits(object) where edit.goes(into: container) { _ = reapply(edit, object, nil, only: nil) }
  }

  mutating func add(_ delta: SyncDelta, _ path: SyncPath, _ object: ObjectName) {
    withShadow(object) { shadow, store in
      _ = shadow.reach(path) { _, _, local in
        guard let sum = store.value(object, local)?.adding(delta) else { return false }
        store.set(object, local, sum)
        return true
      }
    }
  }

  private mutating func removeKey(_ key: SyncText, _ path: SyncCollectionPath, _ object: ObjectName) {
    guard !masks(path.slot.appending(.key(key, in: path.incarnation)), object) else { return }
    withShadow(object) { shadow, store in
      _ = shadow.reach(path, .map) { map, local in
        map.children[.name(key)] = nil
        store.removeKey(key, object, local)
        return true
      }
    }
  }

  private mutating func setMember(
    _ value: SyncValue, isPresent: Bool, _ path: SyncCollectionPath, _ object: ObjectName
  ) {
    guard !masks(value, path, object) else { return }
    withShadow(object) { shadow, store in
      _ = shadow.reach(path, .set) { _, local in
        store.setMember(value, isPresent: isPresent, object, local)
        return true
      }
    }
  }

  private mutating func insert(
    _ values: [SyncValue], _ first: OperationID, _ left: OperationID?, _ path: SyncCollectionPath,
    _ object: ObjectName, passes: (OperationID) -> Bool
  ) {
    withShadow(object) { shadow, store in
      _ = shadow.reach(path, .list) { list, local in
        let count = UInt32(values.count)
        guard list.table.insert(first, element: first, count: count, isBase: true, after: left, passes: passes),
          let index = list.table.shownIndex(of: first)
        else { return false }
        list.adopt(values, first)
        store.insert(values, at: index, object, local)
        return true
      }
    }
  }

  private mutating func move(
    _ element: OperationID, _ position: OperationID, _ left: OperationID?, _ path: SyncCollectionPath,
    _ object: ObjectName, passes: (OperationID) -> Bool
  ) {
    relocate(element, path, object) { table in
      table.dropBase(of: element)
      _ = table.insert(position, element: element, count: 1, isBase: true, after: left, passes: passes)
      table.show(element)
    }
  }

  mutating func remove(_ element: OperationID, _ path: SyncCollectionPath, _ object: ObjectName) {
    withShadow(object) { shadow, store in
      _ = shadow.reach(path, .list) { list, local in
        if let index = list.table.shownIndex(of: element) { store.remove(at: index, object, local) }
        list.table.drop(element)
        list.children[.element(element)] = nil
        return true
      }
    }
  }

  /// Changes the places of an element, and moves it in the store when it is seen elsewhere then.
  mutating func relocate(
    _ element: OperationID, _ path: SyncCollectionPath, _ object: ObjectName, _ body: (inout SideTable) -> Void
  ) {
    withShadow(object) { shadow, store in
      _ = shadow.reach(path, .list) { list, local in
        let before = list.table.shownIndex(of: element)
        body(&list.table)
        if let before {
          if let after = list.table.shownIndex(of: element) {
            if before != after { store.move(from: before, to: after, object, local) }
          } else {
            store.remove(at: before, object, local)
          }
        }
        return true
      }
    }
  }
}

extension Shadow {
  /// Notes containers among elements that came into a list.
  mutating func adopt(_ values: [SyncValue], _ first: OperationID) {
    for (offset, value) in values.enumerated() {
      children[.element(first.later(by: UInt32(offset)))] = Shadow(value)
    }
  }
}

extension SyncEdit {
  /// Returns true if the edit changes a container or something within it.
  func goes(into container: OperationID) -> Bool {
    collection?.incarnation == container || path?.steps.contains { $0.container == container } ?? false
  }

  /// Returns true if the edit changes one of some elements, or something within one.
  func names(_ first: OperationID, _ count: UInt32) -> Bool {
    func isNamed(_ id: OperationID) -> Bool { first.distance(to: id, below: count) != nil }
    switch self {
    case .listMove(_, let element, _, _, _) where isNamed(element): return true
    case .listRemove(_, let runs) where runs.contains(where: { $0.ids.contains(where: isNamed) }): return true
    default:
      return path?.steps.contains { step in
        if case .element(let id, _) = step { isNamed(id) } else { false }
      } ?? false
    }
  }
}

extension PendingOperations {
  /// Returns true if the waiting operation that made a place is older than another site's. It is a guess at the server's order; markers correct it.
  func isOlder(_ position: OperationID, than time: SyncTime, _ origin: SiteID) -> Bool {
    guard let commit = commit(position.siteVersion) else { return true }
    return (commit.time, position.site) < (time, origin)
  }
}
