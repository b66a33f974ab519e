import LarderLMDB

/// Writing the decoded columns of clusters to their leaves.
struct ClusterWriting {
  let writer: StoreWriter

  func write(_ cluster: DirtyCluster, _ owner: ClassWriter, _ isLast: Bool) throws {
    let id = owner.descriptor.id
    // What reads stored leaves comes first: the first put may move them.
    var previous: Bitmap?
    if !owner.shape.tracked.isEmpty || !owner.shape.indexes.isEmpty {
      // Where only new rows changed nothing stored needs to be looked at.
      let hasOnlyNew =
        !owner.written.contains(cluster.number) && cluster.lowestChange >= writer.tails.firstNewSlot(cluster, owner)
      let stored = hasOnlyNew ? nil : try storedPresence(owner, cluster)
      for column in owner.shape.tracked { try writer.indexes.notePairs(owner, column, cluster, stored) }
      for index in owner.shape.indexes { try writer.indexes.noteTuples(owner, index, cluster, stored) }
      previous = stored
    }
    if isLast, try writer.tails.writeTail(cluster, owner) { return }
    let hadTail = try writer.tails.foldTail(cluster, owner)
    let largeChanges = try owner.shape.byteColumns.flatMap { try largeSlots(owner, $0, cluster, &previous) }
    try lengthenShortLeaves(owner, cluster, hadTail: hadTail)
    let shrunk = try takeShrunkColumns(owner, cluster)
    if cluster.presence.isEmpty { try removeLeaves(owner, cluster) } else { try putLeaves(owner, cluster) }
    for change in largeChanges where !change.column.buffer.isLarge(change.slot) || !cluster.presence[change.slot] {
      try LargeValues.delete(
        writer.transaction, writer.store.tables.large, id, change.column.descriptor.id, objectKey(cluster, change.slot))
    }
    try writeLarge(owner, cluster)
    // A transaction that empties thousands of clusters must not hold all of them decoded.
    for number in shrunk { cluster.columns[number] = nil }
    cluster.wasWritten()
    owner.written.insert(cluster.number)
  }

  /// Has the leaves of a cluster encoded that nothing changed in, where many of its objects were deleted: they hold their values.
  ///
  /// - Returns: The columns that were decoded for nothing else.
  private func takeShrunkColumns(_ owner: ClassWriter, _ cluster: DirtyCluster) throws -> [Int] {
    guard cluster.hasShrunk, !cluster.presence.isEmpty else { return [] }
    var taken: [Int] = []
    for descriptor in owner.descriptor.columns where descriptor.collection == .none {
      let number = Int(descriptor.id.rawValue)
      let isDecoded = number < cluster.columns.count && cluster.columns[number] != nil
      if !isDecoded {
        guard try writer.storedLeaf(owner, descriptor.id, cluster: cluster.number) != nil else { continue }
        taken.append(number)
      }
      try writer.column(owner, descriptor.id, cluster).isDirty = true
    }
    return taken
  }

  private func putLeaves(_ owner: ClassWriter, _ cluster: DirtyCluster) throws {
    let id = owner.descriptor.id
    let slots = cluster.slots
    if cluster.isPresenceDirty {
      let word = StoreLayout.leafKey(id, .presence, cluster: cluster.number)
      try put(word, EncodedLeaf.presence(cluster.presence, key: word))
    }
    for decoded in cluster.columns {
      guard let decoded, decoded.isDirty else { continue }
      let word = StoreLayout.leafKey(id, decoded.descriptor.id, cluster: cluster.number)
      let (bytes, isPacked) = decoded.encodePacked(
        word: word, presence: cluster.presence, slots: slots, isPresenceChanged: cluster.isPresenceDirty)
      try put(word, bytes)
      if isPacked { writer.cache.usesPackedLeaves = true }
      decoded.isDirty = false
      decoded.encoded = nil
      decoded.isStoredLarge = decoded.isDecoded && decoded.buffer.hasLarge
    }
  }

  /// Puts a leaf; one after all others costs no search.
  private func put(_ word: UInt64, _ bytes: [UInt8]) throws {
    writer.cache.willPut(word)
    let isLast = writer.cache.lastLeafWord.map { word > $0 } ?? true
    try writer.transaction.put(writer.store.tables.clusters, KeyBytes(word), bytes, append: isLast)
    if isLast { writer.cache.lastLeafWord = word }
  }

  /// Looks which leaf is the last one, after leaves were removed.
  func findLastLeaf() throws {
    writer.cache.lastLeafWord = try Self.lastLeaf(writer.store.tables, writer.transaction)
  }

  static func lastLeaf(_ tables: StoreTables, _ transaction: WriteTransaction) throws -> UInt64? {
    try transaction.cursor(tables.clusters).last()?.key.loadBigEndian(0)
  }

  /// Returns the objects that were present in a cluster when it was written last.
  private func storedPresence(_ owner: ClassWriter, _ cluster: DirtyCluster) throws -> Bitmap {
    try writer.storedLeaf(owner, .presence, cluster: cluster.number)?.bitmap(capacity: writer.clusterSize)
      ?? Bitmap(count: writer.clusterSize)
  }

  private func objectKey(_ cluster: DirtyCluster, _ slot: Int) -> ObjectKey {
    ObjectKey(rawValue: UInt64(cluster.number * writer.clusterSize + slot))
  }

  private func removeLeaves(_ owner: ClassWriter, _ cluster: DirtyCluster) throws {
    for number in 0..<owner.shape.columns.count {
      let column = ColumnID(rawValue: UInt16(number))
      let word = StoreLayout.leafKey(owner.descriptor.id, column, cluster: cluster.number)
      try writer.transaction.delete(writer.store.tables.clusters, KeyBytes(word))
    }
    try findLastLeaf()
    for decoded in cluster.columns {
      decoded?.isDirty = false
      decoded?.encoded = nil
      decoded?.isStoredLarge = false
    }
  }

  /// Every stored leaf of a cluster covers every present slot, so that readers need not ask.
  private func lengthenShortLeaves(_ owner: ClassWriter, _ cluster: DirtyCluster, hadTail: Bool) throws {
    let slots = cluster.slots
    // Without a new object the leaves cover what they covered before; a tail's rows are new to them.
    guard cluster.isPresenceDirty, slots > 0, hadTail || owner.isNew(objectKey(cluster, slots - 1)) else { return }
    for descriptor in owner.descriptor.columns where descriptor.collection == .none {
      let number = Int(descriptor.id.rawValue)
      if number < cluster.columns.count, cluster.columns[number]?.isDirty ?? false { continue }
      // Where there was a tail, readers of the base version have been given longer leaves than there are.
      guard let stored = try writer.storedLeaf(owner, descriptor.id, cluster: cluster.number),
        hadTail || stored.count < slots
      else { continue }
      try writer.column(owner, descriptor.id, cluster).isDirty = true
    }
  }

  // MARK: - Large values

  /// Slots whose stored value is in table `large` and which were deleted or overwritten since.
  private func largeSlots(
    _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ cluster: DirtyCluster, _ previous: inout Bitmap?
  ) throws -> [(column: DirtyColumn, slot: Int)] {
    let number = Int(descriptor.id.rawValue)
    let known = number < cluster.columns.count ? cluster.columns[number] : nil
    if let known, !known.isStoredLarge { return [] }
    guard cluster.isPresenceDirty || known?.isDirty ?? false else { return [] }
    guard let stored = try writer.storedLeaf(owner, descriptor.id, cluster: cluster.number), stored.hasLarge else {
      return []
    }
    let before = try previous ?? storedPresence(owner, cluster)
    previous = before
    let slots = (0..<stored.count).filter { stored.isLarge($0) && before[$0] }
    let decoded = try writer.column(owner, descriptor.id, cluster)
    return slots.filter { !cluster.presence[$0] || !decoded.buffer.isLarge($0) }.map { (decoded, $0) }
  }

  private func writeLarge(_ owner: ClassWriter, _ cluster: DirtyCluster) throws {
    for decoded in cluster.columns {
      guard let decoded, !decoded.pendingLarge.isEmpty else { continue }
      for (slot, bytes) in decoded.pendingLarge.sorted(by: { $0.key < $1.key })
      where cluster.presence[slot] && decoded.buffer.isLarge(slot) {
        try LargeValues.write(
          writer.transaction, writer.store.tables.large, owner.descriptor.id, decoded.descriptor.id,
          objectKey(cluster, slot), bytes)
      }
      decoded.pendingLarge = [:]
    }
  }
}

extension StoreWriter {
  /// Writes clusters.
  @inline(__always)
  var clusterWriting: ClusterWriting { ClusterWriting(writer: self) }
}
