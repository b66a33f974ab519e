/// Deleting objects with everything that they own.
struct RowDeletion {
  let writer: StoreWriter

  /// Deletes an object as `delete(_:_:)` does; false, with nothing done, when there is none.
  func deleteIfPresent(_ classID: ClassID, _ key: ObjectKey) throws -> Bool {
    let owner = try writer.classWriter(classID)
    if owner.shape.incoming.isEmpty { return try deleteRow(owner, key, derived: false) }
    guard try writer.contains(classID, key) else { return false }
    try delete(classID, keys: CollectionOfOne(key))
    return true
  }

  /// Deletes several objects; links to them are looked up in one go.
  ///
  /// - Throws: `.noSuchObject` before anything changed when one of them is missing.
  func delete(_ classID: ClassID, keys: some Collection<ObjectKey>) throws {
    let owner = try writer.classWriter(classID)
    for key in keys where !(try writer.contains(classID, key)) { throw writer.missing(classID, key) }
    try release(owner, keys)
    for key in keys { try deleteRow(owner, key, derived: false) }
  }

  /// Deletes every object of a class.
  func deleteAll(_ classID: ClassID) throws {
    let owner = try writer.classWriter(classID)
    var keys: [ObjectKey] = []
    for number in try writer.liveClusters(of: classID) {
      guard let presence = try writer.presence(classID, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        keys.append(ObjectKey(rawValue: UInt64(number * writer.clusterSize + slot)))
      }
    }
    try release(owner, keys)
    for key in keys { try deleteRow(owner, key, derived: false) }
  }

  /// Sees to the links to objects that are about to go.
  private func release(_ owner: ClassWriter, _ keys: some Collection<ObjectKey>) throws {
    let ghosts = GhostKeeping(writer: writer)
    if ghosts.keepsLinks(to: owner) {
      try ghosts.keep(owner, keys)
    } else {
      try writer.links.unlink(owner, keys)
    }
  }

  /// Removes a row with everything it owns; links to it must be removed or be deleted with their owner. False when it is deleted: an
  /// object may be reached twice, listed for deletion and owned by one that is.
  @discardableResult
  func deleteRow(_ owner: ClassWriter, _ key: ObjectKey, derived: Bool) throws -> Bool {
    let id = owner.descriptor.id
    let (number, slot) = writer.locate(key)
    guard key.rawValue < owner.nextKey, try writer.cluster(owner, number).presence[slot] else { return false }
    for column in owner.shape.owning where column.collection == .none {
      if case .link(let child) = try writer.value(id, column.id, key), let target = column.target {
        try deleteRow(try writer.classWriter(target), child, derived: true)
      }
    }
    for column in owner.shape.collectionColumns { try dropCollection(owner, column, key) }
    var primaryKey: StoredValue?
    let cluster = try writer.cluster(owner, number)
    if let column = owner.shape.integerKey {
      let number = try integerKey(owner, column, cluster, slot)
      owner.primaryKeys.remove(number, key)
      if writer.recorder.needsPrimaryKeys { primaryKey = .int(number) }
    } else if let column = owner.shape.keyColumn {
      let value = try writer.value(id, column.id, key)
      owner.primaryKeys.remove(value, key)
      primaryKey = value
    }
    let known = writer.recorder.needsPrimaryKeys ? try knownKey(id, key, now: primaryKey) : nil
    clearRow(owner, cluster, slot, key, primaryKey: known, derived: derived)
    return true
  }

  /// Takes an object's presence away; what it holds must be deleted.
  func clearRow(
    _ owner: ClassWriter, _ cluster: DirtyCluster, _ slot: Int, _ key: ObjectKey, primaryKey: StoredValue?,
    derived: Bool
  ) {
    cluster.presence.clear(slot)
    cluster.presenceWillChange(slot)
    // The counter of a file that was made to mislead may be too low.
    owner.count -= owner.count > 0 ? 1 : 0
    owner.isDirty = true
    writer.recorder.deleted(owner.descriptor.id, key, primaryKey: primaryKey, derived: derived)
  }

  func deleteEmbedded(_ keys: [ObjectKey], _ column: ColumnDescriptor) throws {
    guard let target = column.target, try writer.classWriter(target).descriptor.isEmbedded else { return }
    for key in keys { try deleteRow(try writer.classWriter(target), key, derived: true) }
  }

  /// The primary key under which who follows the log knows an object: in a migration the one that it had before, which may be of
  /// another property and type.
  func knownKey(_ classID: ClassID, _ key: ObjectKey, now: StoredValue?) throws -> StoredValue? {
    guard writer.schemaState.migrating != nil else { return now }
    guard let column = writer.base.schema[classID]?.primaryKey, key < writer.base.nextObjectKey(of: classID) else {
      return nil
    }
    return try writer.base.value(classID, column.id, key)
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
    guard let leaf = try writer.storedLeaf(owner, column, cluster: cluster.number), slot < leaf.count else { return 0 }
    // A leaf in LMDB's dirty pages may move with the next write; one of the base version stays.
    if !owner.written.contains(cluster.number) { cluster.keep(leaf, column) }
    return leaf.int(slot)
  }

  private func dropCollection(_ owner: ClassWriter, _ column: ColumnDescriptor, _ key: ObjectKey) throws {
    let list = try writer.collections.open(owner, column.id, key, column.collection)
    guard list.editor.count > 0 else { return }
    let children = try writer.collections.dropLinks(0..<list.editor.count, list, owner)
    writer.collections.register(list)
    try list.editor.clear()
    if column.collection == .map {
      let keys = try writer.collections.open(owner, column.id, key, .map, keys: true)
      writer.collections.register(keys)
      try keys.editor.clear()
    }
    try deleteEmbedded(children, column)
  }
}

extension StoreWriter {
  /// Deletes objects.
  @inline(__always)
  var deletion: RowDeletion { RowDeletion(writer: self) }
}
