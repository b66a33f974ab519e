import Foundation

/// Threads that each have a connection of their own, which blocks them while it works. Tasks wait for them without holding a thread of
/// the concurrency runtime.
final class StoreThreads: Sendable {
  typealias Connector = @Sendable () throws(SQLFailure) -> any SQLConnection
  private typealias Job = @Sendable (StoreWorker?) -> Void

  private let queue = Queue()

  /// - Parameter connect: makes the connection of a thread at its first use, and each time it was lost.
  init(count: Int, name: String, connect: @escaping Connector) {
    for number in 1...max(1, count) {
      let thread = Thread { [queue] in queue.work(StoreWorker(connect)) }
      thread.name = "\(name) \(number)"
      thread.start()
    }
  }

  deinit { queue.close() }

  /// What the body returns, on one of the threads.
  ///
  /// - Throws: what the body throws; `SyncStoreError` of kind `closed` after `close`; `CancellationError` when the task was cancelled
  ///   before the body began.
  func perform<R: Sendable>(_ body: @escaping @Sendable (StoreWorker) throws -> R) async throws -> R {
    let token = CancellationToken()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<R, any Error>) in
        queue.add { worker in
          guard let worker else {
            return continuation.resume(throwing: SyncStoreError(.closed, "the store has been closed"))
          }
          guard !token.isCancelled else { return continuation.resume(throwing: CancellationError()) }
          continuation.resume(with: Result { try body(worker) })
        }
      }
    } onCancel: {
      token.cancel()
    }
  }

  /// Lets the threads end after what they do now; what waits is refused.
  func close() { queue.close() }

  // Unchecked: the state is read and changed with the condition's lock held.
  private final class Queue: @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [Job] = []
    private var next = 0
    private var isClosed = false

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

/// What one of the threads has: its connection. Belongs to that thread.
final class StoreWorker {
  private let connect: StoreThreads.Connector
  private var made: (any SQLConnection)?

  init(_ connect: @escaping StoreThreads.Connector) { self.connect = connect }

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
