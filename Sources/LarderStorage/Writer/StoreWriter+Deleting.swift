import LarderLMDB

/// Deleting objects, and what follows from it.
extension StoreWriter {
  /// Deletes an object: links to it become nil, list entries go, its embedded objects are deleted with it.
  ///
  /// - Throws: `.noSuchObject`.
  package func delete(_ classID: ClassID, _ key: ObjectKey) throws {
    guard try deleteIfPresent(classID, key) else { throw missing(classID, key) }
  }

  /// Deletes an object as `delete(_:_:)` does; false, with nothing done, when there is none.
  package func deleteIfPresent(_ classID: ClassID, _ key: ObjectKey) throws -> Bool {
    let owner = try classWriter(classID)
    if owner.incoming.isEmpty { return try deleteRow(owner, key, derived: false) }
    guard try contains(classID, key) else { return false }
    try delete(classID, keys: CollectionOfOne(key))
    return true
  }

  /// Deletes several objects; links to them are looked up in one go.
  ///
  /// - Throws: `.noSuchObject` before anything changed when one of them is missing.
  package func delete(_ classID: ClassID, keys: some Collection<ObjectKey>) throws {
    let owner = try classWriter(classID)
    for key in keys where !(try contains(classID, key)) { throw missing(classID, key) }
    try unlink(owner, keys)
    for key in keys { try deleteRow(owner, key, derived: false) }
  }

  /// Deletes every object of a class.
  package func deleteAll(_ classID: ClassID) throws {
    let owner = try classWriter(classID)
    var keys: [ObjectKey] = []
    for number in try liveClusters(of: classID) {
      guard let presence = try presence(classID, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        keys.append(ObjectKey(rawValue: UInt64(number * clusterSize + slot)))
      }
    }
    try unlink(owner, keys)
    for key in keys { try deleteRow(owner, key, derived: false) }
  }

  /// Takes away the links to objects that are about to go.
  private func unlink(_ owner: ClassWriter, _ keys: some Collection<ObjectKey>) throws {
    for (originID, column) in owner.incoming {
      let origin = try classWriter(originID)
      guard origin.count > 0 else { continue }
      // Links that were taken away since may still be listed; to find all of those that were set, all must be written.
      // Objects that are deleted one after the other would otherwise be written out one after the other.
      if origin.hasNewLinks { try flush() }
      // All look-ups first: each change of a link might make the next look-up write the backlinks out.
      let links = try keys.map { key in
        let target = ObjectLink(classID: owner.descriptor.id, key: key)
        return (target: key, origins: try storedBacklinks(to: target, from: originID, column.id))
      }
      try unlink(origin, column, links, of: owner.descriptor.id)
    }
  }

  /// Takes the links away, looking through what an object's column holds once, however many of its links go.
  private func unlink(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ links: [(target: ObjectKey, origins: [ObjectKey])],
    of classID: ClassID
  ) throws {
    var targets: [ObjectKey: (keys: Set<ObjectKey>, count: Int)] = [:]
    for link in links {
      for originKey in link.origins {
        targets[originKey, default: ([], 0)].keys.insert(link.target)
        targets[originKey]?.count += 1
      }
    }
    for (originKey, wanted) in targets.sorted(by: { $0.key < $1.key })
    where try contains(origin.descriptor.id, originKey) {
      try unlink(origin, column, originKey, from: wanted.keys, of: classID, atMost: wanted.count)
    }
  }

  /// Takes away the links of one object's column to some objects, if there are any.
  ///
  /// - Parameter limit: How often a list or map links to them, as far as is known; it may do so less often.
  private func unlink(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, from targets: Set<ObjectKey>,
    of classID: ClassID, atMost limit: Int
  ) throws {
    let id = origin.descriptor.id
    if column.type == .mixed { return try unlinkMixed(origin, column, key, from: targets, of: classID) }
    switch column.collection {
    case .none:
      guard case .link(let target) = try value(id, column.id, key), targets.contains(target) else { return }
      try store(.null, origin, column, key)
      recorder.modified(id, column.id, key, derived: true)
    case .list: try unlinkList(origin, column, key, from: LinkTargets(targets, of: classID), atMost: limit)
    case .set:
      _ = try remove(targets.map { .link($0) }, from: open(origin, column.id, key, .set), origin, derived: true)
    case .map: try unlinkMap(origin, column, key, from: LinkTargets(targets, of: classID), atMost: limit)
    }
  }

  private func unlinkList(
    _ origin: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey, from targets: LinkTargets, atMost limit: Int
  ) throws {
    let list = try open(origin, column.id, key)
    // Removed from the end on, so that the others keep their positions.
    var positions = try list.editor.positions(of: targets, limit: limit)[...]
    while let last = positions.popLast() {
      var start = last
      while positions.last == start - 1, let position = positions.popLast() { start = position }
      try remove(start..<last + 1, list, origin, derived: true, deletingEmbedded: false)
    }
  }

  /// Removes a row with everything it owns; links to it must be gone or be going with their owner. False when it is gone: an
  /// object may be reached twice, listed for deletion and owned by one that is.
  @discardableResult
  func deleteRow(_ owner: ClassWriter, _ key: ObjectKey, derived: Bool) throws -> Bool {
    let id = owner.descriptor.id
    let (number, slot) = locate(key)
    guard key.rawValue < owner.nextKey, try cluster(owner, number).presence[slot] else { return false }
    for column in owner.owning where column.collection == .none {
      if case .link(let child) = try value(id, column.id, key), let target = column.target {
        try deleteRow(try classWriter(target), child, derived: true)
      }
    }
    for column in owner.collectionColumns { try dropCollection(owner, column, key) }
    var primaryKey: StoredValue?
    let cluster = try self.cluster(owner, number)
    if let column = owner.integerKey {
      let number = try integerKey(owner, column, cluster, slot)
      owner.primaryKeys.remove(number, key)
      if recorder.needsPrimaryKeys { primaryKey = .int(number) }
    } else if let column = owner.keyColumn {
      let value = try self.value(id, column.id, key)
      owner.primaryKeys.remove(value, key)
      primaryKey = value
    }
    let known = recorder.needsPrimaryKeys ? try knownKey(id, key, now: primaryKey) : nil
    clearRow(owner, cluster, slot, key, primaryKey: known, derived: derived)
    return true
  }

  /// Takes an object's presence away; what it holds must be gone.
  func clearRow(
    _ owner: ClassWriter, _ cluster: DirtyCluster, _ slot: Int, _ key: ObjectKey, primaryKey: StoredValue?,
    derived: Bool
  ) {
    cluster.presence.clear(slot)
    cluster.presenceWillChange(slot)
    owner.count -= 1
    owner.isDirty = true
    recorder.deleted(owner.descriptor.id, key, primaryKey: primaryKey, derived: derived)
  }

  /// The primary key under which who follows the log knows an object: in a migration the one that it had before, which may be of
  /// another property and type.
  func knownKey(_ classID: ClassID, _ key: ObjectKey, now: StoredValue?) throws -> StoredValue? {
    guard migrating != nil else { return now }
    guard let column = base.schema[classID]?.primaryKey, key < base.nextObjectKey(of: classID) else { return nil }
    return try base.value(classID, column.id, key)
  }

  /// The integer primary key in a slot, through the leaf that the cluster keeps at hand.
  private func integerKey(
    _ owner: ClassWriter, _ column: ColumnID, _ cluster: DirtyCluster, _ slot: Int
  ) throws -> Int64 {
    let number = Int(column.rawValue)
    if number < cluster.columns.count, let decoded = cluster.columns[number] {
      return slot < decoded.buffer.count ? decoded.buffer.int(slot) : 0
    }
    if let kept = cluster.storedLeaf(column) { return slot < kept.count ? kept.int(slot) : 0 }
    guard let leaf = try storedLeaf(owner, column, cluster: cluster.number), slot < leaf.count else { return 0 }
    // A leaf in LMDB's dirty pages may move with the next write; one of the base version stays.
    if !owner.written.contains(cluster.number) { cluster.keep(leaf, column) }
    return leaf.int(slot)
  }

  private func dropCollection(_ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey) throws {
    let list = try open(owner, column.id, key, column.collection)
    guard list.editor.count > 0 else { return }
    let children = try dropLinks(0..<list.editor.count, list, owner)
    register(list)
    try list.editor.clear()
    if column.collection == .map {
      let keys = try open(owner, column.id, key, .map, keys: true)
      register(keys)
      try keys.editor.clear()
    }
    try deleteEmbedded(children, column)
  }
}
