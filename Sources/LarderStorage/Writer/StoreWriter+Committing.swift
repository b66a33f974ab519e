import LarderLMDB

/// What a commit made.
package struct CommitOutcome: Sendable {
  /// The new version of the store; where nothing changed the one that it has.
  package let version: UInt64
  /// Where it is among what observers are told of; nil for nothing.
  package let moment: Moment?
}

/// Ending a transaction with its changes kept.
extension StoreWriter {
  /// Writes everything, with its record in the log, and makes it durable and visible. Where nothing changed it makes no version and
  /// writes nothing; what was assigned is kept for observers all the same, in memory (N-14).
  ///
  /// - Parameter beforeOthers: Called when the commit can be read and no other writer of this process has begun.
  /// - Returns: The new version of the store; where nothing changed the one that it has.
  /// - Throws: `StorageError`; then nothing was committed and the transaction has ended.
  @discardableResult
  package func commit(beforeOthers: () -> Void = {}) throws -> UInt64 {
    guard !hasEnded else { throw StorageError(.transactionEnded, "The write transaction has ended.") }
    do {
      if try storageErrors(store.path, { try endsWithoutVersion(beforeOthers) }) {
        let version = endUnchanged()
        if moment != nil { store.committed(version) }
        return version
      }
      try storageErrors(store.path) {
        try flush(isLast: true)
        try checkUniqueIndexes()
        let newState = try writeLog()
        if isSchemaDirty { try transaction.put(store.tables.catalog, StoreLayout.schemaKey, sealedSchema) }
        try sealCatalog()
        try put(newState)
        moment = Moment(version: version, unchangedWrites: store.unchangedWrites)
        try transaction.commit(beforeOthers: beforeOthers)
      }
    } catch {
      moment = nil
      cancel()
      throw error
    }
    end()
    store.committed(version)
    return version
  }

  /// As `commit`, with what observers are told of.
  package func commitWithMoment() throws -> CommitOutcome {
    let version = try commit()
    return CommitOutcome(version: version, moment: moment)
  }

  /// Writes the counters; of very many classes those that changed.
  private func put(_ counted: CatalogState) throws {
    var state = counted
    for part in state.changeParts(after: base.state) {
      try transaction.put(
        store.tables.catalog, KeyBytes(StoreLayout.statePartWord(part)), state.encode(part: part))
    }
    if state.isInParts, !base.state.isInParts { try notePartsOfState() }
    try transaction.put(store.tables.catalog, StoreLayout.stateKey, state.encode())
  }

  /// Says in the store's identity that builds that do not know parts must not open it.
  private func notePartsOfState() throws {
    guard let bytes = try transaction.get(store.tables.catalog, StoreLayout.identityKey) else { return }
    var identity = try CatalogIdentity(bytes, path: store.path)
    identity.incompatible |= FeatureBits.stateParts
    try store.put(identity, in: transaction)
  }

  /// The schema as the catalog holds it.
  var sealedSchema: [UInt8] { CatalogSeal.seal(schemaRecord.encode(), StoreLayout.schemaWord) }

  /// The catalog's state as a commit would leave it, but for clock and log.
  var currentState: CatalogState {
    var result = base.state
    result.version = version
    if isSchemaDirty { result.schemaVersionStamp = version }
    for case let owner? in classes {
      result[owner.descriptor.id] = CatalogState.ClassCounters(nextKey: owner.nextKey, count: owner.count)
    }
    return result
  }

  /// Writes the commit's record and gives back the catalog's next state.
  private func writeLog() throws -> CatalogState {
    var newState = currentState
    let clock = HybridClock.system.next(after: HybridTime(rawValue: base.state.clock))
    newState.clock = clock.rawValue
    if isSchemaDirty { recorder.schemaChanged() }
    var record = try recorder.finish(time: clock, schemaFingerprint: schema.fingerprint, ownerOf: ownerFinder)
    var bytes = record.encoded(version: version)
    // What a record cannot hold it does not tell: everything in such a class counts as changed (L-11).
    while bytes.count > Self.recordLimit, let largest = record.largestClass {
      recorder.truncated(largest)
      record = try recorder.finish(time: clock, schemaFingerprint: schema.fingerprint, ownerOf: ownerFinder)
      bytes = record.encoded(version: version)
    }
    isSmall = record.names(atMost: Self.smallChange)
    try store.log.append(encoded: bytes, version: version, tombstones: recorder.tombstones(), in: transaction)
    // Looking at every reader costs more than a small commit: the log is trimmed now and then.
    guard version % 64 == 0 else { return newState }
    newState.logFloor = try store.log.trim(
      floor: newState.logFloor, newest: version, oldestLive: oldestLiveVersion, in: transaction
    ).floor
    return newState
  }

  /// Bytes of a record, which is one value.
  private static let recordLimit = SizeLimits.value - (64 << 10)

  /// A commit of so many objects at most is small.
  static let smallChange = 64

  /// Version of the oldest snapshot alive in any process.
  ///
  /// Every commit adds one to LMDB's transaction id and to the version, so a reader's id tells its version.
  private var oldestLiveVersion: UInt64 {
    let lag = base.transaction.transactionID - min(base.transaction.transactionID, store.environment.oldestReader)
    return base.version - min(lag, base.version)
  }

  /// Finds the owner of an embedded object for the record (L-20); nil for a class that is not embedded.
  private func ownerFinder(_ classID: ClassID) -> ((ObjectKey) throws -> (owner: ObjectLink, column: ColumnID)?)? {
    guard schema[classID]?.isEmbedded ?? false else { return nil }
    return { [self] key in
      for (origin, column) in schema.origins(of: classID) {
        let target = ObjectLink(classID: classID, key: key)
        if let found = try backlinks(to: target, from: origin.id, column.id).first {
          return (ObjectLink(classID: origin.id, key: found), column.id)
        }
      }
      return nil
    }
  }
}
