import Foundation
import LarderLMDB

/// A process that reads a store right now.
package struct LiveReader: Hashable, Sendable {
  package var process: Int32
  /// The version it reads; nil when it holds a slot but reads nothing.
  package var version: UInt64?
  /// Commits since that version.
  package var commitsBehind: UInt64 = 0
  /// Seconds since the commit after that version: as long the reader has kept freed space from being used again. Nil when it reads
  /// the newest version, or nothing.
  package var heldSeconds: Double?
  /// Bytes that commits since that version have freed and cannot use again while it is read, as far as they were measured; nil as above.
  package var heldBytes: Int?
}

extension Store {
  /// The read transactions of all processes, after slots of dead ones were freed.
  ///
  /// - Parameter measuresHeld: Whether `heldBytes` are measured: this reads the list of free pages for each version.
  /// - Throws: `StorageError` when the lock file cannot be read.
  package func liveReaders(measuresHeld: Bool = false) throws -> [LiveReader] {
    try storageErrors(path) {
      try environment.clearDeadReaders()
      let snapshot = try snapshot()
      let newest = snapshot.transaction.transactionID
      return try environment.readerTable().map { slot in
        // Every commit raises both counters by one, but LMDB's starts again in a compacted copy.
        guard let transactionID = slot.transactionID else { return LiveReader(process: slot.process) }
        let behind = min(newest >= transactionID ? newest - transactionID : 0, snapshot.version)
        var reader = LiveReader(process: slot.process, version: snapshot.version - behind, commitsBehind: behind)
        if measuresHeld, behind > 0 {
          reader.heldBytes = try snapshot.transaction.freePages(after: transactionID) * StoreStatistics.pageSize
        }
        // The log keeps the records after the oldest version that is read.
        if behind > 0, let next = try log.record(snapshot.version - behind + 1, in: snapshot.transaction) {
          reader.heldSeconds = max(0, Date().timeIntervalSince1970 - Double(next.time.milliseconds) / 1000)
        }
        return reader
      }
    }
  }
}
