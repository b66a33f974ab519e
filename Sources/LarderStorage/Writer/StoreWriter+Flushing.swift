import LarderLMDB

/// Writing decoded columns, indexes, backlinks and lists into LMDB.
extension StoreWriter {
  /// Writes everything that waits in memory, so that indexes and leaves in LMDB show the transaction's state.
  ///
  /// - Parameter isLast: Nothing follows but the commit: new rows may be stored as tails.
  func flush(isLast: Bool = false) throws {
    rowStamp += 1
    if isLast { try foldTails(onlyLeftBehind: true) }
    if isSchemaDirty || !isLast || decodedBytes > Self.bytesOfSmallCommit { try placeCatalog() }
    for case let owner? in classes where owner.isDirty || !owner.primaryKeys.isEmpty {
      for number in owner.clusters.keys.sorted() {
        guard let cluster = owner.clusters[number], cluster.isDirty else { continue }
        try flush(cluster, owner, isLast)
        try flushLargePairs(owner)
      }
      try flushPrimaryKeys(owner)
      owner.isDirty = false
      // What is in a tail now can be read from nowhere else.
      owner.keepClusters { $0 === owner.current || (isLast && $0.tail != nil) }
    }
    decodedBytes = 0
    try flushLists()
    try flushPairs()
  }

  /// A commit that writes less does so where there is room, and its pages are close together.
  private static let bytesOfSmallCommit = 1 << 16

  /// Takes the page of the catalog before those of what is written after it: pages are given in the order of their numbers, and where the
  /// end of a file is lost, what says what the rest means is not lost with it.
  func placeCatalog() throws {
    guard !hasPlacedCatalog else { return }
    hasPlacedCatalog = true
    if isSchemaDirty { try transaction.put(store.tables.catalog, StoreLayout.schemaKey, sealedSchema) }
    // Both are written again at the end, in place.
    try transaction.put(store.tables.catalog, StoreLayout.stateKey, base.state.encode())
  }

  /// Writes what a look-up of an index or of backlinks would write first: views of leaves do not outlive that.
  package func settle() throws {
    if !pairChanges.isEmpty || classes.contains(where: { $0?.isDirty ?? false }) { try flush() }
  }

  private func flush(_ cluster: DirtyCluster, _ owner: ClassWriter, _ isLast: Bool) throws {
    let id = owner.descriptor.id
    // What reads stored leaves comes first: the first put may move them.
    var previous: Bitmap?
    if !owner.tracked.isEmpty || !owner.indexes.isEmpty {
      // Where only new rows changed nothing stored needs to be looked at.
      let hasOnlyNew = !owner.written.contains(cluster.number) && cluster.lowestChange >= firstNewSlot(cluster, owner)
      let stored = hasOnlyNew ? nil : try storedPresence(owner, cluster)
      for column in owner.tracked { try notePairs(owner, column, cluster, stored) }
      for index in owner.indexes { try noteTuples(owner, index, cluster, stored) }
      previous = stored
    }
    if isLast, try writeTail(cluster, owner) { return }
    let hadTail = try foldTail(cluster, owner)
    let largeChanges = try owner.byteColumns.flatMap { try largeSlots(owner, $0, cluster, &previous) }
    try lengthenShortLeaves(owner, cluster, hadTail: hadTail)
    let shrunk = try takeShrunkColumns(owner, cluster)
    if cluster.presence.isEmpty { try removeLeaves(owner, cluster) } else { try putLeaves(owner, cluster) }
    for change in largeChanges where !change.column.buffer.isLarge(change.slot) || !cluster.presence[change.slot] {
      try LargeValues.delete(
        transaction, store.tables.large, id, change.column.descriptor.id, objectKey(cluster, change.slot))
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
        guard try storedLeaf(owner, descriptor.id, cluster: cluster.number) != nil else { continue }
        taken.append(number)
      }
      try column(owner, descriptor.id, cluster).isDirty = true
    }
    return taken
  }

  private func putLeaves(_ owner: ClassWriter, _ cluster: DirtyCluster) throws {
    let id = owner.descriptor.id
    let slots = cluster.slots
    if cluster.isPresenceDirty {
      let word = StoreLayout.leafKey(id, .presence, cluster: cluster.number)
      try putLeaf(word, EncodedLeaf.presence(cluster.presence, key: word))
    }
    for decoded in cluster.columns {
      guard let decoded, decoded.isDirty else { continue }
      let word = StoreLayout.leafKey(id, decoded.descriptor.id, cluster: cluster.number)
      try putLeaf(word, decoded.encode(word: word, presence: cluster.presence, slots: slots))
      decoded.isDirty = false
      decoded.encoded = nil
      decoded.isStoredLarge = decoded.buffer.hasLarge
    }
  }

  /// Who was present in a cluster when it was written last.
  private func storedPresence(_ owner: ClassWriter, _ cluster: DirtyCluster) throws -> Bitmap {
    try storedLeaf(owner, .presence, cluster: cluster.number)?.bitmap(capacity: clusterSize)
      ?? Bitmap(count: clusterSize)
  }

  private func objectKey(_ cluster: DirtyCluster, _ slot: Int) -> ObjectKey {
    ObjectKey(rawValue: UInt64(cluster.number * clusterSize + slot))
  }

  private func putLeaf(_ word: UInt64, _ bytes: [UInt8]) throws {
    let isLast = lastLeafWord.map { word > $0 } ?? true
    try transaction.put(store.tables.clusters, KeyBytes(word), bytes, append: isLast)
    if isLast { lastLeafWord = word }
  }

  private func removeLeaves(_ owner: ClassWriter, _ cluster: DirtyCluster) throws {
    for number in 0..<owner.columns.count {
      let column = ColumnID(rawValue: UInt16(number))
      let word = StoreLayout.leafKey(owner.descriptor.id, column, cluster: cluster.number)
      try transaction.delete(store.tables.clusters, KeyBytes(word))
    }
    lastLeafWord = try transaction.cursor(store.tables.clusters).last()?.key.loadBigEndian(0)
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
      guard let stored = try storedLeaf(owner, descriptor.id, cluster: cluster.number), hadTail || stored.count < slots
      else { continue }
      try column(owner, descriptor.id, cluster).isDirty = true
    }
  }

  // MARK: - Large values

  /// Slots whose stored value lies in table `large` and which were deleted or overwritten since.
  private func largeSlots(
    _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ cluster: DirtyCluster, _ previous: inout Bitmap?
  ) throws -> [(column: DirtyColumn, slot: Int)] {
    let number = Int(descriptor.id.rawValue)
    let known = number < cluster.columns.count ? cluster.columns[number] : nil
    if let known, !known.isStoredLarge { return [] }
    guard cluster.isPresenceDirty || known?.isDirty ?? false else { return [] }
    guard let stored = try storedLeaf(owner, descriptor.id, cluster: cluster.number), stored.hasLarge else {
      return []
    }
    let before = try previous ?? storedPresence(owner, cluster)
    previous = before
    let slots = (0..<stored.count).filter { stored.isLarge($0) && before[$0] }
    let decoded = try column(owner, descriptor.id, cluster)
    return slots.filter { !cluster.presence[$0] || !decoded.buffer.isLarge($0) }.map { (decoded, $0) }
  }

  private func writeLarge(_ owner: ClassWriter, _ cluster: DirtyCluster) throws {
    for decoded in cluster.columns {
      guard let decoded, !decoded.pendingLarge.isEmpty else { continue }
      for (slot, bytes) in decoded.pendingLarge.sorted(by: { $0.key < $1.key })
      where cluster.presence[slot] && decoded.buffer.isLarge(slot) {
        try LargeValues.write(
          transaction, store.tables.large, owner.descriptor.id, decoded.descriptor.id, objectKey(cluster, slot), bytes)
      }
      decoded.pendingLarge = [:]
    }
  }

  // MARK: - Indexes and backlinks

  func pending(_ tree: PairTreeID, _ codec: PairCodec) -> PendingPairs {
    if let known = pairChanges[tree] { return known }
    let made = PendingPairs(codec: codec)
    pairChanges[tree] = made
    return made
  }

  /// Compares a tracked column as stored with the column as it is, and notes the differences for its trees.
  private func notePairs(
    _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ cluster: DirtyCluster, _ previous: Bitmap?
  ) throws {
    guard cluster.isPresenceDirty || cluster.isDirty(descriptor.id) else { return }
    let difference = try difference(owner, descriptor, cluster, previous)
    if descriptor.type == .mixed {
      try difference.forEachValue { value, key, delta in
        value.forEachLink { link in
          pending(.backlinks(link.classID, owner.descriptor.id, descriptor.id), .integer)
            .changes.add(link.key.rawValue, key, delta)
        }
      }
    }
    if descriptor.type == .link, let target = descriptor.target {
      let pairs = pending(.backlinks(target, owner.descriptor.id, descriptor.id), .integer)
      try difference.forEach { value, key, delta in
        if case .integer = value { pairs.changes.add(value, key, delta) }
      }
    }
    if descriptor.isFullText { try noteWords(owner, descriptor, difference) }
    if descriptor.hasIndex, !descriptor.isPrimaryKey, let codec = IndexValue.codec(for: descriptor.type) {
      let pairs = pending(.index(owner.descriptor.id, descriptor.id), codec)
      try difference.forEach { pairs.changes.add($0, $1, $2) }
    }
  }

  /// A column as stored and as it is.
  ///
  /// - Parameter previous: Who was present; nil when all that changed is new.
  private func difference(
    _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ cluster: DirtyCluster, _ previous: Bitmap?
  ) throws -> ColumnDifference {
    let number = Int(descriptor.id.rawValue)
    return ColumnDifference(
      descriptor: descriptor,
      stored: previous == nil ? nil : try storedLeaf(owner, descriptor.id, cluster: cluster.number),
      storedPresence: previous ?? Bitmap(count: clusterSize),
      current: number < cluster.columns.count ? cluster.columns[number] : nil, presence: cluster.presence,
      slots: min(cluster.lowestChange, clusterSize)..<clusterSize, firstKey: UInt64(cluster.number * clusterSize)
    ) { [store, transaction] key in
      let bytes = try LargeValues.read(store.tables.large, owner.descriptor.id, descriptor.id, key) {
        try transaction.get($0, $1)
      }
      return try StoredValue(bytes: bytes, type: descriptor.type)
    }
  }

  private func noteTuples(
    _ owner: ClassWriter, _ index: CompositeIndex, _ cluster: DirtyCluster, _ previous: Bitmap?
  ) throws {
    guard cluster.isPresenceDirty || index.columns.contains(where: { cluster.isDirty($0.id) }) else { return }
    try noteTuples(owner, index, try index.columns.map { try difference(owner, $0, cluster, previous) })
  }

  /// Notes that a collection gained or lost a link.
  func noteBacklink(
    _ owner: ClassWriter, _ column: ColumnDescriptor, from origin: ObjectKey, to target: ObjectLink, isInsert: Bool
  ) {
    if isInsert { owner.hasNewLinks = true }
    pending(.backlinks(target.classID, owner.descriptor.id, column.id), .integer)
      .changes.add(target.key.rawValue, origin, isInsert ? 1 : -1)
  }

  private func flushPrimaryKeys(_ owner: ClassWriter) throws {
    guard let column = owner.descriptor.primaryKey, !owner.primaryKeys.isEmpty else { return }
    var changes = owner.primaryKeys.take()
    if migrating != nil {
      // Keys need not be unique on the way: the index is made at the end.
      migrating?.unindexed.insert(owner.descriptor.id)
      return
    }
    let id = PairTreeID.index(owner.descriptor.id, column.id)
    try store.tree(id, codec: changes.codec).apply(&changes, in: transaction)
    writtenTrees.insert(id)
  }

  /// Writes the words of the texts of a class that wait, when they are many: the texts of one flush may have far more than fit into
  /// memory.
  private func flushLargePairs(_ owner: ClassWriter) throws {
    for column in owner.tracked where column.isFullText {
      let words = PairTreeID.words(owner.descriptor.id, column.id)
      guard let pairs = pairChanges[words], pairs.changes.bytes > pairLimit else { continue }
      try store.tree(words, codec: pairs.changes.codec).apply(&pairs.changes, in: transaction)
      writtenTrees.insert(words)
    }
  }

  private func flushPairs() throws {
    for (id, pairs) in pairChanges where !pairs.changes.isEmpty {
      try store.tree(id, codec: pairs.changes.codec).apply(&pairs.changes, in: transaction)
      writtenTrees.insert(id)
    }
    if !pairChanges.isEmpty { pairChanges = [:] }
    for case let owner? in classes {
      owner.hasNewLinks = false
      if !owner.uniqueHolders.isEmpty { owner.uniqueHolders = [:] }
    }
  }
}
