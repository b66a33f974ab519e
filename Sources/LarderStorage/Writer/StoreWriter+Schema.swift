import LarderLMDB

/// Changing the schema.
extension StoreWriter {
  /// Makes the stored schema fit the declared classes; classes that are not declared stay as they are (M-35).
  ///
  /// New columns read nil or zero and cost nothing; removed ones give their space back; changed ones start again, except
  /// that values stay when only nil becomes possible or impossible (M-42, M-43). Numbers are never reused (L-4).
  /// - Throws: `.invalidSchema` for an unknown link target, `.duplicatePrimaryKey` when a new primary key has duplicates.
  package func apply(_ declarations: [ClassDeclaration], schemaVersion: UInt64?) throws {
    let migration = try SchemaMigration(self, to: declarations, schemaVersion: schemaVersion)
    guard !migration.plan.isEmpty else { return }
    try migration.begin()
    try migration.finish()
  }

  // MARK: - Data

  /// Builds the tree of an index over several columns.
  func buildIndex(_ index: CompositeIndex, _ owner: ClassWriter) throws {
    let tree = PairTreeID.composite(owner.descriptor.id, index.descriptor.id)
    var changes = PairChanges(codec: .bytes)
    let id = owner.descriptor.id
    for number in try liveClusters(of: id) {
      guard let presence = try presence(id, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        let key = ObjectKey(rawValue: UInt64(number * clusterSize + slot))
        let values = try index.columns.map { try value(id, $0.id, key) }
        changes.add(.bytes(try IndexTuple.bytes(values, index.columns)), key, 1)
      }
    }
    try store.tree(tree, codec: .bytes).apply(&changes, in: transaction)
    writtenTrees.insert(tree)
  }

  /// Removes leaves, large values, collections and backlinks of a column.
  func removeData(of column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    for number in try liveClusters(of: owner.id) {
      let word = StoreLayout.leafKey(owner.id, column.id, cluster: number)
      try transaction.delete(store.tables.clusters, KeyBytes(word))
    }
    lastLeafWord = try transaction.cursor(store.tables.clusters).last()?.key.loadBigEndian(0)
    for table in [store.tables.large, store.tables.collections] {
      let first = KeyBytes(StoreLayout.columnWord(owner.id, column.id))
      let prefix = StoreLayout.columnWord(owner.id, column.id) >> 32
      while let entry = try transaction.cursor(table).seek(first),
        entry.key.loadBigEndian(0, as: UInt64.self) >> 32 == prefix
      {
        try transaction.delete(table, KeyBytes(bytes: entry.key.bytes))
      }
    }
    for target in backlinkTargets(of: column) {
      try store.tree(.backlinks(target, owner.id, column.id), codec: .integer).removeAll(in: transaction)
    }
  }

  /// Classes whose objects a column may link to.
  private func backlinkTargets(of column: ColumnDescriptor) -> [ClassID] {
    column.type == .mixed ? schema.classes.filter { !$0.isEmbedded }.map(\.id) : column.target.map { [$0] } ?? []
  }

  /// Builds the index of a column from its values; a type without an order has none.
  func buildIndex(of column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    guard let codec = IndexValue.codec(for: column.type) else { return }
    var changes = PairChanges(codec: codec)
    for number in try liveClusters(of: owner.id) {
      guard let presence = try presence(owner.id, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        let key = ObjectKey(rawValue: UInt64(number * clusterSize + slot))
        if let value = IndexValue(try value(owner.id, column.id, key), type: column.type) { changes.add(value, key, 1) }
      }
    }
    let tree = PairTreeID.index(owner.id, column.id)
    try store.tree(tree, codec: codec).apply(&changes, in: transaction)
    writtenTrees.insert(tree)
  }

  /// Throws `.duplicatePrimaryKey` when two objects have one value.
  func checkUnique(_ column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    guard let view = try index(owner.id, column.id) else { return }
    var previous: StoredValue?
    try view.forEach(descending: false) { key in
      let value = try self.value(owner.id, column.id, key)
      // Without an order equal values need not follow each other.
      let isRepeated = view.isOrdered ? value == previous : try view.keys(equalTo: value).count > 1
      guard !isRepeated else {
        throw StorageError(
          .duplicatePrimaryKey,
          "Primary key property '\(owner.name).\(column.name)' has duplicate values (\(value.shortDescription)). "
            + "Nothing was changed.", className: owner.name, property: column.name, key: key)
      }
      previous = value
      return true
    }
  }
}
