import LarderLMDB

/// Rebuilds the indexes of a copy, from the values.
struct IndexCopy {
  let reader: any StoreReader
  /// The trees of the copy.
  let trees: PairTrees

  /// No more entries are gathered in memory.
  private static let gatheredEntries = 1 << 20

  func write(to target: Environment) throws {
    for entry in reader.schema.classes {
      for column in entry.columns {
        if column.hasIndex, let codec = IndexValue.codec(for: column.type) {
          try build([(.index(entry.id, column.id), codec)], entry, target) { key, changes in
            let value = try reader.value(entry.id, column.id, key)
            if let value = IndexValue(value, type: column.type) { changes[0].add(value, key, 1) }
          }
        }
        if column.isFullText { try buildText(column, entry, target) }
      }
      for descriptor in entry.indexes {
        let index = CompositeIndex(descriptor, entry)
        try build([(.composite(entry.id, descriptor.id), .bytes)], entry, target) { key, changes in
          let values = try index.columns.map { try reader.value(entry.id, $0.id, key) }
          changes[0].add(.bytes(try IndexTuple.bytes(values, index.columns)), key, 1)
        }
      }
    }
  }

  private func buildText(_ column: ColumnDescriptor, _ entry: ClassDescriptor, _ target: Environment) throws {
    let words = PairTreeID.words(entry.id, column.id)
    let prefix = trees.tree(words, codec: .bytes).prefix
    try build([(words, .bytes), (.lengths(entry.id, column.id), .integer)], entry, target) { key, changes in
      guard case .string(let text) = try reader.value(entry.id, column.id, key) else { return }
      let (counts, total) = TextWords.counts(of: text)
      guard total > 0 else { return }
      for (word, count) in counts {
        let word = try TextIndexEntry.word(word, trees.hash, prefix)
        changes[0].add(.bytes(TextIndexEntry.bytes(word, count)), key, 1)
      }
      changes[1].add(key.rawValue, ObjectKey(rawValue: UInt64(total)), 1)
    }
  }

  /// Gathers the entries of all objects of a class and writes them, a part at a time.
  private func build(
    _ ids: [(PairTreeID, PairCodec)], _ entry: ClassDescriptor, _ target: Environment,
    _ add: (ObjectKey, inout [PairChanges]) throws -> Void
  ) throws {
    var changes = ids.map { PairChanges(codec: $0.1) }
    func write() throws {
      let transaction = try target.beginWrite()
      for (position, id) in ids.enumerated() {
        try trees.tree(id.0, codec: id.1).apply(&changes[position], in: transaction)
      }
      try transaction.commit()
    }
    for number in try reader.liveClusters(of: entry.id) {
      guard let presence = try reader.presence(entry.id, cluster: number) else { continue }
      for slot in 0..<presence.count where presence.bool(slot) {
        try add(ObjectKey(rawValue: UInt64(number * reader.clusterSize + slot)), &changes)
      }
      if changes[0].count > Self.gatheredEntries { try write() }
    }
    try write()
  }
}
