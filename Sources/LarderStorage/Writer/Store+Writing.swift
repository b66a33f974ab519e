import Dispatch
import LarderLMDB
import LarderLocks

/// A writer on its way to the caller that asked for it.
package struct LentWriter: @unchecked Sendable {
  // Unchecked: one side lets go of it before the other takes it.
  package let writer: StoreWriter
}

/// A writer that was asked for.
package struct WriterRequest: Sendable {
  fileprivate let request: WriteRequest

  /// Takes the request back. False when its turn had come: it is or will be answered, and the writer must be ended.
  package func cancel() -> Bool { request.cancel() }
}

extension Store {
  /// Begins the write transaction; waits for the one writer of the file, in whatever process it is.
  ///
  /// The writer is used and ended on the calling thread.
  package func beginWrite() throws -> StoreWriter {
    try refuseReadOnly()
    return try storageErrors(path) { try makeWriter(try environment.beginWrite()) }
  }

  /// Asks for a writer that may be used by any one thread at a time and ended anywhere; several are answered one after the
  /// other, in the order of asking.
  ///
  /// - Parameters:
  ///   - isFirst: Before all other requests.
  ///   - answer: Called on a thread of the store's; it must hand the writer on and not wait.
  package func requestWrite(
    isFirst: Bool = false, _ answer: @escaping @Sendable (Result<LentWriter, any Error>) -> Void
  ) -> WriterRequest {
    let request = environment.requestWrite(isFirst: isFirst) { [self] result in
      answer(
        Result {
          try storageErrors(path) { LentWriter(writer: try makeWriter(try result.get().transaction)) }
        })
    }
    return WriterRequest(request: request)
  }

  /// Begins a transaction as `requestWrite` does, waiting for it.
  package func beginLentWrite() throws -> StoreWriter {
    try refuseReadOnly()
    let done = DispatchSemaphore(value: 0)
    let answer = Lock<Result<LentWriter, any Error>?>(nil)
    _ = requestWrite { result in
      answer.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = answer.withLock({ $0 }) else { preconditionFailure("signalled without an answer") }
    return try result.get().writer
  }

  /// Begins a transaction as `beginLentWrite()` does, waiting for at most so many seconds; nil when the lock was not to be had.
  ///
  /// Only waiting can tell that another process holds the lock: a few milliseconds are the least that makes sense.
  package func beginLentWrite(timeout seconds: Double) throws -> StoreWriter? {
    try refuseReadOnly()
    let answer = TimedAnswer()
    let request = requestWrite { answer.receive($0) }
    if let result = answer.wait(seconds) { return try result.get().writer }
    _ = request.cancel()
    return nil
  }

  private func refuseReadOnly() throws {
    guard !options.readOnly else {
      throw StorageError(.permissionDenied, "'\(path)' is open read-only.", path: path)
    }
  }

  private func makeWriter(_ transaction: WriteTransaction) throws -> StoreWriter {
    do {
      let base = try snapshot()
      guard !base.schema.hasSync || transaction.knowsOptionalTables else {
        throw StorageError(
          .unknownFeature,
          "Another process has just switched on synchronisation of '\(path)': begin the transaction again.",
          path: path)
      }
      return try StoreWriter(store: self, base: base, transaction: transaction)
    } catch {
      transaction.abort()
      throw error
    }
  }
}

/// The answer to a request that is waited for only so long; a writer that comes later is ended at once.
private final class TimedAnswer: Sendable {
  private enum State {
    case waiting
    case answered(Result<LentWriter, any Error>)
    case givenUp
  }

  private let state = Lock(State.waiting)
  private let done = DispatchSemaphore(value: 0)

  func receive(_ result: Result<LentWriter, any Error>) {
    let isLate = state.withLock { state -> Bool in
      if case .givenUp = state { return true }
      state = .answered(result)
      return false
    }
    if isLate { try? result.get().writer.cancel() } else { done.signal() }
  }

  /// Nil when time was up first.
  func wait(_ seconds: Double) -> Result<LentWriter, any Error>? {
    _ = done.wait(timeout: .now() + seconds)
    return state.withLock { state in
      if case .answered(let result) = state { return result }
      state = .givenUp
      return nil
    }
  }
}

extension StoreWriter {
  /// True if other threads than the one that began it may use and end it.
  package var isLent: Bool { transaction.isLent }
}

extension LentWriter {
  /// Gives a lent writer up, to be committed.
  package init(committing writer: StoreWriter) { self.writer = writer }

  /// Commits it on the store's own thread. The caller must not touch the writer any more.
  ///
  /// - Parameters:
  ///   - isFollowed: Whether another write comes soon that has not asked for the lock yet: its flush may do for both.
  ///   - made: Called there when the commit can be read, or has failed, with `spentClasses` then; the next writer begins meanwhile.
  ///   - durable: Called after it on a thread of the store's when the commit is durable; with an error when that cannot be known. Not
  ///     after a failure.
  package func commitInBackground(
    isFollowed: Bool, made: @escaping @Sendable (Result<CommitOutcome, any Error>, Set<ClassID>) -> Void,
    durable: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let store = writer.store
    do {
      try store.checkProcess()
    } catch {
      // A child that was forked off has no such thread.
      writer.cancel()
      return made(.failure(error), writer.spentClasses)
    }
    store.environment.writerThread.submit {
      let ended = Result { try writer.commitSharingFlush(isFollowed: isFollowed) }
      made(ended.map(\.outcome), writer.spentClasses)
      guard case .success(let (_, late)) = ended else { return }
      guard let late else { return durable(nil) }
      late.whenDurable { result in
        do {
          try storageErrors(store.path) { try result.get() }
          durable(nil)
        } catch {
          durable(error)
        }
      }
    }
  }
}
