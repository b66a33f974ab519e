import CLMDB
import Dispatch

/// Committing with two flushes, or with one where another writer waits (`SharedFlush`).
extension Environment {
  /// Commits a transaction of LMDB, under the write lock.
  ///
  /// - Parameter mayBeLate: Whether another writer comes, and the caller can wait for durability after it has given up the lock.
  /// - Returns: LMDB's result, and whether the commit is durable only with the next flush: `waitForFlush` comes next then.
  func commit(_ transaction: OpaquePointer, _ number: UInt64, mayBeLate: Bool) -> (result: Int32, isLate: Bool) {
    guard options.durability == .full else { return (mdb_txn_commit(transaction), false) }
    let flushes = writers.flushes
    // How long a flush takes matters only where someone could share it.
    let isLate = mayBeLate && flushes.allowsLate { FlushedFile(of: handle) }
    let isNoted = flushes.commitBegan(isLate: isLate)
    let began = mayBeLate ? DispatchTime.now().uptimeNanoseconds : 0
    // The flag is read when the meta page is written, by the one thread that commits.
    if isLate { mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 1) }
    let result = mdb_txn_commit(transaction)
    if isLate { mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 0) }
    // A transaction that wrote nothing makes no meta page, and flushes nothing.
    let isMade = result == 0 && lastTransactionID == number
    if isNoted {
      flushes.commitEnded(isMade ? .made(number, isLate: isLate) : result == 0 ? .unchanged : .failed)
    }
    if mayBeLate && isMade {
      flushes.noteDuration(Double(DispatchTime.now().uptimeNanoseconds - began) / (isLate ? 1e9 : 2e9))
    }
    return (result, isLate && isMade)
  }

  /// Whether another writer of this process waits for the one that commits now, or comes soon.
  func isAnotherComing(_ isFollowed: Bool) -> Bool {
    options.durability == .full && (isFollowed || writers.hasWaiting || turns.hasWaiting)
  }

  /// Waits until a late commit is durable. Not under the write lock.
  ///
  /// When a flush fails, nothing can be known of what was written before it: the environment is dead then.
  func waitForFlush(_ transaction: UInt64) throws {
    let result = writers.flushes.wait(for: transaction)
    guard result != 0 else { return }
    let error = LMDBError(
      .init(rawValue: result), "fdatasync",
      detail: "\(path): it is not known whether the last commits are on the disk; close it in this process and reopen")
    health.condemn(error)
    throw error
  }
}
