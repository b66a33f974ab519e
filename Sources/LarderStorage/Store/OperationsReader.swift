import LarderLMDB

/// Reads what commits did to objects of synced classes, with values, for the upload (L-13).
package struct OperationsReader {
  private let snapshot: Snapshot

  /// - Parameter snapshot: It has the operations of all versions up to its own that were not trimmed.
  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The operations of one commit, in order.
  package struct Commit: Hashable, Sendable {
    package let version: UInt64
    /// The time of its record in the log.
    package let time: HybridTime
    package var operations: [StoreOperation]
  }

  private var table: Table? {
    snapshot.schema.hasSync ? StoreTables.Sync(snapshot.store.environment)?.operations : nil
  }

  /// Calls `body` with each operation of the versions after `first` up to and including `last`, in order, until it returns false. Commits
  /// that changed nothing that is synced have none.
  ///
  /// Holds no more than one operation in memory, and a part of the table.
  /// - Throws: `.corrupted` for operations that are not what was written; those before were handed out.
  package func forEach(
    after first: UInt64, upTo last: UInt64, _ body: (UInt64, HybridTime, StoreOperation) throws -> Bool
  ) throws {
    guard let table, first < last else { return }
    try storageErrors(snapshot.store.path) {
      let cursor = try snapshot.transaction.cursor(table)
      var entry = try cursor.seek(OperationStream.key(first + 1, 0))
      while let found = entry, try OperationStream.version(of: found.key) <= last {
        var stream = try OperationStreamReader(found, cursor)
        while let operation = try stream.next() {
          guard try body(stream.version, stream.time, operation) else { return }
        }
        entry = try cursor.next()
      }
    }
  }

  /// The same, by commits.
  package func commits(after first: UInt64, upTo last: UInt64) throws -> [Commit] {
    var result: [Commit] = []
    try forEach(after: first, upTo: last) { version, time, operation in
      if result.last?.version != version { result.append(Commit(version: version, time: time, operations: [])) }
      result[result.count - 1].operations.append(operation)
      return true
    }
    return result
  }
}
