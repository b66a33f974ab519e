import Dispatch
import LarderLocks
import LarderStorage

/// The place of a block that writes: it runs on the thread of the store's write transactions, in the caller's task, when its turn has come.
///
/// So the task changes threads twice, and the transaction begins and ends on one.
actor ScopedWrite {
  private nonisolated let turn: WriteTurn
  private nonisolated let lent: LentRealm

  init(_ lent: LentRealm) {
    self.lent = lent
    turn = WriteTurn(lent.core.store)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { turn.asUnownedSerialExecutor() }

  /// Waits for the write lock, runs the block in a transaction and commits it.
  ///
  /// Throws `CancellationError` when the task is cancelled before the block has begun.
  ///
  /// - Parameter newest: The newest version, kept until the transaction has begun.
  nonisolated func write<Result>(
    at newest: Snapshot?, _ block: @Sendable (Realm) throws -> sending Result
  ) async throws -> UncheckedBox<Result> {
    if lent.core.isReadOnly { misuse("This Realm is read-only and cannot be written.") }
    let written = try await withTaskCancellationHandler {
      try await run(newest, block)
    } onCancel: {
      turn.cancel()
    }
    if let commit = written.value.commit {
      await withCheckedContinuation { continuation in commit.whenDone { continuation.resume() } }
      try lent.core.finishInScope(commit)
    }
    return UncheckedBox(written.value.result)
  }

  private func run<Result>(
    _ newest: Snapshot?, _ block: @Sendable (Realm) throws -> sending Result
  ) throws -> UncheckedBox<(result: Result, commit: BackgroundCommit?)> {
    let opened = try withExtendedLifetime(newest) { try turn.take() }
    return UncheckedBox(try lent.core.writeInScope(opened, block))
  }
}

/// Runs the one job of a `ScopedWrite` on the store's thread when its transaction has begun; elsewhere and at once when it was cancelled
/// before.
private final class WriteTurn: SerialExecutor {
  private struct State {
    var job: UnownedJob?
    var isCancelled = false
    var request: WriterRequest?
    var answer: Result<LentWriter, any Error>?
  }

  private let store: Store
  private let state = Lock(State())

  init(_ store: Store) { self.store = store }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.job = job }
      return state.isCancelled
    }
    if isCancelled { return runElsewhere(job) }
    let request = store.requestWrite { self.receive($0) }
    let isLate = state.withLock { state in
      state.request = request
      return state.isCancelled
    }
    if isLate { _ = request.cancel() }
  }

  private func receive(_ answer: Result<LentWriter, any Error>) {
    let job = state.withLock { state -> UnownedJob? in
      if state.job != nil { state.answer = answer }
      return state.job.take()
    }
    if let job {
      job.runSynchronously(on: asUnownedSerialExecutor())
    } else {
      try? answer.get().writer.cancel()
    }
  }

  /// Ends the wait, unless it is over.
  func cancel() {
    let (job, request) = state.withLock { state in
      state.isCancelled = true
      return (state.job.take(), state.request)
    }
    _ = request?.cancel()
    if let job { runElsewhere(job) }
  }

  private func runElsewhere(_ job: UnownedJob) {
    DispatchQueue.global(qos: .userInitiated).async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// The transaction; throws where there is none.
  func take() throws -> StoreWriter {
    guard let answer = state.withLock({ $0.answer.take() }) else { throw CancellationError() }
    do { return try answer.get().writer } catch { throw Realm.Error(error, path: store.path) }
  }
}
