import LarderLMDB

/// Looks for what nothing of the schema knows: left over, or under a damaged key.
struct StrayCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  func checkStrays() throws {
    try forEachPrefix(snapshot.store.tables.large, .large) { word in
      column(word >> 48, word >> 32).map { $0.collection == .none && $0.type.holdsBytes } ?? false
        && word & 0xFFFF_FFFF == 0
    }
    try forEachPrefix(snapshot.store.tables.collections, .list) { word in
      guard let column = column(word >> 48, word >> 32) else { return false }
      return column.collection == .map || (column.collection != .none && word & ListTree.keysBit == 0)
    }
    try forEachPrefix(snapshot.store.tables.indexes, .index) { word in
      let number = UInt16(truncatingIfNeeded: word >> 32)
      guard word & 0xFF <= 1 else { return false }
      if number == 0 {
        let entry = snapshot.schema[ClassID(rawValue: UInt16(truncatingIfNeeded: word >> 48))]
        return word >> 24 & 0xFF == 0
          && entry?.indexes.contains { $0.id == UInt16(truncatingIfNeeded: word >> 8) } ?? false
      }
      guard let column = column(word >> 48, word >> 32), word >> 8 & 0xFFFF == 0 else { return false }
      switch word >> 24 & 0xFF {
      case 0: return column.hasIndex
      case 1, 2: return column.isFullText
      default: return false
      }
    }
    try forEachPrefix(snapshot.store.tables.backlinks, .backlink) { word in
      let target = ClassID(rawValue: UInt16(truncatingIfNeeded: word >> 48))
      guard let column = column(word >> 32, word >> 16), word & 0xFFFE == 0 else { return false }
      return snapshot.schema[target] != nil && column.holdsLinks && column.target ?? target == target
    }
    try checkKeySizes(snapshot.store.tables.large, .large)
    try checkListParts()
  }

  /// Every key of a table has three words.
  private func checkKeySizes(_ table: Table, _ structure: StoreProblem.Structure) throws {
    let cursor = try snapshot.transaction.cursor(table, for: .examining)
    var entry = try cursor.first()
    while let found = entry, !problems.isFull {
      if found.key.count != 24 { report(structure, "table \(table.name)", "a key of \(found.key.count) bytes") }
      entry = try cursor.next()
    }
  }

  private func column(_ classNumber: UInt64, _ columnNumber: UInt64) -> ColumnDescriptor? {
    snapshot.schema[ClassID(rawValue: UInt16(truncatingIfNeeded: classNumber))]?
      .column(ColumnID(rawValue: UInt16(truncatingIfNeeded: columnNumber)))
  }

  /// Reports the first words of keys that `isKnown` refuses; one look-up for each such word.
  private func forEachPrefix(
    _ table: Table, _ structure: StoreProblem.Structure, isKnown: (UInt64) -> Bool
  ) throws {
    let cursor = try snapshot.transaction.cursor(table, for: .examining)
    var entry = try cursor.first()
    while let found = entry, !problems.isFull {
      guard found.key.count >= 8, found.key.count % 8 == 0 else {
        if structure == .index || structure == .backlink {
          report(structure, "table \(table.name)", "a key of \(found.key.count) bytes")
        }
        entry = try cursor.next()
        continue
      }
      let word: UInt64 = found.key.loadBigEndian(0)
      if !isKnown(word) {
        let digits = String(word, radix: 16)
        report(structure, "table \(table.name)", "entries that nothing of the schema knows, under \(digits)")
      }
      guard word < .max else { return }
      entry = try cursor.seek(KeyBytes(word + 1))
    }
  }

  /// Every part of large elements belongs to a leaf of a list that has as many.
  private func checkListParts() throws {
    let table = snapshot.store.tables.collections
    let cursor = try snapshot.transaction.cursor(table, for: .examining)
    var entry = try cursor.first()
    while let found = entry, !problems.isFull {
      entry = try cursor.next()
      guard found.key.count == 24 else {
        report(.list, "table \(table.name)", "a key of \(found.key.count) bytes")
        continue
      }
      let word: UInt64 = found.key.loadBigEndian(0)
      let part = Int(word & 0x7FFF_FFFF)
      guard part > 0, let column = column(word >> 48, word >> 32),
        let owner = snapshot.schema[ClassID(rawValue: UInt16(truncatingIfNeeded: word >> 48))]
      else { continue }
      let object: UInt64 = found.key.loadBigEndian(8)
      let chunk: UInt64 = found.key.loadBigEndian(16)
      let bytes = try snapshot.transaction.get(table, KeyBytes(word & ~0x7FFF_FFFF, object, chunk))
      let leaf = try bytes.flatMap { ListInnerView.isInner($0) ? nil : try LeafView($0) }
      let length = (0..<(leaf?.count ?? 0)).reduce(0) { $0 + (leaf?.largeStub($1)?.length ?? 0) }
      if length <= (part - 1) * ListTree.partSize {
        report(.list, "\(owner.name).\(column.name), object \(object)", "a part of a large element that is in no list")
      }
    }
  }
}
