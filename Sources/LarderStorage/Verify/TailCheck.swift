import LarderLMDB

/// Checks the rows that are stored apart from the leaves.
struct TailCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  /// Checks the rows that are stored apart from the leaves: their records, and whether they go on where the leaves end.
  func checkTails() throws {
    let first = StoreLayout.tailKey(ClassID(rawValue: 0))
    let cursor = try snapshot.transaction.cursor(snapshot.store.tables.catalog, for: .examining)
    var entry = try cursor.seek(KeyBytes(first))
    while let found = entry, !problems.isFull {
      let word: UInt64? = found.key.count == 8 ? found.key.loadBigEndian(0) : nil
      if let word, word >> 32 == first >> 32 { try checkTail(found.value, word) }
      if word == nil { report(.catalog, "table catalog", "a key of \(found.key.count) bytes") }
      // Only now: a value that had to be decrypted is the cursor's.
      entry = try cursor.next()
    }
  }

  private func checkTail(_ bytes: ByteView, _ key: UInt64) throws {
    let classID = ClassID(rawValue: UInt16(truncatingIfNeeded: key >> 16))
    guard let owner = snapshot.schema[classID] else {
      return report(
        .leaf, "class number \(classID.rawValue)", "newest objects of a class that the schema does not know")
    }
    let place = "\(owner.name), newest objects"
    guard snapshot.store.hasTails else { return report(.leaf, place, "stored where readers do not look for them") }
    do {
      let tail = try TailRecord(bytes, key: key)
      if tail.cluster + 1 != (try snapshot.clusterCount(of: classID)) || tail.slots.upperBound >= snapshot.clusterSize {
        report(.leaf, place, "slots \(tail.slots) of cluster \(tail.cluster) are not at the end of the class")
      }
      let word = StoreLayout.leafKey(classID, .presence, cluster: tail.cluster)
      if let stored = try snapshot.transaction.get(snapshot.store.tables.clusters, KeyBytes(word)),
        let last = try LeafView(stored).bitmap().last, last >= tail.slots.lowerBound
      {
        report(
          .presence, place, "the leaves hold an object in slot \(last), where these begin with \(tail.slots.lowerBound)"
        )
      }
      for (id, leaf) in tail.columns { checkColumn(leaf, owner, id, tail, place) }
    } catch {
      report(.leaf, place, "\(error)")
    }
  }

  private func checkColumn(
    _ leaf: LeafView, _ owner: ClassDescriptor, _ id: ColumnID, _ tail: TailRecord, _ place: String
  ) {
    guard let descriptor = owner.column(id), descriptor.collection == .none, descriptor.type == leaf.type else {
      return report(.leaf, place, "column \(id.rawValue) is not of the schema")
    }
    let word = StoreLayout.leafKey(owner.id, id, cluster: tail.cluster)
    if !LeafView.verify(leaf.bytes, key: word) {
      return report(.leaf, place, "the checksum of '\(descriptor.name)' does not fit")
    }
    if leaf.hasLarge { report(.leaf, place, "a large value in '\(descriptor.name)'") }
    if let problem = leaf.problem() { report(.leaf, place, "'\(descriptor.name)': \(problem)") }
    if !descriptor.isOptional, descriptor.type != .link, leaf.nullCount > 0 {
      report(.leaf, place, "nil in the required property '\(descriptor.name)'")
    }
  }
}
