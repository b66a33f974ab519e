import LarderLMDB

/// Full-text indexes: keeping them, building them, and reading them within a transaction.
extension StoreWriter {
  /// The full-text index of a column as this transaction sees it; nil when the column has none.
  package func textIndex(_ classID: ClassID, _ column: ColumnID) throws -> TextIndexView? {
    let owner = try classWriter(classID)
    guard let descriptor = owner.descriptor.column(column), descriptor.isFullText else { return nil }
    if owner.isDirty || !pairChanges.isEmpty { try flush() }
    let isWritten =
      writtenTrees.contains(.words(classID, column)) || writtenTrees.contains(.lengths(classID, column))
    return store.textIndexView(classID, column) { [transaction, base] table in
      if isWritten { return try transaction.cursor(table) }
      return try base.transaction.cursor(table)
    }
  }

  /// Notes the words of the texts of a column that came and went.
  func noteWords(_ owner: ClassWriter, _ descriptor: ColumnDescriptor, _ difference: ColumnDifference) throws {
    let words = pending(.words(owner.descriptor.id, descriptor.id), .bytes)
    let lengths = pending(.lengths(owner.descriptor.id, descriptor.id), .integer)
    try difference.forEachValue { value, key, delta in
      try add(value, key, delta, of: descriptor.id, owner.descriptor.id, to: &words.changes, &lengths.changes)
    }
  }

  private func add(
    _ value: StoredValue, _ key: ObjectKey, _ delta: Int, of column: ColumnID, _ owner: ClassID,
    to words: inout PairChanges, _ lengths: inout PairChanges
  ) throws {
    guard case .string(let text) = value else { return }
    let (counts, total) = TextWords.counts(of: text)
    guard total > 0 else { return }
    let prefix = store.tree(.words(owner, column), codec: .bytes).prefix
    for (word, count) in counts {
      let word = try TextIndexEntry.word(word, store.trees.hash, prefix)
      words.add(.bytes(TextIndexEntry.bytes(word, count)), key, delta)
    }
    lengths.add(key.rawValue, ObjectKey(rawValue: UInt64(total)), delta)
  }

  /// No more bytes of entries are gathered in memory while an index is built.
  private static let gatheredBytes = 64 << 20

  /// Makes the index of a column that has none yet, from the texts as they are.
  func buildTextIndex(of column: ColumnDescriptor, in owner: ClassDescriptor) throws {
    var words = PairChanges(codec: .bytes)
    var lengths = PairChanges(codec: .integer)
    func write() throws {
      try store.tree(.words(owner.id, column.id), codec: .bytes).apply(&words, in: transaction)
      try store.tree(.lengths(owner.id, column.id), codec: .integer).apply(&lengths, in: transaction)
    }
    for number in try liveClusters(of: owner.id) {
      // Writing moves what was read.
      let slots = try presence(owner.id, cluster: number).map { leaf in (0..<leaf.count).filter { leaf.bool($0) } }
      for slot in slots ?? [] {
        let key = ObjectKey(rawValue: UInt64(number * clusterSize + slot))
        try add(try value(owner.id, column.id, key), key, 1, of: column.id, owner.id, to: &words, &lengths)
      }
      if words.bytes > Self.gatheredBytes { try write() }
    }
    try write()
    writtenTrees.insert(.words(owner.id, column.id))
    writtenTrees.insert(.lengths(owner.id, column.id))
  }

  func removeTextIndex(of column: ColumnID, in owner: ClassID) throws {
    try store.tree(.words(owner, column), codec: .bytes).removeAll(in: transaction)
    try store.tree(.lengths(owner, column), codec: .integer).removeAll(in: transaction)
    writtenTrees.insert(.words(owner, column))
    writtenTrees.insert(.lengths(owner, column))
  }

  /// Says in the store's identity whether it has full-text indexes: builds that do not know them must not write.
  func noteFeatures() throws {
    guard let bytes = try transaction.get(store.tables.catalog, StoreLayout.identityKey) else { return }
    var identity = try CatalogIdentity(bytes, path: store.path)
    let hasAny = schema.classes.contains { $0.columns.contains(where: \.isFullText) }
    let bits =
      hasAny
      ? identity.readOnlyCompatible | FeatureBits.fullText : identity.readOnlyCompatible & ~FeatureBits.fullText
    guard bits != identity.readOnlyCompatible else { return }
    identity.readOnlyCompatible = bits
    try store.put(identity, in: transaction)
  }
}
