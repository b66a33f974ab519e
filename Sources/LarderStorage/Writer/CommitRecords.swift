import LarderLMDB

/// Writes what a commit has besides objects: its record in the log, and the catalog.
struct CommitRecords {
  let writer: StoreWriter

  /// Writes the counters; of very many classes those that changed.
  func put(_ counted: CatalogState) throws {
    var state = counted
    for part in state.changeParts(after: writer.base.state) {
      try writer.transaction.put(
        writer.store.tables.catalog, KeyBytes(StoreLayout.statePartWord(part)), state.encode(part: part))
    }
    if state.isInParts, !writer.base.state.isInParts { try note(FeatureBits.stateParts) }
    if writer.cache.usesPackedLeaves { try note(FeatureBits.packedLeaves) }
    try writer.transaction.put(writer.store.tables.catalog, StoreLayout.stateKey, state.encode())
  }

  /// Says in the store's identity that builds that do not know a feature must not open it.
  private func note(_ feature: UInt64) throws {
    guard writer.store.identity.incompatible & feature == 0 else { return }
    guard let bytes = try writer.transaction.get(writer.store.tables.catalog, StoreLayout.identityKey) else { return }
    var identity = try CatalogIdentity(bytes, path: writer.store.path)
    guard identity.incompatible & feature == 0 else { return }
    identity.incompatible |= feature
    try writer.store.put(identity, in: writer.transaction)
  }

  /// Writes the schema.
  func putSchema() throws {
    let bytes = CatalogSeal.seal(writer.schemaRecord.encode(), StoreLayout.schemaWord)
    try writer.transaction.put(writer.store.tables.catalog, StoreLayout.schemaKey, bytes)
  }

  /// Gives the records of the catalog that have no checksum, as the first stores wrote them, their checksums.
  ///
  /// A store has them or not when it is opened, so that this costs nothing in all others.
  func sealCatalog() throws {
    guard writer.store.lacksCatalogSeals else { return }
    let catalog = writer.store.tables.catalog
    for (key, word) in CatalogSeal.rareRecords {
      guard let record = try writer.transaction.get(catalog, key)?.bytes,
        !record.withView({ CatalogSeal.isSealed($0, word) })
      else { continue }
      try writer.transaction.put(catalog, key, CatalogSeal.seal(record, word))
    }
  }

  /// The catalog's state as a commit would leave it, but for clock and log.
  var currentState: CatalogState {
    var result = writer.base.state
    result.version = writer.version
    if writer.schemaState.isDirty { result.schemaVersionStamp = writer.version }
    for case let owner? in writer.classes {
      result[owner.descriptor.id] = CatalogState.ClassCounters(nextKey: owner.nextKey, count: owner.count)
    }
    return result
  }

  // MARK: - Log

  /// The time of the commit, by the clock as it is now: above that of the one before, and of what comes from elsewhere.
  var nextTime: HybridTime {
    let last = HybridTime(rawValue: writer.base.state.clock)
    return HybridClock.system.next(after: max(last, writer.recorder.remote?.time ?? .zero))
  }

  /// Writes the commit's record and gives back the catalog's next state.
  func writeLog() throws -> CatalogState {
    var newState = currentState
    let clock = writer.recorder.operations?.time ?? nextTime
    newState.clock = clock.rawValue
    if writer.schemaState.isDirty { writer.recorder.schemaChanged() }
    var record = try writer.recorder.finish(
      time: clock, origin: writer.recorder.remote?.index ?? ChangeLog.thisStore,
      schemaFingerprint: writer.schema.fingerprint, ownerOf: ownerFinder)
    var bytes = record.encoded(version: writer.version)
    // What a record cannot hold it does not tell: everything in such a class counts as changed (L-11).
    while bytes.count > Self.recordLimit, let largest = record.largestClass {
      writer.recorder.truncated(largest)
      record = try writer.recorder.finish(
        time: clock, origin: writer.recorder.remote?.index ?? ChangeLog.thisStore,
        schemaFingerprint: writer.schema.fingerprint, ownerOf: ownerFinder)
      bytes = record.encoded(version: writer.version)
    }
    writer.announcement.isSmall = record.names(atMost: CommitAnnouncement.smallChange)
    try writer.store.log.append(
      encoded: bytes, version: writer.version, tombstones: writer.recorder.tombstones(), in: writer.transaction)
    // Looking at every reader costs more than a small commit: the log is trimmed now and then.
    guard writer.version % 64 == 0 else { return newState }
    if writer.schema.hasSync { try trimOperations() }
    newState.logFloor = try writer.store.log.trim(
      floor: newState.logFloor, newest: writer.version, oldestLive: oldestLiveVersion, in: writer.transaction
    ).floor
    return newState
  }

  /// Drops operations that were uploaded.
  private func trimOperations() throws {
    guard let table = StoreTables.Sync(try writer.transaction.makeOptionalTables())?.operations else { return }
    _ = try writer.store.log.trimOperations(table, in: writer.transaction)
  }

  /// Bytes of a record, which is one value.
  private static let recordLimit = SizeLimits.value - (64 << 10)

  /// Version of the oldest snapshot alive in any process.
  ///
  /// Every commit adds one to LMDB's transaction id and to the version, so a reader's id tells its version.
  private var oldestLiveVersion: UInt64 {
    let lag =
      writer.base.transaction.transactionID
      - min(writer.base.transaction.transactionID, writer.store.environment.oldestReader)
    return writer.base.version - min(lag, writer.base.version)
  }

  /// Finds the owner of an embedded object for the record (L-20); nil for a class that is not embedded.
  func ownerFinder(_ classID: ClassID) -> ((ObjectKey) throws -> (owner: ObjectLink, column: ColumnID)?)? {
    guard writer.schema[classID]?.isEmbedded ?? false else { return nil }
    return { [writer] key in
      for (origin, column) in writer.schema.origins(of: classID) {
        let target = ObjectLink(classID: classID, key: key)
        if let found = try writer.backlinks(to: target, from: origin.id, column.id).first {
          return (ObjectLink(classID: origin.id, key: found), column.id)
        }
      }
      return nil
    }
  }
}

extension StoreWriter {
  /// Writes the log's record and the catalog.
  @inline(__always)
  var records: CommitRecords { CommitRecords(writer: self) }
}
