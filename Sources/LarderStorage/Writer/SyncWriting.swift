import LarderLMDB

/// Writes what synchronisation has besides objects, in the transaction of the objects that it belongs to.
package struct SyncWriting {
  let writer: StoreWriter

  /// - Throws: `.invalidSchema` when no class of the store is synced.
  package init(_ writer: StoreWriter) throws {
    guard writer.schema.hasSync else {
      throw StorageError(
        .invalidSchema, "'\(writer.store.path)' has no synced class: there is nothing to synchronise.",
        path: writer.store.path)
    }
    self.writer = writer
  }

  private var tables: StoreTables.Sync {
    get throws {
      guard let found = StoreTables.Sync(try writer.transaction.makeOptionalTables()) else {
        throw StorageError(.internalError, "The tables of synchronisation of '\(writer.store.path)' were not made.")
      }
      return found
    }
  }

  /// Says that the whole transaction brings what another site did: it has no operations, so that nothing is sent back, and observers hear
  /// of it as of any commit. To be called before anything is changed.
  ///
  /// - Parameter time: The time of what comes; the commit's own is later.
  /// - Throws: `.valueTooLarge` for a time after which no commit could have one.
  package func apply(from origin: Origin, at time: HybridTime) throws {
    guard time < HybridTime.last else {
      throw StorageError(
        .valueTooLarge, "A commit from elsewhere has a time after which there is none.", path: writer.store.path)
    }
    let index = try storageErrors(writer.store.path) {
      try writer.store.log.index(of: origin, in: writer.transaction)
    }
    writer.recorder.apply(from: RemoteOrigin(index: index, time: time))
  }

  // MARK: - Operations

  /// The version up to which synchronisation has taken operations from the log, with the changes of this transaction; 0 before the first time.
  package func takenVersion() throws -> UInt64 {
    try storageErrors(writer.store.path) {
      let consumers = try writer.store.log.consumers(in: writer.transaction)
      return consumers.first { $0.name == ChangeLog.uploadConsumer }?.consumed ?? 0
    }
  }

  /// Notes that synchronisation has all operations up to a version, which the log may drop then. It never goes back.
  package func setTakenVersion(_ version: UInt64) throws {
    try storageErrors(writer.store.path) {
      let (log, transaction) = (writer.store.log, writer.transaction)
      if try log.consumers(in: transaction).contains(where: { $0.name == ChangeLog.uploadConsumer }) {
        try log.advance(ChangeLog.uploadConsumer, to: version, in: transaction)
      } else {
        let consumer = LogConsumer(name: ChangeLog.uploadConsumer, consumed: version, policy: .hard)
        try log.register(consumer, in: transaction)
      }
    }
  }

  // MARK: - Links

  /// The key to link to an object of a synced class by, here or not (L-8). Where it is not here the link reads nil until the object is
  /// made: then it leads to that. Such links are accepted in transactions of what another site did (`apply`).
  ///
  /// - Throws: `.invalidSchema` for a class that is not synced or has no primary key, `.typeMismatch`.
  package func linkTarget(_ classID: ClassID, primaryKey: StoredValue) throws -> ObjectKey {
    try storageErrors(writer.store.path) {
      try GhostKeeping(writer: writer).target(writer.classWriter(classID), primaryKey: primaryKey)
    }
  }

  /// The primary key of an object that links lead to and that is not here, with the changes of this transaction.
  package func ghost(_ link: ObjectLink) throws -> StoredValue? {
    try storageErrors(writer.store.path) { try GhostKeeping(writer: writer).name(of: link) }
  }

  // MARK: - State

  /// Returns the state that is kept under a name, with the changes of this transaction.
  package func state(_ name: String) throws -> [UInt8]? {
    let key = try SyncRecord.key(name: name)
    return try writer.transaction.get(tables.state, key).map { try SyncRecord.decode($0, key: key) }
  }

  /// Keeps bytes under a name, or forgets them. At most 16 MiB; more goes under several names.
  package func setState(_ name: String, _ bytes: [UInt8]?) throws {
    try put(bytes, try tables.state, try SyncRecord.key(name: name))
  }

  // MARK: - Elements

  /// Returns what is kept for a list, with the changes of this transaction.
  package func elements(_ object: ObjectLink, _ column: ColumnID, path: [MixedStep] = []) throws -> [UInt8]? {
    try records(SyncRecord.key(elementsOf: object, column))[path]
  }

  /// Keeps bytes for a list, or forgets them. They stay when the object is deleted: edits from before that may have to be read yet.
  package func setElements(
    _ object: ObjectLink, _ column: ColumnID, path: [MixedStep] = [], _ bytes: [UInt8]?
  ) throws {
    let key = SyncRecord.key(elementsOf: object, column)
    var found = try records(key)
    found[path] = bytes
    try put(found.isEmpty ? nil : found.encoded(), try tables.elements, key)
  }

  private func records(_ key: KeyBytes) throws -> ElementRecords {
    guard let found = try writer.transaction.get(try tables.elements, key) else { return ElementRecords() }
    return try ElementRecords(decoding: SyncRecord.decode(found, key: key))
  }

  private func put(_ bytes: [UInt8]?, _ table: Table, _ key: KeyBytes) throws {
    try storageErrors(writer.store.path) {
      if let bytes {
        try writer.transaction.put(table, key, SyncRecord.encode(bytes, key: key))
      } else {
        try writer.transaction.delete(table, key)
      }
    }
  }
}
