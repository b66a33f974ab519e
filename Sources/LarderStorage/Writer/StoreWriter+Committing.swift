import LarderLMDB

/// Ending a transaction with its changes kept, or copied elsewhere.
extension StoreWriter {
  /// The moment that the commit made, which observers get; nil before it, and where there was nothing to report.
  package var moment: Moment? { announcement.moment }

  /// True if the commit changed few objects; false before it.
  package var isSmall: Bool { announcement.isSmall }

  /// Writes everything, with its record in the log, and makes it durable and visible. Where nothing changed it makes no version and
  /// writes nothing; what was assigned is kept for observers all the same, in memory (N-14).
  ///
  /// - Parameter beforeOthers: Called when the commit can be read and no other writer of this process has begun.
  /// - Returns: The new version of the store; where nothing changed the one that it has.
  /// - Throws: `StorageError`; then nothing was committed and the transaction has ended.
  @discardableResult
  package func commit(beforeOthers: () -> Void = {}) throws -> UInt64 {
    try commit(beforeOthers) { try transaction.commit(beforeOthers: beforeOthers) }
  }

  /// Commits as `commit` does, on the store's own thread, without waiting for a flush that another writer's may do as well.
  func commitSharingFlush(isFollowed: Bool) throws -> (outcome: CommitOutcome, late: LateCommit?) {
    var late: LateCommit?
    let version = try commit({}) { late = try transaction.commitSharingFlush(isFollowed: isFollowed) }
    return (CommitOutcome(version: version, moment: moment), late)
  }

  private func commit(_ beforeOthers: () -> Void, _ endTransaction: () throws -> Void) throws -> UInt64 {
    guard !hasEnded else { throw StorageError(.transactionEnded, "The write transaction has ended.") }
    do {
      try store.checkProcess()
      if try storageErrors(store.path, { try assignments.endsWithoutVersion(beforeOthers) }) {
        let version = endUnchanged()
        if moment != nil { store.committed(version) }
        return version
      }
      try storageErrors(store.path) {
        if schema.hasSync || recorder.operations != nil { try OperationAssembly.write(self) }
        try flush(isLast: true)
        try uniqueness.checkUniqueIndexes()
        let newState = try records.writeLog()
        if schemaState.isDirty { try records.putSchema() }
        try records.sealCatalog()
        try records.put(newState)
        announcement.moment = Moment(version: version, unchangedWrites: store.unchangedWrites)
        try endTransaction()
      }
    } catch {
      announcement.moment = nil
      cancel()
      throw error
    }
    end()
    store.committed(version)
    return version
  }

  /// Commits as `commit` does, and returns what observers get.
  package func commitWithMoment() throws -> CommitOutcome {
    let version = try commit()
    return CommitOutcome(version: version, moment: moment)
  }

  /// Writes a copy of the store as this transaction has made it so far, uncommitted changes included, to a new file.
  ///
  /// The copy is of the version that a commit would make, with an empty log: a new epoch begins in it (L-15).
  /// - Throws: As `Snapshot.copy(to:)`; `.duplicateValue` when values that must be unique are not.
  package func copy(to path: String, key: CopyKey = .unchanged) throws {
    try TransactionCopy(writer: self).make(to: path, key: key)
  }
}
