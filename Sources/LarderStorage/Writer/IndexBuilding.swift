import LarderLMDB

/// Making and removing whole indexes, and what a column that is removed leaves in the tables.
struct IndexBuilding {
  let writer: StoreWriter

  /// Builds the tree of an index over several columns.
  func buildIndex(_ index: CompositeIndex, _ owner: ClassWriter) throws {
    let tree = PairTreeID.composite(owner.descriptor.id, index.descriptor.id)
    var changes = PairChanges(codec: .bytes)
    let id = owner.descriptor.id
    for number in try writer.liveClusters(of: id) {
      guard let presence = try writer.presence(id, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        let key = ObjectKey(rawValue: UInt64(number * writer.clusterSize + slot))
        let values = try index.columns.map { try writer.value(id, $0.id, key) }
        changes.add(.bytes(try IndexTuple.bytes(values, index.columns)), key, 1)
      }
    }
    try writer.pairTrees.apply(&changes, to: tree)
  }

  /// Builds the index of a column from its values; a type without an order has none.
  func buildIndex(of column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    guard let codec = IndexValue.codec(for: column.type) else { return }
    var changes = PairChanges(codec: codec)
    for number in try writer.liveClusters(of: owner.id) {
      guard let presence = try writer.presence(owner.id, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        let key = ObjectKey(rawValue: UInt64(number * writer.clusterSize + slot))
        if let value = IndexValue(try writer.value(owner.id, column.id, key), type: column.type) {
          changes.add(value, key, 1)
        }
      }
    }
    let tree = PairTreeID.index(owner.id, column.id)
    try writer.pairTrees.apply(&changes, to: tree)
  }

  /// No more bytes of entries are gathered in memory while an index is built.
  private static let gatheredBytes = 64 << 20

  /// Makes the index of a column that has none yet, from the texts as they are.
  func buildTextIndex(of column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    var words = PairChanges(codec: .bytes)
    var lengths = PairChanges(codec: .integer)
    func write() throws {
      try writer.pairTrees.apply(&words, to: .words(owner.id, column.id))
      try writer.pairTrees.apply(&lengths, to: .lengths(owner.id, column.id))
    }
    for number in try writer.liveClusters(of: owner.id) {
      // Writing moves what was read.
      let slots = try writer.presence(owner.id, cluster: number).map { leaf in (0..<leaf.count).filter { leaf.bool($0) }
      }
      for slot in slots ?? [] {
        let key = ObjectKey(rawValue: UInt64(number * writer.clusterSize + slot))
        try writer.indexes.add(
          try writer.value(owner.id, column.id, key), key, 1, of: column.id, owner.id, to: &words, &lengths)
      }
      if words.bytes > Self.gatheredBytes { try write() }
    }
    try write()
  }

  // MARK: - Removing

  func removeIndex(of column: ColumnDescriptor, in classID: ClassID) throws {
    guard let codec = IndexValue.codec(for: column.type) else { return }
    let tree = PairTreeID.index(classID, column.id)
    try writer.pairTrees.removeAll(tree, codec: codec)
  }

  func removeComposite(_ id: UInt16, in classID: ClassID) throws {
    let tree = PairTreeID.composite(classID, id)
    try writer.pairTrees.removeAll(tree, codec: .bytes)
  }

  func removeTextIndex(of column: ColumnID, in owner: ClassID) throws {
    try writer.pairTrees.removeAll(.words(owner, column), codec: .bytes)
    try writer.pairTrees.removeAll(.lengths(owner, column), codec: .integer)
  }

  /// Removes leaves, large values, collections and backlinks of a column.
  func removeData(of column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    for number in try writer.liveClusters(of: owner.id) {
      let word = StoreLayout.leafKey(owner.id, column.id, cluster: number)
      try writer.transaction.delete(writer.store.tables.clusters, KeyBytes(word))
    }
    try writer.clusterWriting.findLastLeaf()
    for table in [writer.store.tables.large, writer.store.tables.collections] {
      let first = KeyBytes(StoreLayout.columnWord(owner.id, column.id))
      let prefix = StoreLayout.columnWord(owner.id, column.id) >> 32
      while let entry = try writer.transaction.cursor(table).seek(first),
        entry.key.loadBigEndian(0, as: UInt64.self) >> 32 == prefix
      {
        try writer.transaction.delete(table, KeyBytes(bytes: entry.key.bytes))
      }
    }
    for target in backlinkTargets(of: column) {
      try writer.pairTrees.removeAll(.backlinks(target, owner.id, column.id), codec: .integer)
    }
  }

  /// Classes whose objects a column may link to.
  private func backlinkTargets(of column: ColumnDescriptor) -> [ClassID] {
    column.type == .mixed ? writer.schema.classes.filter { !$0.isEmbedded }.map(\.id) : column.target.map { [$0] } ?? []
  }

  /// Says in the store's identity what builds must know that write it: full-text indexes, and operations of synced classes. A store that
  /// was ever synced may keep links to objects that are not there.
  func noteFeatures() throws {
    guard let bytes = try writer.transaction.get(writer.store.tables.catalog, StoreLayout.identityKey) else { return }
    var identity = try CatalogIdentity(bytes, path: writer.store.path)
    let hasAny = writer.schema.classes.contains { $0.columns.contains(where: \.isFullText) }
    var bits =
      hasAny
      ? identity.readOnlyCompatible | FeatureBits.fullText : identity.readOnlyCompatible & ~FeatureBits.fullText
    if writer.schema.hasSync {
      bits |= FeatureBits.synced | FeatureBits.ghosts
      _ = try writer.transaction.makeOptionalTables()
    }
    guard bits != identity.readOnlyCompatible else { return }
    identity.readOnlyCompatible = bits
    try writer.store.put(identity, in: writer.transaction)
  }
}

extension StoreWriter {
  /// Makes and removes whole indexes.
  @inline(__always)
  var indexBuilding: IndexBuilding { IndexBuilding(writer: self) }
}
