import LarderStorage

/// Brings the keys of an observed query from one version of the store to a later one.
///
/// The work follows the size of the change: only objects that the change names, or that reach them through links the
/// query or the scope follows, are looked at. The query runs again only when the log does not tell enough or names too
/// many.
struct QueryProgress {
  let query: any ObservedQuery
  let scope: ModificationScope
  let older: any StoreReader
  let newer: any StoreReader
  let summary: ChangeSummary
  /// How many objects may be looked at before `LinkWalker.TooMany` is thrown; nil for as many as it takes.
  var effort: Int?

  /// The new keys and what changed.
  func advance(_ old: KeySequence) throws -> (keys: KeySequence, changes: CollectionChangeSet) {
    let modified = try modifiedKeys()
    guard let affected = try affectedKeys() else { return try rerun(old, touched: nil, modified: modified) }
    let sorting = query.step(from: older.version, to: newer.version, changed: affected)
    if affected.isEmpty, modified?.isEmpty == true { return (old, CollectionChangeSet()) }
    let limit = effort ?? max(256, old.count / 64)
    if affected.count > limit || (modified?.count ?? .max) > limit || query.dependencies == nil {
      return try rerun(old, touched: query.dependencies == nil ? nil : affected, modified: modified)
    }
    return try step(old, affected: affected, modified: modified ?? KeyRanges(), sorting)
      ?? rerun(old, touched: nil, modified: modified)
  }

  /// Objects that may have been added, deleted or moved; nil when this is not known.
  private func affectedKeys() throws -> KeyRanges? {
    guard summary.isComplete, !summary.isUnknown(query.classID) else { return nil }
    let own = summary[query.classID]
    guard let paths = query.dependencies else {
      return query.classes.contains(where: { summary[$0] != nil }) ? nil : KeyRanges()
    }
    var result = (own?.inserted ?? KeyRanges()).union(own?.deleted ?? KeyRanges())
    let walker = LinkWalker(summary: summary, reader: newer, older: older, effort: effort)
    do {
      for path in paths { result = result.union(try walker.reaching(path)) }
    } catch is LinkWalker.Unknown {
      return nil
    }
    return result
  }

  /// Objects that count as modified; nil when all may be.
  private func modifiedKeys() throws -> KeyRanges? {
    let walker = LinkWalker(summary: summary, reader: newer, older: older, effort: effort)
    do {
      switch scope {
      case .membership: return KeyRanges()
      case .deep(let hops): return try walker.reaching(query.classID, hops: hops)
      case .paths(let paths): return try paths.reduce(KeyRanges()) { $0.union(try walker.reaching($1)) }
      case .deepOrPaths(let hops, let paths):
        return try paths.reduce(try walker.reaching(query.classID, hops: hops)) { $0.union(try walker.reaching($1)) }
      }
    } catch is LinkWalker.Unknown {
      return nil
    }
  }

  // MARK: - One object at a time

  /// Nil when an old position cannot be found, because the order is not what it should be.
  private func step(
    _ old: KeySequence, affected: KeyRanges, modified: KeyRanges, _ sorting: SortStep?
  ) throws -> (KeySequence, CollectionChangeSet)? {
    var touched = TouchedElements()
    var removed: [Int] = []
    var oldPositions: [ObjectKey: Int] = [:]
    var present: [ObjectKey] = []
    for key in affected.keys {
      if let position = try self.position(of: key, in: old, sorting) {
        oldPositions[key] = position
        removed.append(position)
      } else if try older.contains(query.classID, key), try query.matches(key, in: older) {
        return nil
      }
      if try newer.contains(query.classID, key), try query.matches(key, in: newer) { present.append(key) }
    }
    for key in modified.keys {
      if let position = try oldPositions[key] ?? self.position(of: key, in: old, sorting) {
        touched.modified.insert(position)
      }
    }
    removed.sort()
    if query.order == .sorted { try present.sort { try query.precedes($0, $1, in: newer) } }
    var insertions: [KeySequence.Insertion] = []
    for (ordinal, key) in present.enumerated() {
      let place = try old.partition(leavingOut: removed, try precedence(over: key, in: newer, sorting))
      insertions.append(KeySequence.Insertion(position: place, key: key))
      let new = place - firstEnd(removed, after: place - 1) + ordinal
      if let position = oldPositions.removeValue(forKey: key) {
        touched.common.append(MoveFinder.Element(old: position, new: new))
      } else {
        touched.came.append(new)
      }
    }
    touched.gone = Array(oldPositions.values)
    return (old.applying(removals: removed, insertions: insertions), touched.changeSet())
  }

  private func position(of key: ObjectKey, in sequence: KeySequence, _ sorting: SortStep?) throws -> Int? {
    guard try query.order == .byKey || older.contains(query.classID, key) else { return nil }
    let position = try sequence.partition(try precedence(over: key, in: older, sorting))
    return position < sequence.count && sequence[position] == key ? position : nil
  }

  /// Whether others come before a key.
  private func precedence(
    over key: ObjectKey, in reader: any StoreReader, _ sorting: SortStep?
  ) throws -> (ObjectKey, _ isAnchor: Bool) throws -> Bool {
    if query.order == .byKey { return { other, _ in other < key } }
    let precedes = try query.precedence(over: key, in: reader, during: sorting)
    return { other, isAnchor in try other != key && precedes(other, isAnchor) }
  }

  // MARK: - All at once

  /// Runs the query again and compares.
  ///
  /// - Parameter touched: The objects that may have been added, deleted or moved; nil for all.
  private func rerun(
    _ old: KeySequence, touched: KeyRanges?, modified: KeyRanges?
  ) throws -> (KeySequence, CollectionChangeSet) {
    if effort != nil { throw LinkWalker.TooMany() }
    let new = KeySequence(try query.evaluate(newer))
    try query.learn(new, in: newer)
    let changes = CollectionComparison(touched: touched, modified: modified).compare(old, new)
    return (new, changes)
  }
}
