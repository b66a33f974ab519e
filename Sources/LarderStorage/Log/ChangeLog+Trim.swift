import LarderLMDB

extension ChangeLog {
  /// The result of a trim.
  package struct TrimResult: Hashable, Sendable {
    /// First version the log still holds.
    package var floor: UInt64
    package var removedRecords = 0
    package var removedTombstones = 0
    /// Consumers that were too far behind and have been marked.
    package var expired: [String] = []
  }

  /// The limits of what one commit may trim.
  package struct TrimLimits: Sendable {
    /// The number of newest records that stay, whether or not anything needs them: for callers that ask what has changed lately.
    package var keptRecords: UInt64 = 64
    /// Fewer records than this are left for a later commit: each trim dirties another page.
    package var minimumRecords: UInt64 = 64
    package var maximumRecords: UInt64 = 1024
    package var maximumTombstones = 20_000

    package init() {}
  }

  /// Drops records that are not needed: they are not among the newest ones, no living snapshot is older, every consumer has read them or
  /// has expired.
  ///
  /// - Parameters:
  ///   - floor: First version the log holds, from the catalog; store the result's floor there.
  ///   - newest: The newest version, which may be the one this transaction makes.
  ///   - oldestLive: Version of the oldest snapshot alive in any process; it needs the records after its own.
  package func trim(
    floor: UInt64, newest: UInt64, oldestLive: UInt64, limits: TrimLimits = TrimLimits(),
    in transaction: WriteTransaction
  ) throws -> TrimResult {
    var result = TrimResult(floor: floor)
    let lastOld = newest - min(limits.keptRecords, newest)
    let lastUnneeded = min(oldestLive, lastOld, try expireAndFindPin(newest: newest, &result, in: transaction))
    guard lastUnneeded >= floor, lastUnneeded - floor + 1 >= limits.minimumRecords else { return result }
    let last = min(lastUnneeded, floor + limits.maximumRecords - 1)
    let hasTombstones = try transaction.cursor(tombstones).first() != nil
    while result.floor <= last, result.removedTombstones < limits.maximumTombstones {
      let version = result.floor
      if hasTombstones { result.removedTombstones += try dropTombstones(of: version, in: transaction) }
      if try transaction.delete(log, KeyBytes(version)) { result.removedRecords += 1 }
      result.floor += 1
    }
    return result
  }

  /// Marks consumers that are out of bounds; returns the lowest version that one of the others has read up to.
  private func expireAndFindPin(
    newest: UInt64, _ result: inout TrimResult, in transaction: WriteTransaction
  ) throws -> UInt64 {
    var pin = UInt64.max
    // A damaged cursor must not stop commits: as there is no telling what it has read, nothing goes, and the check of the store names it.
    guard let consumers = try? consumers(in: transaction) else { return 0 }
    for var consumer in consumers where !consumer.isExpired {
      if try isOutOfBounds(consumer, newest: newest, in: transaction) {
        consumer.isExpired = true
        try register(consumer, in: transaction)
        result.expired.append(consumer.name)
      } else {
        pin = min(pin, consumer.consumed)
      }
    }
    return pin
  }

  private func isOutOfBounds(
    _ consumer: LogConsumer, newest: UInt64, in transaction: WriteTransaction
  ) throws -> Bool {
    switch consumer.policy {
    case .hard: return false
    case .versions(let bound): return newest > consumer.consumed && newest - consumer.consumed > bound
    case .bytes(let bound):
      let cursor = try transaction.cursor(log)
      var bytes: UInt64 = 0
      var entry = try cursor.seek(KeyBytes(consumer.consumed + 1))
      while let found = entry, bytes <= bound {
        bytes += UInt64(found.value.count)
        entry = try cursor.next()
      }
      return bytes > bound
    }
  }

  /// Removes the tombstones that the record of a version came with.
  private func dropTombstones(of version: UInt64, in transaction: WriteTransaction) throws -> Int {
    // A damaged record must not stop commits: its tombstones stay behind, and the check of the store names it.
    guard let record = try? record(version, in: transaction) else { return 0 }
    var removed = 0
    for changes in record.classes {
      for run in changes.allDeleted.runs {
        removed += try dropTombstones(changes.classID, run, upTo: version, in: transaction)
      }
    }
    return removed
  }

  private func dropTombstones(
    _ classID: ClassID, _ run: KeyRange, upTo version: UInt64, in transaction: WriteTransaction
  ) throws -> Int {
    // Damaged ones stay behind, too.
    let removed = (try? unneededTombstones(classID, run, upTo: version, in: transaction)) ?? []
    for key in removed { try transaction.delete(tombstones, key) }
    return removed.count
  }

  private func unneededTombstones(
    _ classID: ClassID, _ run: KeyRange, upTo version: UInt64, in transaction: WriteTransaction
  ) throws -> [KeyBytes] {
    let end = ChangeLog.tombstoneKey(classID, ObjectKey(rawValue: run.end)).bytes
    var removed: [KeyBytes] = []
    let cursor = try transaction.cursor(tombstones)
    var entry = try cursor.seek(ChangeLog.tombstoneKey(classID, ObjectKey(rawValue: run.start)))
    while let found = entry, found.key.buffer.lexicographicallyPrecedes(end) {
      if (try? Tombstone(decoding: found.value)).map({ $0.version <= version }) ?? false {
        removed.append(KeyBytes(bytes: found.key.buffer))
      }
      entry = try cursor.next()
    }
    return removed
  }
}
