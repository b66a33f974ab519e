import LarderLMDB

/// Checks what a store has that is synced: operations, ghosts, and the records of synchronisation.
struct SyncCheck: StoreCheck {
  let snapshot: Snapshot
  let problems: ProblemList

  func checkSync() throws {
    guard snapshot.schema.hasSync, let tables = StoreTables.Sync(snapshot.store.environment) else { return }
    try checkOperations(tables.operations)
    try forEach(tables.ghosts) { key, value in try checkGhost(key, value, tables.ghosts) }
    for table in [tables.state, tables.elements] {
      try forEach(table) { key, value in _ = try SyncRecord.decode(value, key: key) }
    }
  }

  private func forEach(_ table: Table, _ body: (KeyBytes, ByteView) throws -> Void) throws {
    let cursor = try snapshot.transaction.cursor(table, for: .examining)
    var entry = try cursor.first()
    while let found = entry, !problems.isFull {
      do {
        try body(KeyBytes(bytes: found.key.buffer), found.value)
      } catch let error as StorageError {
        report(.log, table.name, error.message)
      }
      entry = try cursor.next()
    }
  }

  /// Every operation can be read, is of a version that there was, and has the time of that version's record.
  private func checkOperations(_ table: Table) throws {
    let cursor = try snapshot.transaction.cursor(table)
    var entry = try cursor.first()
    while let found = entry, !problems.isFull {
      do {
        var stream = try OperationStreamReader(found, cursor)
        while let operation = try stream.next() { check(operation, stream.version) }
        try check(stream)
        entry = try cursor.next()
      } catch let error as StorageError {
        report(.log, table.name, error.message)
        guard let next = try? OperationStream.version(of: found.key), next < .max else { return }
        entry = try cursor.seek(OperationStream.key(next + 1, 0))
      }
    }
  }

  private func check(_ stream: OperationStreamReader) throws {
    if stream.version > snapshot.version {
      report(.log, "ops", "operations of version \(stream.version), and the newest is \(snapshot.version)")
    }
    guard let record = try? snapshot.store.log.record(stream.version, in: snapshot.transaction) else { return }
    if record.time != stream.time || !record.flags.contains(.hasOperations) {
      report(.log, "ops", "the operations of version \(stream.version) are not those of its record")
    }
  }

  private func check(_ operation: StoreOperation, _ version: UInt64) {
    let target = operation.object.target
    if target.key >= snapshot.nextObjectKey(of: target.classID), operation.change != .everything,
      snapshot.schema[target.classID] != nil
    {
      report(.log, "ops", "version \(version) has an operation on object \(target.key.rawValue), which there never was")
    }
  }

  /// Ghosts are objects that there were or that were named, and that are not there.
  private func checkGhost(_ key: KeyBytes, _ value: ByteView, _ table: Table) throws {
    let (head, tail) = try key.withBytes { bytes -> (UInt64, UInt64) in
      guard bytes.count == 16 else { throw LogReader.damage("a ghost has a key of \(bytes.count) bytes, not 16") }
      let words = ByteView(base: bytes.baseAddress!, count: bytes.count)
      return (words.loadBigEndian(0, as: UInt64.self), words.loadBigEndian(8, as: UInt64.self))
    }
    let classID = ClassID(rawValue: UInt16(truncatingIfNeeded: head >> 48))
    if head << 16 != 0 { return try checkIndex(classID, key, value, table) }
    let link = ObjectLink(classID: classID, key: ObjectKey(rawValue: tail))
    let ghost = try Ghost(decoding: value)
    let place = GhostIndexEntry.key(classID, ghost)
    let indexed = try snapshot.transaction.get(table, place).map { try GhostIndexEntry(decoding: $0).keys } ?? []
    if !indexed.contains(link.key) {
      report(.log, "ghosts", "object \(tail) of class number \(classID.rawValue) is not found by its primary key")
    }
    guard let owner = snapshot.schema[link.classID] else { return }
    if ghost.primaryKey.isNull { report(.log, "ghosts", "object \(link.key.rawValue) of \(owner.name) has no name") }
    if try snapshot.contains(link.classID, link.key) {
      report(.log, "ghosts", "object \(link.key.rawValue) of \(owner.name) is there")
    } else if link.key >= snapshot.nextObjectKey(of: link.classID) {
      report(.log, "ghosts", "object \(link.key.rawValue) of \(owner.name) never was there")
    }
  }

  /// Checks that the keys by which ghosts are found are those of ghosts with that primary key.
  private func checkIndex(_ classID: ClassID, _ place: KeyBytes, _ value: ByteView, _ table: Table) throws {
    for key in try GhostIndexEntry(decoding: value).keys {
      let found = try snapshot.transaction.get(table, Ghost.key(ObjectLink(classID: classID, key: key)))
      if let found, GhostIndexEntry.key(classID, try Ghost(decoding: found)) == place { continue }
      report(
        .log, "ghosts", "object \(key.rawValue) of class number \(classID.rawValue) is found by a name that it has not")
    }
  }
}
