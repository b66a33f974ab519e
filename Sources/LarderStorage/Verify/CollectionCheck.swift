import LarderLMDB

/// Checks lists, sets and maps.
struct CollectionCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  /// Every list belongs to an object, holds what its column allows, and is sound in itself.
  func checkLists(_ entry: ClassDescriptor) throws {
    for column in entry.columns where column.collection != .none {
      try forEachObject(entry) { key in
        do { try checkCollection(entry, column, key) } catch {
          report(.list, "\(entry.name).\(column.name)", "object \(key.rawValue): \(error)")
        }
      }
    }
    let cursor = try snapshot.transaction.cursor(snapshot.store.tables.collections, for: .examining)
    var found = try cursor.seek(KeyBytes(UInt64(entry.id.rawValue) << 48))
    while let record = found {
      found = try cursor.next()
      // Of keys of another size `checkListParts` tells.
      guard record.key.count == 24 else { continue }
      guard record.key.loadBigEndian(0, as: UInt16.self) == entry.id.rawValue else { return }
      let key = ObjectKey(rawValue: record.key.loadBigEndian(8))
      if !(try snapshot.contains(entry.id, key)) {
        report(.list, entry.name, "a list of object \(key.rawValue), which does not exist")
      }
      if record.key.loadBigEndian(16, as: UInt64.self) > UInt32.max {
        report(.list, entry.name, "a chunk of object \(key.rawValue) under a key that no chunk has")
      }
    }
  }

  private func checkCollection(
    _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey
  ) throws {
    let table = snapshot.store.tables.collections
    try checkTree(ListTree(table: table, entry.id, column, key), entry, column)
    switch column.collection {
    case .none, .list: break
    case .set: try checkRising(try snapshot.set(entry.id, column.id, key), "elements", entry, column, key)
    case .map:
      try checkTree(ListTree.keys(table: table, entry.id, column.id, key), entry, column)
      // Opening it compares the numbers of keys and values.
      try checkRising(try snapshot.map(entry.id, column.id, key).keys, "keys", entry, column, key)
    }
  }

  private func checkTree(_ tree: ListTree, _ entry: ClassDescriptor, _ column: ColumnDescriptor) throws {
    let found = try tree.verify(cursor: snapshot.transaction.cursor(tree.table), get: snapshot.transaction.get)
    for problem in found { report(.list, "\(entry.name).\(column.name)", problem.description) }
  }

  /// Elements of a set and keys of a map are in order, each once.
  private func checkRising(
    _ list: any ListReading, _ what: String, _ entry: ClassDescriptor, _ column: ColumnDescriptor, _ key: ObjectKey
  ) throws {
    var previous: StoredValue?
    for position in 0..<list.count {
      let value = try list.value(at: position)
      if let previous, StoredOrder.compare(previous, value) >= 0 {
        return report(
          .list, "\(entry.name).\(column.name)",
          "the \(what) of object \(key.rawValue) are not in order at position \(position)")
      }
      previous = value
    }
  }
}
