import LarderStorage

/// Brings the keys of an observed query from one version of the store to a later one.
///
/// The work follows the size of the change: only objects that the change names, or that reach them through links the
/// query or the scope follows, are looked at. The query runs again only when the log does not tell enough, or when that
/// is reckoned to take less.
struct QueryProgress {
  let query: any ObservedQuery
  let scope: ModificationScope
  let older: any StoreReader
  let newer: any StoreReader
  let summary: ChangeSummary
  /// The number of objects that may be looked at before `LinkWalker.TooMany` is thrown; nil for as many as it takes.
  var effort: Int?
  /// The way of following a change that the log tells; nil for the one that is estimated to take less.
  var way: Way?

  enum Way {
    /// Each object that changed is looked for among the keys.
    case objectByObject
    /// The query runs again.
    case again
  }

  /// The new keys and what changed.
  func advance(_ old: KeySequence) throws -> (keys: KeySequence, changes: CollectionChangeSet) {
    let modified = try modifiedKeys()
    guard let changed = try changedElements() else { return try rerun(old, touched: nil, modified: modified) }
    let affected = changed.affected
    let sorting = query.step(from: older.version, to: newer.version, changed: affected)
    if affected.isEmpty, modified?.isEmpty == true { return (old, CollectionChangeSet()) }
    guard let modified, query.dependencies != nil, try !runsAgain(old, max(affected.count, modified.count)) else {
      return try rerun(old, touched: query.dependencies == nil ? nil : affected, modified: modified)
    }
    return try step(old, changed, modified: modified, sorting)
      ?? rerun(old, touched: nil, modified: modified)
  }

  /// Returns true if running the query again takes less than looking at so many objects.
  private func runsAgain(_ old: KeySequence, _ changed: Int) throws -> Bool {
    if let effort { return changed > effort }
    switch way {
    case .objectByObject: return false
    case .again: return true
    case nil:
      if changed <= FollowCost.alwaysFollowed { return false }
      return FollowCost.following(changed, isSorted: query.order == .sorted)
        > FollowCost.rerun(
          objects: try newer.count(of: query.classID), results: old.count, isSorted: query.order == .sorted)
    }
  }

  /// Objects of the query's class that a step looks at.
  private struct ChangedElements {
    /// May have been added, deleted or moved.
    var affected: KeyRanges
    /// Of these, the ones that may have been added or deleted.
    var deciding: KeyRanges
  }

  /// Nil when it is not known.
  private func changedElements() throws -> ChangedElements? {
    guard summary.isComplete, !summary.isUnknown(query.classID) else { return nil }
    let own = summary[query.classID]
    guard let paths = query.dependencies else {
      guard !query.classes.contains(where: { summary[$0] != nil }) else { return nil }
      return ChangedElements(affected: KeyRanges(), deciding: KeyRanges())
    }
    let deciding = Set(query.membership)
    let created = (own?.inserted ?? KeyRanges()).union(own?.deleted ?? KeyRanges())
    var result = ChangedElements(affected: created, deciding: created)
    let walker = LinkWalker(summary: summary, reader: newer, older: older, effort: effort)
    do {
      for path in paths {
        let reached = try walker.reaching(path)
        result.affected = result.affected.union(reached)
        if deciding.contains(path) { result.deciding = result.deciding.union(reached) }
      }
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
    _ old: KeySequence, _ changed: ChangedElements, modified: KeyRanges, _ sorting: SortStep?
  ) throws -> (KeySequence, CollectionChangeSet)? {
    var touched = TouchedElements()
    var removed: [Int] = []
    var oldPositions: [ObjectKey: Int] = [:]
    var present: [ObjectKey] = []
    for key in changed.affected.keys {
      let position = try self.position(of: key, in: old, sorting)
      if let position {
        oldPositions[key] = position
        removed.append(position)
      } else if try older.contains(query.classID, key), try query.matches(key, in: older) {
        return nil
      }
      if try isPresent(key, was: position != nil, changed) { present.append(key) }
    }
    for key in modified.keys {
      if let position = try oldPositions[key] ?? self.position(of: key, in: old, sorting) {
        touched.modified.insert(position)
      }
    }
    removed.sort()
    var insertions: [KeySequence.Insertion] = []
    for (ordinal, (key, precedence)) in try precedences(over: present, sorting).enumerated() {
      let place = try old.partition(leavingOut: removed, word: precedence.word, precedence.isAfter)
      insertions.append(KeySequence.Insertion(position: place, key: key, word: precedence.word))
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

  /// Returns true if an object is an element now.
  private func isPresent(_ key: ObjectKey, was: Bool, _ changed: ChangedElements) throws -> Bool {
    guard changed.deciding.contains(key) else { return was }
    return try newer.contains(query.classID, key) && query.matches(key, in: newer)
  }

  private func position(of key: ObjectKey, in sequence: KeySequence, _ sorting: SortStep?) throws -> Int? {
    guard try query.order == .byKey || older.contains(query.classID, key) else { return nil }
    let precedence = try precedence(over: key, in: older, sorting)
    let position = try sequence.partition(word: precedence.word) { other, isAnchor in
      try other != key && precedence.isAfter(other, isAnchor)
    }
    return position < sequence.count && sequence[position] == key ? position : nil
  }

  /// Returns the comparison of others with a key.
  private func precedence(over key: ObjectKey, in reader: any StoreReader, _ sorting: SortStep?) throws -> Precedence {
    if query.order == .byKey { return Precedence { other, _ in other < key } }
    return try query.precedence(over: key, in: reader, during: sorting)
  }

  /// The same for keys that are to be among the new ones, in their order.
  private func precedences(
    over keys: [ObjectKey], _ sorting: SortStep?
  ) throws -> [(key: ObjectKey, precedence: Precedence)] {
    if query.order == .byKey { return try keys.map { ($0, try precedence(over: $0, in: newer, sorting)) } }
    return try query.precedences(over: keys, in: newer, during: sorting)
  }

  // MARK: - All at once

  /// Runs the query again and compares.
  ///
  /// - Parameter touched: The objects that may have been added, deleted or moved; nil for all.
  private func rerun(
    _ old: KeySequence, touched: KeyRanges?, modified: KeyRanges?
  ) throws -> (KeySequence, CollectionChangeSet) {
    if effort != nil { throw LinkWalker.TooMany() }
    let new = try query.sequence(newer)
    try query.learn(new, in: newer)
    let changes = CollectionComparison(touched: touched, modified: modified).compare(old, new)
    return (new, changes)
  }
}
