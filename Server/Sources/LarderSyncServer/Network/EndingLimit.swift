import Logging
import Synchronization

/// Gives up what waits for the database when a server has been ending for too long.
final class EndingLimit: Sendable {
  private let store: any SyncStore
  private let time: Duration
  private let logger: Logger
  private let task = Mutex<Task<Void, any Error>?>(nil)

  init(_ store: any SyncStore, _ time: Duration, _ logger: Logger) {
    self.store = store
    self.time = time
    self.logger = logger
  }

  /// The server begins to end.
  func start() {
    task.withLock { task in
      guard task == nil else { return }
      task = Task { [store, time, logger] in
        try await Task.sleep(for: time)
        logger.warning("the database does not answer; the server ends, and devices send again what was not merged")
        store.abandon()
      }
    }
  }

  /// The server has ended.
  func cancel() { task.withLock { $0?.cancel() } }
}
