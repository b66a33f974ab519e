import LarderLMDB

/// New rows of a class's last cluster, stored together until they fill their record (`TailRecord`).
struct TailWriting {
  let writer: StoreWriter

  /// Most bytes of a tail. It is on the catalog's page, which each commit writes anyway; LMDB gives a longer value pages of its own.
  /// In a class of many properties those are still far fewer than the pages of all leaves, one for each property.
  private static func tailLimit(columns: Int) -> Int { min(max(2_016, 160 * columns), 128 << 10) }

  /// Most rows of a tail: with more, the leaves gain more from them than the commit loses.
  private static var tailRows: Int { 64 }

  /// Stores everything that changed in a cluster as the tail of its class; false, with nothing done, when that cannot be.
  ///
  /// It can when only rows changed that are in the tail, or are new after everything stored, and when these are few and short.
  /// Nothing may be written after it in the transaction: what it wrote is not in the leaves, where `storedLeaf` looks then.
  func writeTail(_ cluster: DirtyCluster, _ owner: ClassWriter) throws -> Bool {
    guard writer.store.hasTails, !writer.schemaState.isDirty, let slots = tailSlots(cluster, owner) else {
      return false
    }
    let id = owner.descriptor.id
    let stored = cluster.tail?.columns ?? []
    for column in stored { _ = try writer.column(owner, column, cluster) }
    var isTaken = cluster.columns.map { $0?.isDirty ?? false }
    for column in stored { isTaken[Int(column.rawValue)] = true }
    let tail = TailRecordWriter(columns: isTaken.count { $0 })
    for (number, decoded) in cluster.columns.enumerated() where isTaken[number] {
      guard let decoded, decoded.pendingLarge.isEmpty else { return refuseTail(cluster) }
      let column = ColumnID(rawValue: UInt16(number))
      let isWritten = tail.add(column) { sink in
        decoded.writeTailLeaf(
          of: slots, capacity: Self.tailRows, unchangedBelow: cluster.lowestChange,
          key: StoreLayout.leafKey(id, column, cluster: cluster.number), into: sink)
      }
      guard isWritten else { return refuseTail(cluster) }
    }
    guard tail.count <= Self.tailLimit(columns: tail.columns.count) else { return refuseTail(cluster) }
    let key = StoreLayout.tailKey(id)
    let record = tail.finish(cluster: cluster.number, slots: slots, key: key)
    try writer.transaction.put(writer.store.tables.catalog, KeyBytes(key), record)
    for decoded in cluster.columns {
      decoded?.isDirty = false
      decoded?.encoded = nil
    }
    cluster.tail = (slots.lowerBound, tail.columns)
    cluster.wasWritten()
    return true
  }

  /// The rows go to the leaves.
  private func refuseTail(_ cluster: DirtyCluster) -> Bool {
    for column in cluster.columns { column?.forgetTail() }
    return false
  }

  /// The slots that a tail would hold; nil when something else changed, or they are none, too many, or not all in use.
  private func tailSlots(_ cluster: DirtyCluster, _ owner: ClassWriter) -> Range<Int>? {
    let start = cluster.tail?.start ?? firstNewSlot(cluster, owner)
    let end = cluster.slots
    // The next object must come to this cluster, and to the next slot. A cluster that no object comes to any more goes to its
    // leaves: no later transaction would do it.
    guard end < writer.clusterSize, cluster.number * writer.clusterSize + end == Int(owner.nextKey), start < end,
      end - start <= Self.tailRows, cluster.lowestChange >= start, !owner.written.contains(cluster.number)
    else { return nil }
    for slot in start..<end where !cluster.presence[slot] { return nil }
    return start..<end
  }

  /// The first slot whose object, if there is one, was made in this transaction.
  func firstNewSlot(_ cluster: DirtyCluster, _ owner: ClassWriter) -> Int {
    max(0, Int(owner.firstNewKey) - cluster.number * writer.clusterSize)
  }

  /// Marks what a cluster has in the tail as changed, so that it is written to the leaves.
  ///
  /// - Returns: Whether there was a tail.
  func foldTail(_ cluster: DirtyCluster, _ owner: ClassWriter) throws -> Bool {
    guard let tail = cluster.tail else { return false }
    for id in tail.columns {
      let column = try writer.column(owner, id, cluster)
      column.isDirty = true
      column.forgetTail()
    }
    cluster.isPresenceDirty = true
    cluster.tail = nil
    try writer.transaction.delete(writer.store.tables.catalog, KeyBytes(StoreLayout.tailKey(owner.descriptor.id)))
    return true
  }

  /// Has the next flush write all tails to the leaves.
  ///
  /// - Parameter onlyLeftBehind: Only those whose cluster is not the last any more: keys that were given to objects of a cancelled
  ///   part of the transaction stay given, so that the next object may come to another cluster although nothing came to this one.
  func foldTails(onlyLeftBehind: Bool = false) throws {
    // To a class that the transaction has not used no object was given a key.
    let owners =
      onlyLeftBehind
      ? writer.classes.compactMap { $0 } : try writer.schema.classes.map { try writer.classWriter($0.id) }
    for owner in owners {
      let last = try writer.base.clusterCount(of: owner.descriptor.id) - 1
      if onlyLeftBehind, (last + 1) * writer.clusterSize >= Int(owner.nextKey) { continue }
      guard let stored = try writer.clusterReading.storedTail(owner, cluster: last) else { continue }
      try writer.cluster(owner, stored.cluster).presenceWillChange(stored.slots.lowerBound)
      owner.isDirty = true
    }
  }
}

extension StoreWriter {
  /// Stores new rows as tails.
  @inline(__always)
  var tails: TailWriting { TailWriting(writer: self) }
}
