import LarderLMDB

/// Keeps indexes and backlinks up to date with the changes of columns.
///
/// The columns of a cluster are compared as they are stored and as they are, right before they are written; the differences wait until the
/// transaction writes its trees.
struct IndexMaintenance {
  let writer: StoreWriter

  /// Compares a tracked column as stored with the column as it is, and notes the differences for its trees.
  func notePairs(
    _ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ cluster: DirtyCluster, _ previous: Bitmap?
  ) throws {
    guard cluster.isPresenceDirty || cluster.isDirty(descriptor.id) else { return }
    let difference = try difference(owner, descriptor, cluster, previous)
    if descriptor.type == .mixed {
      try difference.forEachValue { value, key, delta in
        value.forEachLink { link in
          writer.trees.waiting(for: .backlinks(link.classID, owner.descriptor.id, descriptor.id), .integer)
            .changes.add(link.key.rawValue, key, delta)
        }
      }
    }
    if descriptor.type == .link, let target = descriptor.target {
      let pairs = writer.trees.waiting(for: .backlinks(target, owner.descriptor.id, descriptor.id), .integer)
      try difference.forEach { value, key, delta in
        if case .integer = value { pairs.changes.add(value, key, delta) }
      }
    }
    if descriptor.isFullText { try noteWords(owner, descriptor, difference) }
    if descriptor.hasIndex, !descriptor.isPrimaryKey, let codec = IndexValue.codec(for: descriptor.type) {
      let pairs = writer.trees.waiting(for: .index(owner.descriptor.id, descriptor.id), codec)
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
      stored: previous == nil ? nil : try writer.storedLeaf(owner, descriptor.id, cluster: cluster.number),
      storedPresence: previous ?? Bitmap(count: writer.clusterSize),
      current: number < cluster.columns.count ? cluster.columns[number] : nil, presence: cluster.presence,
      slots: min(cluster.lowestChange, writer.clusterSize)..<writer.clusterSize,
      firstKey: UInt64(cluster.number * writer.clusterSize)
    ) { [store = writer.store, transaction = writer.transaction] key in
      let bytes = try LargeValues.read(store.tables.large, owner.descriptor.id, descriptor.id, key) {
        try transaction.get($0, $1)
      }
      return try StoredValue(bytes: bytes, type: descriptor.type)
    }
  }

  func noteTuples(
    _ owner: ClassWriter, _ index: CompositeIndex, _ cluster: DirtyCluster, _ previous: Bitmap?
  ) throws {
    guard cluster.isPresenceDirty || index.columns.contains(where: { cluster.isDirty($0.id) }) else { return }
    try noteTuples(owner, index, try index.columns.map { try difference(owner, $0, cluster, previous) })
  }

  /// Compares the columns of an index as stored with the columns as they are, and notes the differences.
  private func noteTuples(_ owner: ClassWriter, _ index: CompositeIndex, _ differences: [ColumnDifference]) throws {
    guard let first = differences.first else { return }
    let pairs = writer.trees.waiting(for: .composite(owner.descriptor.id, index.descriptor.id), .bytes)
    for slot in first.slots {
      let (was, isThere) = (first.storedPresence[slot], first.presence[slot])
      guard was || isThere, !(was && isThere && differences.allSatisfy({ $0.isUnchanged(slot) })) else { continue }
      let key = ObjectKey(rawValue: first.firstKey + UInt64(slot))
      if was {
        let values = try differences.map { try $0.storedValue(slot, key) }
        pairs.changes.add(.bytes(try IndexTuple.bytes(values, index.columns)), key, -1)
      }
      if isThere {
        let values = try differences.map { try $0.currentValue(slot, key) }
        pairs.changes.add(.bytes(try IndexTuple.bytes(values, index.columns)), key, 1)
        if index.descriptor.isUnique { owner.unique.uncheckedKeys[index.descriptor.id, default: []].append(key) }
      }
    }
  }

  /// Notes that a collection gained or lost a link.
  func noteBacklink(
    _ owner: ClassWriter, _ column: ColumnDescriptor, from origin: ObjectKey, to target: ObjectLink, isInsert: Bool
  ) {
    if isInsert { owner.hasNewLinks = true }
    writer.trees.waiting(for: .backlinks(target.classID, owner.descriptor.id, column.id), .integer)
      .changes.add(target.key.rawValue, origin, isInsert ? 1 : -1)
  }

  func flushPrimaryKeys(_ owner: ClassWriter) throws {
    guard let column = owner.descriptor.primaryKey, !owner.primaryKeys.isEmpty else { return }
    var changes = owner.primaryKeys.take()
    if writer.schemaState.migrating != nil {
      // Keys need not be unique on the way: the index is made at the end.
      writer.schemaState.migrating?.unindexed.insert(owner.descriptor.id)
      return
    }
    let id = PairTreeID.index(owner.descriptor.id, column.id)
    try writer.pairTrees.apply(&changes, to: id)
  }

  /// Writes the words of the texts of a class that wait, when they are many: the texts of one flush may have far more than fit into
  /// memory.
  func flushLargePairs(_ owner: ClassWriter) throws {
    for column in owner.shape.tracked where column.isFullText {
      try writer.pairTrees.applyIfLarge(.words(owner.descriptor.id, column.id))
    }
  }

  // MARK: - Words of texts

  /// Notes the words of the texts of a column that came and went.
  func noteWords(_ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ difference: ColumnDifference) throws {
    let words = writer.trees.waiting(for: .words(owner.descriptor.id, descriptor.id), .bytes)
    let lengths = writer.trees.waiting(for: .lengths(owner.descriptor.id, descriptor.id), .integer)
    try difference.forEachValue { value, key, delta in
      try add(value, key, delta, of: descriptor.id, owner.descriptor.id, to: &words.changes, &lengths.changes)
    }
  }

  func add(
    _ value: StoredValue, _ key: ObjectKey, _ delta: Int, of column: ColumnID, _ owner: ClassID,
    to words: inout PairChanges, _ lengths: inout PairChanges
  ) throws {
    guard case .string(let text) = value else { return }
    let (counts, total) = TextWords.counts(of: text)
    guard total > 0 else { return }
    let prefix = writer.store.tree(.words(owner, column), codec: .bytes).prefix
    for (word, count) in counts {
      let word = try TextIndexEntry.word(word, writer.store.trees.hash, prefix)
      words.add(.bytes(TextIndexEntry.bytes(word, count)), key, delta)
    }
    lengths.add(key.rawValue, ObjectKey(rawValue: UInt64(total)), delta)
  }
}

extension StoreWriter {
  /// Keeps indexes and backlinks.
  @inline(__always)
  var indexes: IndexMaintenance { IndexMaintenance(writer: self) }
}
