import Foundation

/// Lets one thread of this process write at a time, in the order of asking.
///
/// LMDB's own lock is not recursive: a thread that begins twice would wait for itself for ever.
final class WriterGate: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  private let condition = NSCondition()
  private var owner: pthread_t?
  private var ownerNumber: Int32 = 0
  /// Set once a transaction can never be ended: no writer is let in again.
  private var failure: LMDBError?
  private var nextTicket: UInt64 = 0
  private var serving: UInt64 = 0

  /// Waits for the other writers of this process; throws `wrongThread` when this thread is writing already, and when
  /// the writing thread has ended without ending its transaction: no other thread can do it.
  func acquire() throws {
    let me = pthread_self()
    condition.lock()
    defer { condition.unlock() }
    if let failure { throw failure }
    if let owner, pthread_equal(owner, me) != 0 {
      throw LMDBError(
        .wrongThread, "begin of a write transaction",
        detail: "this thread has one already; commit or cancel it first, or use a savepoint")
    }
    let ticket = nextTicket
    nextTicket += 1
    while serving != ticket && failure == nil {
      if !condition.wait(until: Date(timeIntervalSinceNow: 0.5)) { noticeDeadOwner() }
    }
    if let failure { throw failure }
    owner = me
    ownerNumber = currentThreadNumber()
  }

  /// Whether some thread of this process writes.
  var isHeld: Bool {
    condition.lock()
    defer { condition.unlock() }
    return owner != nil
  }

  private func noticeDeadOwner() {
    guard owner != nil, !isThreadAlive(ownerNumber) else { return }
    failure = Self.lost("a thread ended without ending its write transaction; restart this process")
    condition.broadcast()
  }

  /// Lets no writer in any more: the write lock is held by a transaction that cannot be ended.
  func close(because detail: String) {
    condition.lock()
    failure = failure ?? Self.lost(detail)
    condition.broadcast()
    condition.unlock()
  }

  private static func lost(_ detail: String) -> LMDBError {
    LMDBError(.wrongThread, "begin of a write transaction", detail: detail)
  }

  func release() {
    condition.lock()
    owner = nil
    serving += 1
    condition.broadcast()
    condition.unlock()
  }
}
