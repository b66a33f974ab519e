extension Container {
  /// Merges an edit of a slot or a collection somewhere below an object.
  mutating func merge(_ edit: SyncEdit, at path: SyncPath, _ context: inout MergeContext) -> OperationResult {
    entries[index(of: path.property)].slot.merge(edit, path.steps[...], above: context.floor, &context)
  }

  /// Takes one step from this container.
  mutating func merge(
    _ edit: SyncEdit, step: SyncPathStep, _ rest: ArraySlice<SyncPathStep>, _ context: inout MergeContext
  ) -> OperationResult {
    switch step {
    case .property(let name, _):
      guard kind == .object else { return .noop }
      return entries[index(of: name)].slot.merge(edit, rest, above: context.floor, &context)
    case .key(let key, _):
      guard kind == .map else { return .noop }
      let limit = limit(context.floor)
      let isAssignment = if case .set = edit { rest.isEmpty } else { false }
      let (index, isThere) = find(key)
      guard isAssignment || isThere && entries[index].slot.effective(above: limit)?.isAbsent == false else {
        return .noop
      }
      return entries[self.index(of: key)].slot.merge(edit, rest, above: limit, &context)
    case .element(let id, _):
      guard kind == .list, let element = list.element(id), list.isAlive(element, above: context.floor) else {
        return .noop
      }
      return list.elements[element].slot.merge(edit, rest, above: context.floor, &context)
    }
  }

  /// Merges an edit of this collection.
  mutating func merge(collection edit: SyncEdit, _ context: inout MergeContext) -> OperationResult {
    switch (kind, edit) {
    case (.set, .setInsert(let path, let value)): merge(value, isPresent: true, path, &context)
    case (.set, .setRemove(let path, let value)): merge(value, isPresent: false, path, &context)
    case (.set, .setClear(let path)): clearSet(path, &context)
    case (.map, .mapPut(let path, let key, let value)): merge(key, value, path, &context)
    case (.map, .mapRemove(let path, let key)): merge(key, nil, path, &context)
    case (.map, .mapClear(let path)): clearMap(path, &context)
    case (.list, .listInsert(let path, let values, let first, let left, let right)):
      insert(values, first: first, left: left, right: right, path, &context)
    case (.list, .listMove(let path, let element, let position, let left, let right)):
      move(element, position: position, left: left, right: right, path, &context)
    case (.list, .listRemove(let path, let runs)): remove(runs, path, &context)
    default: .noop
    }
  }
}

// Sets and maps.
extension Container {
  private mutating func merge(
    _ value: SyncValue, isPresent: Bool, _ path: SyncCollectionPath, _ context: inout MergeContext
  ) -> OperationResult {
    let value = value.asSetElement
    let limit = limit(context.floor)
    let index = members.firstIndex { $0.value == value }
    let wasPresent = index.map { members[$0].isPresent && members[$0].stamp > limit } ?? false
    guard context.stamp > limit, index.map({ members[$0].stamp < context.stamp }) ?? true else { return .echo }
    let member = Member(value: value, stamp: context.stamp, isPresent: isPresent)
    if let index { members[index] = member } else { members.append(member) }
    if wasPresent != isPresent {
      context.deltas.append(isPresent ? .setInsert(path, [value]) : .setRemove(path, [value]))
    }
    return .plain
  }

  private mutating func clearSet(_ path: SyncCollectionPath, _ context: inout MergeContext) -> OperationResult {
    let before = limit(context.floor)
    cleared = max(cleared, context.stamp)
    let after = limit(context.floor)
    let present = members.filter { $0.isPresent && $0.stamp > before }
    // In one order, however the members came to be where they are.
    let removed = present.filter { $0.stamp <= after }.map(\.value).sorted()
    if !removed.isEmpty { context.deltas.append(.setRemove(path, removed)) }
    members.removeAll { $0.stamp <= after }
    return members.contains(where: \.isPresent) ? .echo : .plain
  }

  private mutating func clearMap(_ path: SyncCollectionPath, _ context: inout MergeContext) -> OperationResult {
    let before = limit(context.floor)
    cleared = max(cleared, context.stamp)
    let after = limit(context.floor)
    let removed = entries.filter { $0.slot.image(above: before) != nil && $0.slot.image(above: after) == nil }
    if !removed.isEmpty { context.deltas.append(.mapRemove(path, removed.map(\.name))) }
    entries.removeAll { $0.slot.effective(above: after) == nil }
    return isEmpty(above: context.floor) ? .plain : .echo
  }

  private mutating func merge(
    _ key: SyncText, _ value: SyncValue?, _ path: SyncCollectionPath, _ context: inout MergeContext
  ) -> OperationResult {
    let limit = limit(context.floor)
    guard context.stamp > limit else { return .echo }
    let index = index(of: key)
    let wasThere = entries[index].slot.image(above: limit) != nil
    guard entries[index].slot.write(Written(context.stamp, value)) else { return .echo }
    if let shown = entries[index].slot.image(above: limit) {
      context.deltas.append(.mapPut(path, key, shown))
      return entries[index].slot.adds.isEmpty ? .plain : .echo
    }
    if wasThere { context.deltas.append(.mapRemove(path, [key])) }
    return .plain
  }
}

// Lists.
extension Container {
  private mutating func insert(
    _ values: [SyncValue], first: OperationID, left: OperationID?, right: OperationID?, _ path: SyncCollectionPath,
    _ context: inout MergeContext
  ) -> OperationResult {
    guard let run = OperationIDRun(first: first, count: UInt32(values.count)) else { return .noop }
    let place = list.place(left: left, right: right)
    if first.siteVersion == 0, run.ids.contains(where: { list.position($0) != nil }) {
      return insertMissing(zip(run.ids, values), at: place, path, &context)
    }
    let stamp = context.stamp
    let elements = zip(run.ids, values).lazy.map { ($0, MergeSlot(Written(stamp, $1))) }
    guard let firstNode = list.insert(elements, at: place, stamp: stamp), stamp > context.floor else { return .echo }
    let neighbour = list.shownBefore(firstNode, above: context.floor)
    context.deltas.append(.listInsert(path, values, first: first, left: neighbour))
    return neighbour == left ? .plain : .at(left: neighbour)
  }

  /// Inserts elements of a store from before synchronisation, some of which another device with the same store has inserted (MR-23).
  private mutating func insertMissing(
    _ elements: some Sequence<(OperationID, SyncValue)>, at place: ListTree.Place, _ path: SyncCollectionPath,
    _ context: inout MergeContext
  ) -> OperationResult {
    var place = place
    for (id, value) in elements {
      let known = list.position(id)
      let node =
        known ?? list.insert(id, at: place, stamp: context.stamp, slot: MergeSlot(Written(context.stamp, value)))
      place = ListTree.Place(parent: node, side: .right)
      guard known == nil, context.stamp > context.floor else { continue }
      let left = list.shownBefore(node, above: context.floor)
      context.deltas.append(.listInsert(path, [value], first: id, left: left))
    }
    return .echo
  }

  private mutating func move(
    _ element: OperationID, position: OperationID, left: OperationID?, right: OperationID?,
    _ path: SyncCollectionPath, _ context: inout MergeContext
  ) -> OperationResult {
    guard let index = list.element(element) else { return .noop }
    let place = list.place(left: left, right: right)
    let node = list.addPosition(position, at: place, stamp: context.stamp, element: Int32(index))
    guard list.isAlive(index, above: context.floor) else { return .noop }
    guard context.stamp > list.elements[index].placed else { return .lost }
    list.elements[index].place = node
    list.elements[index].placed = context.stamp
    let neighbour = list.shownBefore(node, above: context.floor)
    context.deltas.append(.listMove(path, element, position: position, left: neighbour))
    return neighbour == left ? .plain : .at(left: neighbour)
  }

  private mutating func remove(
    _ runs: [OperationIDRun], _ path: SyncCollectionPath, _ context: inout MergeContext
  ) -> OperationResult {
    var removed: [OperationID] = []
    for index in list.indices(of: runs) {
      if list.isAlive(index, above: context.floor) { removed.append(list.elementIDs[index]) }
      list.elements[index].isDead = true
      // What it held cannot be seen again.
      list.elements[index].slot = MergeSlot()
    }
    // Which order elements have in memory depends on how they came there.
    if !removed.isEmpty { context.deltas.append(.listRemove(path, OperationIDRun.runs(of: removed.sorted()))) }
    return .plain
  }
}

extension MergeSlot {
  /// Takes the next step from what the slot holds, or merges the edit here.
  mutating func merge(
    _ edit: SyncEdit, _ rest: ArraySlice<SyncPathStep>, above floor: Stamp, _ context: inout MergeContext
  ) -> OperationResult {
    if let step = rest.first {
      return within(step.container, declaredAs: step.kind, above: floor) {
        $0.merge(edit, step: step, rest.dropFirst(), &context)
      }
    }
    if let collection = edit.collection {
      return within(collection.incarnation, declaredAs: edit.collectionKind, above: floor) {
        $0.merge(collection: edit, &context)
      }
    }
    guard fixed.isEmpty else { return .noop }
    switch edit {
    case .set(let path, let value): return assign(value, path, above: floor, &context)
    case .add(let path, let delta): return add(delta, path, above: floor, &context)
    default: return .noop
    }
  }

  private mutating func within(
    _ incarnation: OperationID, declaredAs kind: Container.Kind, above floor: Stamp,
    _ body: (inout Container) -> OperationResult
  ) -> OperationResult {
    if incarnation == .root {
      guard explicit == nil, lower.isEmpty else { return .noop }
      if fixed.isEmpty { fixed = [Container(kind, .root)] }
      return body(&fixed[0])
    }
    guard let written = explicit, written.stamp > floor, written.contents.first?.incarnation == incarnation else {
      return .noop
    }
    return body(&explicit!.contents[0])
  }

  private mutating func assign(
    _ value: SyncValue, _ path: SyncPath, above floor: Stamp, _ context: inout MergeContext
  ) -> OperationResult {
    guard context.stamp > floor else { return .echo }
    let before = adds.isEmpty ? nil : total(above: floor)
    guard write(Written(context.stamp, value)) else {
      // A newer creation gives the value, without what was added before the assignment.
      if let before, let total = total(above: floor), total != before { context.deltas.append(.set(path, total)) }
      return .echo
    }
    context.deltas.append(.set(path, image(above: floor) ?? .null))
    // Adds that are newer than the value count on top of it.
    return adds.isEmpty ? .plain : .echo
  }

  private mutating func add(
    _ delta: SyncDelta, _ path: SyncPath, above floor: Stamp, _ context: inout MergeContext
  ) -> OperationResult {
    guard counts(context.stamp, above: floor) else { return .echo }
    let shown = total(above: floor)
    add(Add(stamp: context.stamp, delta: delta))
    guard let expected = shown?.adding(delta), let total = total(above: floor) else { return .echo }
    context.deltas.append(.set(path, total))
    // The author adds to what it shows; sums of decimals in another order may be rounded to another one.
    return total == expected ? .plain : .echo
  }
}

extension SyncEdit {
  /// The kind that the collection must have that the edit changes.
  var collectionKind: Container.Kind {
    switch self {
    case .setInsert, .setRemove, .setClear: .set
    case .mapPut, .mapRemove, .mapClear: .map
    case .listInsert, .listMove, .listRemove: .list
    case .create, .delete, .set, .add: .object
    }
  }
}

extension SyncPathStep {
  /// The kind that the container must have that the step goes into.
  var kind: Container.Kind {
    switch self {
    case .element: .list
    case .key: .map
    case .property: .object
    }
  }
}
