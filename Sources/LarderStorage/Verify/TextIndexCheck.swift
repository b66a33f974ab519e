import LarderLMDB

/// Checks full-text indexes.
struct TextIndexCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  /// Each full-text index holds just the words of its texts, and their number.
  func checkTextIndexes(_ entry: ClassDescriptor) throws {
    for column in entry.columns where column.isFullText { try checkTextIndex(column, entry) }
  }

  private func checkTextIndex(_ column: ColumnDescriptor, _ entry: ClassDescriptor) throws {
    let place = "\(entry.name).\(column.name) (full text)"
    for (id, codec) in [
      (PairTreeID.words(entry.id, column.id), PairCodec.bytes), (.lengths(entry.id, column.id), .integer),
    ] {
      let reader = PairReader(
        snapshot.store.tree(id, codec: codec), mostCopies: PairBlockFormat.mostPairs
      ) { [snapshot] in
        try snapshot.transaction.cursor(snapshot.store.tables.indexes)
      }
      for problem in try reader.verify(limit: problems.limit) { report(.index, place, problem.description) }
    }
    guard let index = try snapshot.textIndex(entry.id, column.id) else { return }
    let (hash, prefix) = (
      snapshot.store.trees.hash, snapshot.store.tree(.words(entry.id, column.id), codec: .bytes).prefix
    )
    // Entries are compared by the sum of their hashes: a store has far more of them than fit into memory.
    var found: [ObjectKey: Content] = [:]
    try index.forEachEntry { bytes, key in found[key, default: Content()].add(bytes) }
    try index.forEachLength { key, count in found[key, default: Content()].words += count }
    try forEachObject(entry) { key in
      var expected = Content()
      if case .string(let text) = try snapshot.value(entry.id, column.id, key) {
        let (counts, total) = TextWords.counts(of: text)
        for (word, count) in counts {
          expected.add(TextIndexEntry.bytes(try TextIndexEntry.word(word, hash, prefix), count))
        }
        expected.words = total
      }
      let stored = found.removeValue(forKey: key) ?? Content()
      guard stored != expected, !problems.isFull else { return }
      report(.index, place, "the words of object \(key.rawValue) are not those of its text")
    }
    if !found.isEmpty { report(.index, place, "words of \(found.count) objects that do not exist") }
  }

  /// The content that an index holds of one object.
  private struct Content: Equatable {
    var hash = 0
    var entries = 0
    var words = 0

    mutating func add(_ bytes: [UInt8]) {
      hash &+= bytes.hashValue
      entries += 1
    }
  }
}
