import DequeModule
import Foundation

/// Runs closures in order, one at a time: where write transactions live whose callers may hop between threads.
///
/// A write transaction must begin and end on one thread; a queue, a task or an actor promises no such thing. Closures run on one of the
/// threads that stores share (`StoreThreads`): the same one from the first closure until there are no more and it is not held. So an
/// idle store has no thread. With the last reference the closures given before still run.
package final class WriterThread: Sendable {
  private let loop = Loop()

  package init() {}

  deinit { loop.stop() }

  /// True within a closure that runs here.
  package var isCurrent: Bool { loop.isCurrent }

  /// Has the closures to come run on this very thread until `letGo()`. Does nothing elsewhere than within such a closure.
  func hold() { loop.setHeld(true) }

  /// Ends `hold()`. Does nothing elsewhere than within a closure that runs here.
  func letGo() { loop.setHeld(false) }

  /// Runs a closure there later. Dropped when the thread was stopped before.
  package func submit(_ body: @escaping @Sendable () -> Void) { loop.append(body) }

  /// Runs a closure there and waits; at once when called from there. Rethrows what it throws.
  @available(*, noasync, message: "waits for the writer thread: use perform")
  package func run<R>(_ body: () throws -> R) throws -> R {
    if isCurrent { return try body() }
    return try withoutActuallyEscaping(body) { body in
      let call = Call(body)
      loop.append { call.execute() }
      return try call.wait()
    }
  }

  /// Runs a closure there and suspends until it is done. Rethrows what it throws.
  package func perform<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      loop.append { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Waits until the closures that were given have run and are released, for a second at most. At once where there are none, and within one.
  @available(*, noasync, message: "waits for the writer thread")
  func drain() {
    guard loop.isRunning, !isCurrent else { return }
    let done = DispatchSemaphore(value: 0)
    submit { done.signal() }
    _ = done.wait(timeout: .now() + 1)
  }

  /// A closure whose caller waits for it.
  private final class Call<R>: @unchecked Sendable {
    // Unchecked: the caller waits on the semaphore while the other thread uses `body` and sets `result`.
    private var body: (() throws -> R)?
    private var result: Result<R, any Error>?
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping () throws -> R) { self.body = body }

    func execute() {
      callBody()
      done.signal()
    }

    /// Lets go of the closure before the caller goes on: it does not escape the caller's frame.
    private func callBody() {
      guard let body else { return }
      self.body = nil
      result = Result { try body() }
    }

    func wait() throws -> R {
      done.wait()
      guard let result else { preconditionFailure("signalled before the result was set") }
      return try result.get()
    }
  }

  private final class Loop: @unchecked Sendable {
    // Unchecked: everything mutable is guarded by `condition`.
    private let condition = NSCondition()
    private var queue: Deque<@Sendable () -> Void> = []
    private var isStopped = false
    private var isHeld = false
    /// True if one of the shared threads runs the closures, or will.
    private var hasThread = false
    private var thread: pthread_t?

    var isCurrent: Bool { condition.withLock { isThread } }

    var isRunning: Bool { condition.withLock { hasThread } }

    /// True if the caller is on the thread that runs the closures. Under the lock.
    private var isThread: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    func setHeld(_ isHeld: Bool) { condition.withLock { if isThread { self.isHeld = isHeld } } }

    func append(_ body: @escaping @Sendable () -> Void) {
      condition.lock()
      queue.append(body)
      let needsThread = !hasThread
      hasThread = true
      if !needsThread { condition.signal() }
      condition.unlock()
      if needsThread { StoreThreads.shared.run { self.run() } }
    }

    func stop() {
      condition.lock()
      isStopped = true
      condition.signal()
      condition.unlock()
    }

    private func run() {
      condition.withLock { thread = pthread_self() }
      while runNext() {}
    }

    /// Runs a closure; false when there is none and the thread is not held, which then is another's.
    ///
    /// The closure goes before anything is locked again: what it held may be the last reference to what owns this, which then stops it.
    private func runNext() -> Bool {
      condition.lock()
      while queue.isEmpty && isHeld && !isStopped { condition.wait() }
      guard let body = queue.popFirst() else {
        (thread, hasThread, isHeld) = (nil, false, false)
        condition.unlock()
        return false
      }
      condition.unlock()
      body()
      return true
    }
  }
}
