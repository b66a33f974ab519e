import DequeModule
import Foundation

/// One OS thread that runs closures in order: where write transactions live whose callers may hop between threads.
///
/// A write transaction must begin and end on one thread; a queue, a task or an actor promises no such thing. What
/// runs here does. It stops when the last reference to it goes; closures given before still run.
package final class WriterThread: Sendable {
  private let loop: Loop

  package init(name: String) {
    let loop = Loop()
    self.loop = loop
    let thread = Thread { loop.run() }
    thread.name = name
    thread.stackSize = 8 << 20
    thread.start()
  }

  deinit { loop.stop() }

  /// True on this very thread.
  package var isCurrent: Bool { loop.isCurrent }

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
    private var thread: pthread_t?

    var isCurrent: Bool {
      condition.lock()
      defer { condition.unlock() }
      guard let thread else { return false }
      return pthread_equal(thread, pthread_self()) != 0
    }

    func append(_ body: @escaping @Sendable () -> Void) {
      condition.lock()
      queue.append(body)
      condition.signal()
      condition.unlock()
    }

    func stop() {
      condition.lock()
      isStopped = true
      condition.signal()
      condition.unlock()
    }

    func run() {
      condition.lock()
      thread = pthread_self()
      condition.unlock()
      while runNext() {}
    }

    /// Waits for a closure and runs it; false when there is none and there will be none.
    ///
    /// The closure goes before anything is locked again: what it held may be the last reference to what owns this thread, which then
    /// stops it.
    private func runNext() -> Bool {
      condition.lock()
      while queue.isEmpty && !isStopped { condition.wait() }
      guard let body = queue.popFirst() else {
        thread = nil
        condition.unlock()
        return false
      }
      condition.unlock()
      body()
      return true
    }
  }
}
