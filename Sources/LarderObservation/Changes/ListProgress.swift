import LarderStorage

/// Brings an observed list, set or map from one version of the store to a later one, from the edits in the log.
struct ListProgress {
  let list: ObservedList
  let scope: ModificationScope
  let older: any StoreReader
  let newer: any StoreReader
  let summary: ChangeSummary

  /// Returns the new count and the changes; nil in place of the new count when the owner is deleted (N-20).
  func advance(count: Int) throws -> (count: Int?, changes: CollectionChangeSet) {
    guard let newCount = try list.count(in: newer) else {
      return (nil, CollectionChangeSet(deletions: Array(0..<count)))
    }
    if let changes = try shownChanges() { return (newCount, changes) }
    var fold = ListEditComposer(count: count)
    guard !summary.isUnknown(list.owner.classID), let edits = try edits(), edits.allSatisfy({ fold.apply($0) }),
      fold.count == newCount
    else {
      if let changes = try comparison() { return (newCount, try withModifiedInside(changes)) }
      return (
        newCount, CollectionChangeSet(deletions: Array(0..<count), insertions: Array(0..<newCount))
      )
    }
    return (newCount, fold.changeSet(modified: try modifiedPositions()))
  }

  /// Returns the changes of a list or set with links to objects that were or are not here: edits count these. Nil where there were and are none.
  private func shownChanges() throws -> CollectionChangeSet? {
    let (before, after) = (try list.shown(in: older), try list.shown(in: newer))
    guard before != nil || after != nil else { return nil }
    let old = try before?.map(\.value) ?? list.values(in: older) ?? []
    let new = try after?.map(\.value) ?? list.values(in: newer) ?? []
    var changes = CollectionComparison.compare(old, new)
    let modified = Set(try modifiedPositions())
    let positions =
      before.map { before in
        before.indices.filter { modified.contains(before[$0].place) }
      } ?? modified.sorted()
    changes.modifications = Set(changes.modifications).union(positions).subtracting(changes.deletions).sorted()
    return changes
  }

  /// Returns the differences within a value of any type, which has no edits in the log: those of a dictionary by its keys.
  private func comparison() throws -> CollectionChangeSet? {
    guard let nested = list.nested else { return nil }
    switch (try nested.find(list, in: older)?.value, try nested.find(list, in: newer)?.value) {
    case (.list(let old), .list(let new)): return CollectionComparison.compare(Array(old), Array(new))
    case (.dictionary(let old), .dictionary(let new)): return CollectionComparison.compare(old, new)
    default: return nil
    }
  }

  /// The same, with the elements whose linked objects were modified.
  private func withModifiedInside(_ changes: CollectionChangeSet) throws -> CollectionChangeSet {
    let gone = Set(changes.deletions)
    let inside = try modifiedPositions().filter { !gone.contains($0) }
    var result = changes
    result.modifications = Set(changes.modifications).union(inside).sorted()
    return result
  }

  /// Returns the edits of the list, one after another; nil when the log does not tell.
  private func edits() throws -> [ListEdit]? {
    let own = summary[list.owner.classID]
    let identity = ChangeSummary.ListID(column: list.column, key: list.owner.key)
    guard let nested = list.nested else { return own?.lists[identity] ?? [] }
    let all = own?.nested[identity] ?? []
    guard let before = try nested.find(list, in: older), try nested.find(list, in: newer)?.path == before.path,
      // Each edit says where the collection was then; edits around it may have moved it.
      !all.contains(where: { $0.path.count < before.path.count && before.path.starts(with: $0.path) }),
      own?.lists[identity]?.allSatisfy(\.isNested) ?? true
    else { return nil }
    return NestedEditReplay(before).edits(all)
  }

  /// Old positions of values of any type that link to objects which were modified inside.
  private func modifiedMixedPositions() throws -> [Int] {
    guard case .deep(let hops) = scope, !summary.classes.isEmpty || !summary.isComplete else { return [] }
    guard let values = try list.values(in: older) else { return [] }
    let walker = LinkWalker(summary: summary, reader: newer, older: older)
    var reached: [ClassID: KeyRanges?] = [:]
    func isModified(_ link: ObjectLink) throws -> Bool {
      if let known = reached[link.classID] { return known?.contains(link.key) ?? true }
      let keys: KeyRanges?
      do { keys = try walker.reaching(link.classID, hops: hops) } catch is LinkWalker.Unknown { keys = nil }
      reached[link.classID] = .some(keys)
      return keys?.contains(link.key) ?? true
    }
    var result: [Int] = []
    for (position, value) in values.enumerated() {
      var links: [ObjectLink] = []
      value.forEachLink { links.append($0) }
      if try links.contains(where: isModified) { result.append(position) }
    }
    return result
  }

  /// Old positions of linked objects that were modified inside.
  private func modifiedPositions() throws -> [Int] {
    let descriptor = newer.schema[list.owner.classID]?.column(list.column)
    if descriptor?.type == .mixed { return try modifiedMixedPositions() }
    guard let target = descriptor?.target else { return [] }
    let walker = LinkWalker(summary: summary, reader: newer, older: older)
    var modified: KeyRanges? = KeyRanges()
    do {
      switch scope {
      case .membership: break
      case .deep(let hops): modified = try walker.reaching(target, hops: hops)
      case .paths(let paths):
        modified = try paths.reduce(KeyRanges()) { $0.union(try walker.reaching($1)) }
      case .deepOrPaths(let hops, let paths):
        modified = try paths.reduce(try walker.reaching(target, hops: hops)) { $0.union(try walker.reaching($1)) }
      }
    } catch is LinkWalker.Unknown {
      modified = nil
    }
    if modified?.isEmpty == true { return [] }
    return try positions { key in modified?.contains(key) ?? true }
  }

  private func positions(where isModified: (ObjectKey) -> Bool) throws -> [Int] {
    var result: [Int] = []
    try older.elements(list.owner.classID, list.column, list.owner.key).forEachChunk { first, leaf in
      for slot in 0..<leaf.count {
        if let key = leaf.link(slot), isModified(key) { result.append(first + slot) }
      }
      return true
    }
    return result
  }
}
