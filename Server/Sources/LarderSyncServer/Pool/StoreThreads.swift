import Foundation
import Synchronization

/// Threads that each have a connection of their own, which blocks them while it works. Tasks wait for them without holding a thread of
/// the concurrency runtime.
final class StoreThreads: Sendable {
  typealias Connector = @Sendable () throws(SQLFailure) -> any SQLConnection
  private typealias Job = @Sendable (StoreWorker?) -> Void

  private let queue = Queue()

  /// - Parameter connect: makes the connection of a thread at its first use, and each time it was lost.
  init(count: Int, name: String, connect: @escaping Connector) {
    for number in 1...max(1, count) {
      let thread = Thread { [queue] in queue.work(StoreWorker(connect) { queue.isAbandoned }) }
      thread.name = "\(name) \(number)"
      thread.start()
    }
  }

  deinit { queue.close() }

  /// Runs a body on one of the threads, and returns what it returns.
  ///
  /// - Throws: what the body throws; `SyncStoreError` of kind `closed` after `close` and at `abandon`; `CancellationError` when the task was
  ///   cancelled before the body began.
  func perform<R: Sendable>(_ body: @escaping @Sendable (StoreWorker) throws -> R) async throws -> R {
    let token = CancellationToken()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
        let answer = StoreAnswer(continuation)
        let number = queue.expect { answer.give(.failure(SyncStoreError(.closed, "the store has been abandoned"))) }
        queue.add { [queue] worker in
          defer { queue.forget(number) }
          guard let worker else {
            return answer.give(.failure(SyncStoreError(.closed, "the store has been closed")))
          }
          guard !token.isCancelled else { return answer.give(.failure(CancellationError())) }
          answer.give(Result { try body(worker) })
        }
      }
    } onCancel: {
      token.cancel()
    }
  }

  /// Lets the threads end after what they do now; what waits is refused.
  func close() { queue.close() }

  /// Closes as `close` does, and answers those who wait for what the threads do now. It is not known then whether that happens.
  func abandon() { queue.abandon() }

  // Unchecked: the state is read and changed with the condition's lock held.
  private final class Queue: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [Job] = []
    private var next = 0
    private var isClosed = false
    private var abandoned = false
    private var awaited: [UInt64: @Sendable () -> Void] = [:]
    private var lastAwaited: UInt64 = 0

    var isAbandoned: Bool { condition.withLock { abandoned } }

    /// Has a closure called when the queue is abandoned, unless that number is forgotten before.
    func expect(_ giveUp: @escaping @Sendable () -> Void) -> UInt64 {
      condition.withLock {
        lastAwaited += 1
        awaited[lastAwaited] = giveUp
        return lastAwaited
      }
    }

    func forget(_ number: UInt64) { _ = condition.withLock { awaited.removeValue(forKey: number) } }

    func abandon() {
      close()
      let left = condition.withLock {
        abandoned = true
        defer { awaited = [:] }
        return Array(awaited.values)
      }
      for giveUp in left { giveUp() }
    }

    func add(_ job: @escaping Job) {
      condition.lock()
      let refused = isClosed
      if !refused { jobs.append(job) }
      condition.signal()
      condition.unlock()
      if refused { job(nil) }
    }

    func close() {
      condition.lock()
      isClosed = true
      let refused = Array(jobs[next...])
      jobs = []
      next = 0
      condition.broadcast()
      condition.unlock()
      for job in refused { job(nil) }
    }

    func work(_ worker: StoreWorker) {
      while let job = take() { job(worker) }
    }

    private func take() -> Job? {
      condition.lock()
      defer { condition.unlock() }
      while next == jobs.count && !isClosed { condition.wait() }
      guard next < jobs.count else { return nil }
      let job = jobs[next]
      next += 1
      // Taken ones are let go in pieces, so that taking costs the same however many wait.
      if next == jobs.count || next > 1000 {
        jobs.removeFirst(next)
        next = 0
      }
      return job
    }
  }
}

/// The answer to a call, of which the first one counts.
private final class StoreAnswer<Value: Sendable>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Value, any Error>?>

  init(_ continuation: CheckedContinuation<Value, any Error>) { self.continuation = Mutex(continuation) }

  func give(_ result: Result<Value, any Error>) {
    let waiting = continuation.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(with: result)
  }
}

/// The state of one of the threads: its connection. Belongs to that thread.
final class StoreWorker {
  private let connect: StoreThreads.Connector
  private let abandoned: () -> Bool
  private var made: (any SQLConnection)?

  /// - Parameter isAbandoned: Whether no one waits for the thread any more.
  init(_ connect: @escaping StoreThreads.Connector, isAbandoned: @escaping () -> Bool = { false }) {
    self.connect = connect
    abandoned = isAbandoned
  }

  /// True if no caller waits for what the thread does.
  var isAbandoned: Bool { abandoned() }

  /// The connection, made when there is none.
  func connection() throws(SQLFailure) -> any SQLConnection {
    if let made { return made }
    let connection = try connect()
    made = connection
    return connection
  }

  /// Forgets the connection, which is of no use any more.
  func disconnect() { made = nil }
}
