import Foundation

/// Lets one thread of this process write at a time, in the order of asking, but for the few that `WriterQueue` lets pass.
///
/// LMDB's own lock is not recursive: a thread that begins twice would wait for itself for ever.
final class WriterGate: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `lock`.
  private let lock = NSLock()
  private var queue = WriterQueue<DispatchSemaphore>()
  /// The queue that makes the commits of successive writers durable.
  let flushes = SharedFlush()
  /// The turns of transactions on the writer thread.
  let turns = WriterTurns()
  private var owner: pthread_t?
  private var ownerNumber: Int32 = 0
  /// Set once a transaction can never be ended: no writer is let in again.
  private var failure: LMDBError?

  /// Waits for the other writers of this process; throws `wrongThread` when this thread is writing already, and when
  /// the writing thread has ended without ending its transaction: no other thread can do it.
  func acquire() throws {
    guard let semaphore = try lock.withLock({ try enter() }) else { return }
    while true {
      let isWoken = semaphore.wait(timeout: .now() + 0.5) == .success
      if try lock.withLock({ try resume(semaphore, isWoken: isWoken) }) { return }
    }
  }

  /// Nil when this thread is the owner now, else what it is to wait for.
  private func enter() throws -> DispatchSemaphore? {
    if let failure { throw failure }
    if let owner, pthread_equal(owner, pthread_self()) != 0 {
      throw LMDBError(
        .wrongThread, "begin of a write transaction",
        detail: "this thread has one already; commit or cancel it first, or use a savepoint")
    }
    if queue.enter() {
      becomeOwner()
      return nil
    }
    let semaphore = DispatchSemaphore(value: 0)
    queue.join(semaphore)
    return semaphore
  }

  private func resume(_ semaphore: DispatchSemaphore, isWoken: Bool) throws -> Bool {
    if !isWoken { noticeDeadOwner() }
    if let failure { throw failure }
    guard isWoken, queue.resume() else { return false }
    becomeOwner()
    return true
  }

  private func becomeOwner() {
    owner = pthread_self()
    ownerNumber = currentThreadNumber()
  }

  /// True if some thread of this process writes.
  var isHeld: Bool { lock.withLock { owner != nil } }

  /// True if other threads of this process wait.
  var hasWaiting: Bool { lock.withLock { !queue.waiting.isEmpty } }

  private func noticeDeadOwner() {
    guard owner != nil, !isThreadAlive(ownerNumber) else { return }
    fail(Self.lost("a thread ended without ending its write transaction; restart this process"))
  }

  /// Lets no writer in any more: the write lock is held by a transaction that cannot be ended.
  func close(because detail: String) { lock.withLock { fail(Self.lost(detail)) } }

  private func fail(_ error: LMDBError) {
    guard failure == nil else { return }
    failure = error
    for semaphore in queue.waiting { semaphore.signal() }
  }

  private static func lost(_ detail: String) -> LMDBError {
    LMDBError(.wrongThread, "begin of a write transaction", detail: detail)
  }

  func release() {
    let next = lock.withLock {
      owner = nil
      return queue.leave()
    }
    next?.signal()
  }
}
