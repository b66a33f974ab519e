import LarderLocks
import LarderStorage

/// Keeps one store level with a server. One per store and process.
///
/// All members may be used from any thread.
package final class SyncEngine: Sendable {
  package let store: Store
  package let configuration: EngineConfiguration
  private let board = EngineBoard()
  private let loop: EngineLoop
  private let changes: StoreChanges
  private let commitHandler: Int
  private let watch: CommitWatch?

  /// - Throws: `StorageError` when the store has no synced class, or cannot be read.
  package init(store: Store, configuration: EngineConfiguration) throws {
    guard try store.snapshot().schema.hasSync else {
      throw StorageError(
        .invalidSchema, "'\(store.path)' has no synced class: there is nothing to synchronise.", path: store.path)
    }
    self.store = store
    self.configuration = configuration
    let loop = EngineLoop(store, configuration, board)
    let changes = StoreChanges(loop)
    self.loop = loop
    self.changes = changes
    watch = try store.watchCommits { changes.note() }
    commitHandler = store.addCommitHandler { _ in changes.note() }
  }

  deinit {
    store.removeCommitHandler(commitHandler)
    Task(executorPreference: StoreTaskExecutor.shared) { [loop] in await loop.stop() }
  }

  /// The status of the engine.
  package var status: EngineStatus { board.status }

  /// Calls `body` with each event, on the engine's own executor and in order, until the observation is invalidated.
  package func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EngineObservation {
    board.observers.add(body)
  }

  /// Begins to connect.
  package func start() { handle(.start) }

  /// Closes the connection until `resume`.
  package func suspend() { handle(.suspend) }

  /// Connects again after `suspend`, and after a failure that made the engine inactive.
  package func resume() { handle(.resume) }

  /// Connects now instead of at the end of the present back-off.
  package func reconnect() { handle(.reconnect) }

  /// Ends the engine; waits fail with `EngineFailure.stopped`.
  package func stop() async { await loop.stop() }

  /// Says that a new set of subscriptions was committed in the store.
  package func subscriptionsChanged() { changes.note() }

  /// Says that there was a commit. The engine notices those of this process, and soon those of others, by itself.
  package func storeChanged() { changes.note() }

  /// Asks the token source again, now.
  package func updateToken() { handle(.tokenIsOld(.connecting)) }

  /// Says that the program was notified of the writes of the oldest event `.rejected` that it was not notified of before: the store forgets them.
  package func refusalsReported() {
    Task(executorPreference: StoreTaskExecutor.shared) { [loop] in await loop.refusalsReported() }
  }

  /// Waits until all commits made before the call are durable on the server (Y-36). It returns at once when they are, also without a connection.
  ///
  /// - Throws: `EngineFailure` when the engine ends, or cannot go on by itself; `CancellationError`.
  package func waitForUpload() async throws { try await loop.waitForUpload() }

  /// Waits until everything that the server had at the call is in the store (Y-36).
  ///
  /// - Throws: As `waitForUpload`.
  package func waitForDownload() async throws { try await loop.waitForDownload() }

  private func handle(_ event: ConnectionState.Event) {
    loop.enqueue(event)
  }
}

/// Commits that a loop has not looked at: many of them are one look.
private final class StoreChanges: Sendable {
  private let loop: EngineLoop
  private let isNoted = Lock(false)

  init(_ loop: EngineLoop) { self.loop = loop }

  func note() {
    let isFirst = isNoted.withLock { isNoted in
      defer { isNoted = true }
      return !isNoted
    }
    guard isFirst else { return }
    Task(executorPreference: StoreTaskExecutor.shared) { [self] in
      isNoted.withLock { $0 = false }
      await loop.storeChanged()
    }
  }
}
