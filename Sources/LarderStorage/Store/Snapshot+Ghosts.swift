import LarderLMDB

// Objects that are not here while links lead to them (L-8).
extension Snapshot {
  /// The primary key of an object that links lead to and that is not here; nil when it is not known as such a ghost (L-8).
  package func ghost(_ link: ObjectLink) throws -> StoredValue? {
    try storageErrors(store.path) { try ghosts?.name(of: link) }
  }

  /// The key that links to an object lead to that is not here; nil when none does. O(log n).
  package func ghost(_ classID: ClassID, primaryKey: StoredValue) throws -> ObjectKey? {
    try storageErrors(store.path) { try ghosts?.keys(classID, primaryKey: primaryKey).last }
  }

  /// Returns the number of objects of a class that are not here while links lead to them (Y-33). O(n) of them.
  package func ghostCount(of classID: ClassID) throws -> Int {
    guard let table = ghosts?.table else { return 0 }
    return try storageErrors(store.path) {
      let cursor = try transaction.cursor(table)
      var entry = try cursor.seek(Ghost.key(ObjectLink(classID: classID, key: ObjectKey(rawValue: 0))))
      var count = 0
      while let found = entry, found.key.loadBigEndian(0, as: UInt64.self) == UInt64(classID.rawValue) << 48 {
        count += 1
        entry = try cursor.next()
      }
      return count
    }
  }

  package func hasGhosts(of classID: ClassID) throws -> Bool {
    guard schema[classID]?.syncMode ?? .local != .local, let table = ghosts?.table else { return false }
    return try storageErrors(store.path) {
      try GhostLookup.areThere(classID, in: try transaction.cursor(table))
    }
  }

  private var ghosts: GhostLookup? {
    guard schema.hasSync, let table = StoreTables.Sync(store.environment)?.ghosts else { return nil }
    return GhostLookup(table: table) { [transaction] in try transaction.get($0, $1) }
  }
}

extension StoreReader {
  /// Returns what `value` does, with links to objects of synced classes that are not here (L-8). Costs as much unless there may be some in the value.
  package func unfilteredValue(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> StoredValue {
    let shown = try value(classID, column, key)
    let descriptor = try descriptor(classID, column)
    guard schema.hasSync, descriptor.holdsLinks, shown.isNull || shown.isCollection,
      try descriptor.target.map({ try hasGhosts(of: $0) }) ?? true
    else { return shown }
    let (number, slot) = locate(key)
    guard let leaf = try leaf(classID, column, cluster: number), slot < leaf.count, !leaf.isNull(slot) else {
      return shown
    }
    guard leaf.isLarge(slot) else { return try leaf.value(slot) }
    return try StoredValue(bytes: try largeValue(classID, column, key), type: descriptor.type)
  }

  /// Returns true if a link of a single property leads to an object that is not here: it reads nil then, as one that was never set (Y-31).
  package func hidesLink(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> Bool {
    try value(classID, column, key).isNull && !unfilteredValue(classID, column, key).isNull
  }
}

extension Store {
  /// Returns true if links may lead to objects of a class that are not here, as a write transaction sees it.
  func hasGhosts(_ owner: ClassDescriptor, in transaction: WriteTransaction) throws -> Bool {
    guard owner.syncMode != .local, transaction.knowsOptionalTables,
      let table = StoreTables.Sync(environment)?.ghosts
    else { return false }
    return try GhostLookup.areThere(owner.id, in: transaction.cursor(table))
  }
}
