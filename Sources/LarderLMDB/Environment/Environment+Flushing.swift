import CLMDB
import Dispatch

/// Committing with two flushes, or with one under the write lock where another writer waits (`SharedFlush`).
extension Environment {
  /// The writer after the transaction that commits, as far as it is known.
  enum NextWriter {
    case unknown
    /// One of this process: its commit's flush serves this one as well.
    case own
    /// One of another process, which may begin while this one flushes.
    case foreign
  }

  /// Returns the writer that waits for the transaction that commits now, or comes soon.
  func nextWriter(_ isFollowed: Bool) -> NextWriter {
    guard options.durability == .full else { return .unknown }
    if isFollowed || writers.hasWaiting || turns.hasWaiting { return .own }
    guard writers.flushes.areSlow, let mark = WaitingMark(of: handle) else { return .unknown }
    return mark.isSetByAnother ? .foreign : .unknown
  }

  /// Runs `begin`, which waits for LMDB's write lock; writers of other processes see that it does.
  func whileMarkedWaiting<R>(_ begin: () throws -> R) rethrows -> R {
    guard options.durability == .full, writers.flushes.areSlow, let mark = WaitingMark(of: handle) else {
      return try begin()
    }
    mark.set()
    defer { mark.clear() }
    return try begin()
  }

  /// Commits a transaction of LMDB, under the write lock.
  ///
  /// - Parameter hasChanged: Whether anything was written, also what was undone.
  /// - Parameter next: Who writes next; where that is known, the caller can wait for durability after it has given up the lock.
  /// - Returns: LMDB's result, and whether the commit is durable only with the next flush: `waitForFlush` comes next then.
  func commit(
    _ transaction: OpaquePointer, _ number: UInt64, hasChanged: Bool, next: NextWriter
  ) -> (result: Int32, isLate: Bool) {
    guard options.durability == .full else { return (mdb_txn_commit(transaction), false) }
    let flushes = writers.flushes
    let isLate = next != .unknown && flushes.allowsLate { FlushedFile(of: handle) }
    let isNoted = flushes.commitBegan(isLate: isLate)
    // How long a flush takes matters only where someone could share it.
    let isTimed = next != .unknown || flushes.wantsDuration(of: number)
    let began = isTimed ? DispatchTime.now().uptimeNanoseconds : 0
    // The flag is read when the meta page is written, by the one thread that commits.
    if isLate { mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 1) }
    let result = mdb_txn_commit(transaction)
    if isLate { mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 0) }
    let outcome = outcome(result, number, hasChanged, isLate: isLate)
    if isNoted {
      flushes.commitEnded(outcome)
    } else if case .failed = outcome {
      flushes.commitFailed()
    }
    switch outcome {
    case .made:
      if isTimed {
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - began) / (isLate ? 1e9 : 2e9)
        flushes.noteDuration(seconds) { FlushedFile.isUseful(for: handle) }
      }
      return (result, isLate)
    case .unclear: return (result, isLate)
    case .unchanged, .failed: return (result, false)
    }
  }

  /// Returns the outcome of a commit. A transaction that wrote nothing makes no meta page and flushes nothing; the next one has its number, and
  /// another process may have made that one meanwhile.
  private func outcome(
    _ result: Int32, _ number: UInt64, _ hasChanged: Bool, isLate: Bool
  ) -> FlushQueue.Outcome {
    guard result == 0 else { return .failed }
    let newest = lastTransactionID
    if newest < number { return .unchanged }
    return newest == number && hasChanged ? .made(number, isLate: isLate) : .unclear(number, isLate: isLate)
  }

  /// Waits until a late commit is durable. Not under the write lock.
  ///
  /// When a flush fails, nothing can be known of what was written before it: the environment is dead then.
  func waitForFlush(_ transaction: UInt64, before next: NextWriter) throws {
    let result = writers.flushes.wait(for: transaction, isPatient: next == .own)
    guard result != 0 else { return }
    let error = LMDBError(
      .init(rawValue: result), "fdatasync",
      detail: "\(path): it is not known whether the last commits are on the disk; close it in this process and reopen")
    health.condemn(error)
    throw error
  }
}
