import LarderCrypto
import LarderLMDB
import LarderLocks

/// The log of a store: one `CommitRecord` per version, from the floor to the newest.
///
/// A stateless view of four tables; the floor lives in the catalog's state and is passed in and out.
package struct ChangeLog: Sendable {
  let log: Table
  let tombstones: Table
  let cursors: Table
  let origins: Table
  /// Hashes the names of consumers, in an encrypted store.
  let names: KeyedHash?

  package init(_ environment: Environment, names: KeyedHash? = nil) {
    self.names = names
    log = environment.table(StoreLayout.log)
    tombstones = environment.table(StoreLayout.tombstones)
    cursors = environment.table(StoreLayout.cursors)
    origins = environment.table(StoreLayout.origins)
  }

  // MARK: - Writing

  /// Writes the record of the commit that makes `version`, with the tombstones that belong to it.
  package func append(
    _ record: CommitRecord, version: UInt64, tombstones deleted: [ChangeRecorder.DeletedObject] = [],
    in transaction: WriteTransaction
  ) throws {
    try append(encoded: record.encoded(version: version), version: version, tombstones: deleted, in: transaction)
  }

  /// The same for a record that was encoded for the version.
  func append(
    encoded record: [UInt8], version: UInt64, tombstones deleted: [ChangeRecorder.DeletedObject],
    in transaction: WriteTransaction
  ) throws {
    try transaction.put(log, KeyBytes(version), record, append: true)
    for entry in deleted.sorted(by: { ($0.classID, $0.key) < ($1.classID, $1.key) }) {
      let value = Tombstone(version: version, primaryKey: entry.primaryKey).encoded()
      try transaction.put(tombstones, ChangeLog.tombstoneKey(entry.classID, entry.key), value)
    }
  }

  // MARK: - Reading

  /// The record of one version; nil when the log does not hold it.
  package func record(_ version: UInt64, in source: some LogSource) throws -> CommitRecord? {
    try source.get(log, KeyBytes(version)).map { try CommitRecord(decoding: $0, version: version) }
  }

  /// Calls `body` with each record of the versions, in order, until it returns false.
  package func forEach(
    _ versions: ClosedRange<UInt64>, in source: some LogSource,
    _ body: (_ version: UInt64, CommitRecord) throws -> Bool
  ) throws {
    let cursor = try source.logCursor(log)
    let interruption = Interruption.current
    var entry = try cursor.seek(KeyBytes(versions.lowerBound))
    while let found = entry {
      try interruption?.check()
      let version = try ChangeLog.version(of: found)
      if version > versions.upperBound { return }
      guard try body(version, CommitRecord(decoding: found.value, version: version)) else { return }
      entry = try cursor.next()
    }
  }

  /// Returns what changed after version `older` up to and including version `newer`, as one net change.
  ///
  /// When the log no longer holds all of these versions, the summary says that everything may have changed.
  package func summary(after older: UInt64, upTo newer: UInt64, in source: some LogSource) throws -> ChangeSummary {
    try summary(after: older, upTo: newer, with: [], in: source)
  }

  /// The same, and what else was assigned meanwhile.
  func summary(
    after older: UInt64, upTo newer: UInt64, with assigned: [Assignment], in source: some LogSource
  ) throws -> ChangeSummary {
    var builder = ChangeSummaryBuilder(older: older, newer: newer)
    for assignment in assigned { builder.add(assignment) }
    guard older < newer else { return builder.finish() }
    var expected = older + 1
    try forEach(older + 1...newer, in: source) { version, record in
      guard version == expected else { return false }
      builder.add(record)
      expected += 1
      return true
    }
    return expected == newer + 1 ? builder.finish() : ChangeSummary(older: older, newer: newer, isComplete: false)
  }

  /// Lowest and highest version the table holds; nil when it is empty.
  package func bounds(in source: some LogSource) throws -> ClosedRange<UInt64>? {
    let cursor = try source.logCursor(log)
    guard let first = try cursor.first(), let last = try cursor.last() else { return nil }
    return try ChangeLog.version(of: first)...ChangeLog.version(of: last)
  }

  static func version(of entry: Entry) throws -> UInt64 {
    guard entry.key.count == 8 else { throw LogReader.damage("its key has \(entry.key.count) bytes, not 8") }
    return entry.key.loadBigEndian(0)
  }
}
