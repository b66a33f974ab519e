// Objects and columns that come whole, with waiting operations on top again.
extension Replica {
  /// Takes over an object as the server has it.
  ///
  /// With `reanchors`, waiting inserts and moves get the neighbours that they have now, because the server may have dropped those they name
  /// (MR-19).
  /// Without properties the server has no such object for the device: what is left is what waits.
  mutating func rebuild(_ object: ObjectName, _ properties: [SyncProperty]?, reanchors: Bool) {
    let old = shadow(of: object)
    let shadow = properties.map { Shadow($0) }
    setShadow(object, shadow?.children.isEmpty == true ? nil : shadow)
    store.replace(object, with: properties)
    reapply(object, old, only: nil, reanchors: reanchors)
  }

  /// Takes over properties as the server has them.
  mutating func rebuild(columns properties: [SyncProperty], of object: ObjectName) {
    guard store.contains(object), !isDeleted(object) else { return }
    let old = shadow(of: object)
    for property in properties {
      withShadow(object) { shadow, store in
        shadow.children[.name(property.name)] = Shadow(property.value)
        store.set(object, LocalPath(property.name), property.value)
      }
      reapply(object, old, only: property.name, reanchors: false)
    }
  }

  private mutating func reapply(_ object: ObjectName, _ old: Shadow?, only property: SyncText?, reanchors: Bool) {
    for key in pending.keys(object) {
      guard let edit = pending.operation(key)?.edit else { continue }
      if let property, !edit.concerns(property) { continue }
      let anchored = reapply(edit, object, old, only: property)
      if reanchors, let anchored { pending.replace(key, with: anchored) }
    }
  }

  /// Does what a waiting operation does; the operation with other neighbours when it inserts into a list or moves there.
  mutating func reapply(
    _ edit: SyncEdit, _ object: ObjectName, _ old: Shadow?, only property: SyncText?
  ) -> SyncEdit? {
    if case .create(let properties) = edit {
      reapplyCreate(properties.filter { property == nil || $0.name == property }, object)
      return nil
    }
    guard store.contains(object) else { return nil }
    switch edit {
    case .delete:
      setShadow(object, nil)
      store.replace(object, with: nil)
    case .set(let path, let value): reassign(value, path, object)
    case .mapPut(let path, let key, let value):
      reassign(value, path.slot.appending(.key(key, in: path.incarnation)), object)
    case .add(let path, let delta): add(delta, path, object)
    case .listInsert, .listMove, .listRemove: return reapplyList(edit, object, old)
    default: reapplyCollection(edit, object)
    }
    return nil
  }

  private mutating func reapplyCreate(_ properties: [CreatedProperty], _ object: ObjectName) {
    guard store.contains(object) else {
      let values = properties.map { SyncProperty($0.name, $0.value) }
      let shadow = Shadow(values)
      setShadow(object, shadow.children.isEmpty ? nil : shadow)
      store.replace(object, with: values)
      return
    }
    for property in properties where property.rank == .explicit {
      reassign(property.value, SyncPath(property.name), object)
    }
  }

  private mutating func reassign(_ value: SyncValue, _ path: SyncPath, _ object: ObjectName) {
    withShadow(object) { shadow, store in
      _ = shadow.reach(path) { container, slot, local in
        container.children[slot] = Shadow(value)
        store.set(object, local, value)
        return true
      }
    }
  }

  private mutating func reapplyCollection(_ edit: SyncEdit, _ object: ObjectName) {
    guard let path = edit.collection else { return }
    withShadow(object) { shadow, store in
      _ = shadow.reach(path, edit.collectionKind) { collection, local in
        switch edit {
        case .setInsert(_, let value): store.setMember(value, isPresent: true, object, local)
        case .setRemove(_, let value): store.setMember(value, isPresent: false, object, local)
        case .mapRemove(_, let key):
          collection.children[.name(key)] = nil
          store.removeKey(key, object, local)
        case .setClear, .mapClear:
          collection.children = [:]
          store.removeAll(object, local)
        default: break
        }
        return true
      }
    }
  }

  private mutating func reapplyList(_ edit: SyncEdit, _ object: ObjectName, _ old: Shadow?) -> SyncEdit? {
    guard let path = edit.collection else { return nil }
    let oldTable = old?.table(at: path)
    return withShadow(object) { shadow, store in
      shadow.reach(path, .list) { list, local in
        switch edit {
        case .listInsert(_, let values, let first, let left, let right):
          guard !list.table.contains(position: first) else { return nil }
          list.table.insertAgain(first, first, UInt32(values.count), left: left, right: right, as: oldTable)
          list.adopt(values, first)
          guard let index = list.table.shownIndex(of: first) else { return nil }
          store.insert(values, at: index, object, local)
          let neighbours = list.table.neighbours(first, through: first.later(by: UInt32(values.count) - 1))
          return .listInsert(path, values, first: first, left: neighbours.left, right: neighbours.right)
        case .listMove(_, let element, let position, let left, let right):
          guard !list.table.contains(position: position), let from = list.table.shownIndex(of: element) else {
            return nil
          }
          list.table.insertAgain(position, element, 1, left: left, right: right, as: oldTable)
          list.table.addMove(of: element, to: position)
          if let to = list.table.shownIndex(of: element), to != from { store.move(from: from, to: to, object, local) }
          let neighbours = list.table.neighbours(position, through: position)
          return .listMove(path, element, position: position, left: neighbours.left, right: neighbours.right)
        case .listRemove(_, let runs):
          for run in runs {
            for id in run.ids where list.table.contains(element: id) {
              if let index = list.table.shownIndex(of: id) { store.remove(at: index, object, local) }
              list.table.hide(id)
            }
          }
          return nil
        default: return nil
        }
      }
    }
  }
}

extension SyncEdit {
  func concerns(_ property: SyncText) -> Bool {
    if case .create(let properties) = self { return properties.contains { $0.name == property } }
    return path?.property == property
  }
}

extension Shadow {
  /// The table of a list, also of one that is not shown.
  func table(at path: SyncCollectionPath) -> SideTable? {
    var current = children[.name(path.slot.property)]
    for step in path.slot.steps {
      guard let container = current, container.incarnation == step.container else { return nil }
      switch step {
      case .property(let name, _), .key(let name, _): current = container.children[.name(name)]
      case .element(let id, _): current = container.children[.element(id)]
      }
    }
    guard let current, current.incarnation == path.incarnation, current.kind == .list else { return nil }
    return current.table
  }
}

extension SideTable {
  /// Inserts waiting entries where they were in the table before a rebuild: next to the nearest entry before them that is still there, else the
  /// nearest one after them, else between the neighbours that their operation names. The order of waiting entries never changes.
  mutating func insertAgain(
    _ first: OperationID, _ element: OperationID, _ count: UInt32, left: OperationID?, right: OperationID?,
    as old: SideTable?
  ) {
    let present = entries
    let before = old?.entries.map(\.position) ?? []
    let start = before.firstIndex(of: first) ?? before.count
    let earlier = Set(before[..<start])
    let later = Set(before[start...])
    var index = index(after: before[..<start], before: before[start...], left, right, present.map(\.position))
    let low = present.lastIndex { !$0.isBase && earlier.contains($0.position) }.map { $0 + 1 } ?? 0
    let high = present.firstIndex { !$0.isBase && later.contains($0.position) } ?? present.count
    index = min(max(index, low), max(high, low))
    _ = insert(
      first, element: element, count: count, isBase: false, after: index == 0 ? nil : present[index - 1].position)
  }

  private func index(
    after earlier: ArraySlice<OperationID>, before later: ArraySlice<OperationID>, _ left: OperationID?,
    _ right: OperationID?, _ present: [OperationID]
  ) -> Int {
    let known = Set(present)
    if let neighbour = earlier.last(where: known.contains) { return present.firstIndex(of: neighbour)! + 1 }
    if let neighbour = later.first(where: known.contains) { return present.firstIndex(of: neighbour)! }
    if let left, let index = present.firstIndex(of: left) { return index + 1 }
    if let right, let index = present.firstIndex(of: right) { return index }
    return left == nil && right != nil ? 0 : present.count
  }

  /// The places next to entries.
  func neighbours(_ first: OperationID, through last: OperationID) -> (left: OperationID?, right: OperationID?) {
    let all = entries.map(\.position)
    guard let start = all.firstIndex(of: first), let end = all[start...].firstIndex(of: last) else { return (nil, nil) }
    return (start == 0 ? nil : all[start - 1], end + 1 == all.count ? nil : all[end + 1])
  }
}
