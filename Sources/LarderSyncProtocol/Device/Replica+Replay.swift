// Changes of the store's log, whose positions become names.
extension Replica {
  /// Turns a transaction of the store into a commit, which waits from now on.
  mutating func replay(_ commit: LocalCommit, site: SiteID, siteVersion: UInt64) throws {
    var operations: [SyncOperation] = []
    var older: Set<ObjectName> = []
    for edit in commit.edits {
      if edit.change.isBaseline { older.insert(edit.object) }
      if older.contains(edit.object), case .listInsert(let path, 0, let values, 0) = edit.change, path.steps.isEmpty {
        operations += try replayBaseline(edit.object, path, values)
        continue
      }
      for change in edit.change.parts {
        let name = OperationID(site: site, siteVersion: siteVersion, operation: UInt32(operations.count))
        let edit = try replay(edit.object, change, name)
        operations.append(contentsOf: edit.map { SyncOperation($0.object, $0.edit) })
      }
    }
    pending.append(
      SyncCommit(siteVersion: siteVersion, time: commit.time, nonce: commit.nonce, operations: operations))
  }

  private mutating func replay(
    _ object: ObjectName, _ change: LocalChange, _ name: OperationID
  ) throws -> [SyncOperation] {
    let edit: SyncEdit?
    switch change {
    case .create(let properties):
      edit = replayCreate(object, properties, name)
    case .delete:
      setShadow(object, nil)
      edit = .delete
    case .set(let path, let value):
      var next = name
      let named = value.named(&next)
      edit = withShadow(object) { shadow, _ in
        shadow.reach(path) { container, slot, path in
          container.children[slot] = Shadow(named)
          return .set(path, named)
        }
      }
    case .add(let path, let delta):
      edit = withShadow(object) { shadow, _ in shadow.reach(path) { _, _, path in .add(path, delta) } }
    case .listInsert, .listRemove, .listMove, .listClear:
      edit = try withShadow(object) { shadow, _ in try shadow.replayList(change, name, object) }
    default:
      edit = withShadow(object) { shadow, _ in shadow.replayCollection(change, name) }
    }
    guard let edit else {
      throw DeviceError.unknownPath(object, change.path ?? LocalPath(""))
    }
    if case .listRemove(_, let runs) = edit, runs.isEmpty { return [] }
    return [SyncOperation(object, edit)]
  }

  /// The elements of a list that was there before its object was synchronised (MR-23).
  private mutating func replayBaseline(
    _ object: ObjectName, _ path: LocalPath, _ values: [SyncValue]
  ) throws -> [SyncOperation] {
    let edits = try withShadow(object) { shadow, _ in try shadow.replayBaseline(path, values, object) }
    guard let edits else { throw DeviceError.unknownPath(object, path) }
    return edits.map { SyncOperation(object, $0) }
  }

  private mutating func replayCreate(
    _ object: ObjectName, _ properties: [CreatedProperty], _ name: OperationID
  ) -> SyncEdit {
    var next = name
    let named = properties.map { CreatedProperty($0.name, $0.value.named(&next), rank: $0.rank) }
    withShadow(object) { shadow, _ in
      for property in named where property.rank == .explicit {
        shadow.children[.name(property.name)] = Shadow(property.value)
      }
    }
    return .create(named)
  }
}

extension LocalChange {
  /// The change as those that have an operation each.
  var parts: [LocalChange] {
    if case .listClear(let path, let size) = self {
      return [.listRemove(path, at: 0, count: size, sizeBefore: size)]
    }
    return [self]
  }

  /// True if the change says that an object was there before it was synchronised: so were the lists that the same commit fills.
  var isBaseline: Bool {
    guard case .create(let properties) = self else { return false }
    return properties.contains { $0.rank == .baseline }
  }

  /// The way of the change.
  var path: LocalPath? {
    switch self {
    case .create, .delete: nil
    case .set(let path, _), .add(let path, _), .setInsert(let path, _), .setRemove(let path, _), .setClear(let path),
      .mapPut(let path, _, _), .mapRemove(let path, _), .mapClear(let path), .listInsert(let path, _, _, _),
      .listRemove(let path, _, _, _), .listMove(let path, _, _, _), .listClear(let path, _):
      path
    }
  }
}

extension Shadow {
  /// A change of a set or map, in names.
  mutating func replayCollection(_ change: LocalChange, _ name: OperationID) -> SyncEdit? {
    switch change {
    case .setInsert(let path, let value): return reach(path, .set) { _, path in .setInsert(path, value) }
    case .setRemove(let path, let value): return reach(path, .set) { _, path in .setRemove(path, value) }
    case .setClear(let path): return reach(path, .set) { _, path in .setClear(path) }
    case .mapPut(let path, let key, let value):
      var next = name
      let named = value.named(&next)
      return reach(path, .map) { map, path in
        map.children[.name(key)] = Shadow(named)
        return .mapPut(path, key, named)
      }
    case .mapRemove(let path, let key):
      return reach(path, .map) { map, path in
        map.children[.name(key)] = nil
        return .mapRemove(path, key)
      }
    case .mapClear(let path):
      return reach(path, .map) { map, path in
        map.children = [:]
        return .mapClear(path)
      }
    default: return nil
    }
  }

  /// A change of a list, in names; the list has to have as many elements as the change says.
  mutating func replayList(_ change: LocalChange, _ name: OperationID, _ object: ObjectName) throws -> SyncEdit? {
    switch change {
    case .listInsert(let path, let index, let values, let size):
      return try reach(path, .list) { list, names in
        try list.check(size, object, path)
        return list.replayInsert(names, at: index, values, name)
      }
    case .listRemove(let path, let index, let count, let size):
      return try reach(path, .list) { list, names in
        try list.check(size, object, path)
        guard count >= 0, index >= 0, index <= size, count <= size - index else { return nil }
        let ids = (index..<(index + count)).compactMap { list.table.shown(at: $0)?.element }
        for id in ids { list.table.hide(id) }
        return .listRemove(names, OperationIDRun.runs(of: ids))
      }
    case .listMove(let path, let from, let to, let size):
      return try reach(path, .list) { list, names in
        try list.check(size, object, path)
        return list.replayMove(names, from: from, to: to, name)
      }
    default: return nil
    }
  }

  /// The elements of a list from before its object was synchronised, in names that other devices with the same content give as well (MR-23).
  mutating func replayBaseline(_ path: LocalPath, _ values: [SyncValue], _ object: ObjectName) throws -> [SyncEdit]? {
    try reach(path, .list) { list, path in
      try list.check(0, object, LocalPath(path.slot.property))
      let names = BaselineNames(of: object, path.slot.property)
      return stride(from: 0, to: values.count, by: BaselineNames.blockLength).compactMap { start in
        let block = Array(values[start...].prefix(BaselineNames.blockLength))
        return list.replayInsert(path, at: start, block, names.first(of: block, at: start))
      }
    }
  }

  private func check(_ size: Int, _ object: ObjectName, _ path: LocalPath) throws {
    let known = table.shownCount
    guard known == size else { throw DeviceError.listSize(object, path, logged: size, known: known) }
  }

  private mutating func replayInsert(
    _ path: SyncCollectionPath, at index: Int, _ values: [SyncValue], _ first: OperationID
  ) -> SyncEdit? {
    guard !values.isEmpty, index >= 0, index <= table.shownCount else { return nil }
    let left = index == 0 ? nil : table.shown(at: index - 1)?.position
    let right = table.shown(at: index)?.position
    let count = UInt32(values.count)
    var next = first.later(by: count)
    let named = values.map { $0.named(&next) }
    guard table.insert(first, element: first, count: count, isBase: false, after: left) else { return nil }
    for (offset, value) in named.enumerated() {
      children[.element(first.later(by: UInt32(offset)))] = Shadow(value)
    }
    return .listInsert(path, named, first: first, left: left, right: right)
  }

  private mutating func replayMove(
    _ path: SyncCollectionPath, from: Int, to: Int, _ position: OperationID
  ) -> SyncEdit? {
    guard let element = table.shown(at: from)?.element, to >= 0, to < table.shownCount else { return nil }
    // Neighbours are counted without the element itself.
    let left = to == 0 ? nil : table.shown(at: to - 1 < from ? to - 1 : to)?.position
    let right = table.shown(at: to < from ? to : to + 1)?.position
    guard table.insert(position, element: element, count: 1, isBase: false, after: left) else { return nil }
    table.addMove(of: element, to: position)
    return .listMove(path, element, position: position, left: left, right: right)
  }
}
