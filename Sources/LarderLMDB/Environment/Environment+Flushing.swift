import CLMDB
import Dispatch

/// Committing with two flushes, or with one where another writer waits (`SharedFlush`).
extension Environment {
  /// Commits a transaction of LMDB, under the write lock.
  ///
  /// - Parameter mayBeLate: Whether the caller can wait for its durability after it has given up the lock.
  /// - Returns: LMDB's result, and whether the commit is durable only with the next flush: `waitForFlush` comes next then.
  func commit(_ transaction: OpaquePointer, _ number: UInt64, mayBeLate: Bool) -> (result: Int32, isLate: Bool) {
    guard options.durability == .full else { return (mdb_txn_commit(transaction), false) }
    // How long a flush takes matters only where someone could share it.
    let isMeasured = mayBeLate && writers.hasWaiting
    let isLate = isMeasured && writers.flushes.isWorthwhile
    writers.flushes.commitBegan()
    let began = isMeasured ? DispatchTime.now().uptimeNanoseconds : 0
    // The flag is read when the meta page is written, by the one thread that commits.
    if isLate { mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 1) }
    let result = mdb_txn_commit(transaction)
    if isLate { mdb_env_set_flags(handle, UInt32(MDB_NOMETASYNC), 0) }
    // A transaction that wrote nothing makes no meta page, and flushes nothing.
    let made = result == 0 && lastTransactionID == number ? number : nil
    let spent = isMeasured ? Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9 : 0
    let seconds = isMeasured && made != nil ? spent / (isLate ? 1 : 2) : nil
    writers.flushes.commitEnded(made, isLate: isLate, seconds: seconds)
    return (result, isLate && made != nil)
  }

  /// Waits until a late commit is durable. Not under the write lock.
  ///
  /// When a flush fails, nothing can be known of what was written before it: the environment is dead then.
  func waitForFlush(_ transaction: UInt64) throws {
    let result = writers.flushes.wait(for: transaction) { mdb_env_sync(handle, 1) }
    guard result != 0 else { return }
    let error = LMDBError(
      .init(rawValue: result), "mdb_env_sync",
      detail: "\(path): it is not known whether the last commits are on the disk; close it in this process and reopen")
    health.condemn(error)
    throw error
  }
}
