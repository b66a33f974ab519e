import LarderLocks
import LarderStorage

/// Keeps one store level with a server. One per store and process.
///
/// All members may be used from any thread.
package final class SyncEngine: Sendable {
  package let store: Store
  package let configuration: EngineConfiguration
  private let observers = EngineObservers()
  private let current = Lock(EngineStatus())

  /// - Throws: `StorageError` when the store has no synced class, or its state of synchronisation is damaged.
  package init(store: Store, configuration: EngineConfiguration) throws {
    self.store = store
    self.configuration = configuration
  }

  /// What the engine is doing.
  package var status: EngineStatus { current.withLock { $0 } }

  /// Calls `body` with each event, on the engine's own executor and in order, until the observation is invalidated.
  package func observe(_ body: @escaping @Sendable (EngineEvent) -> Void) -> EngineObservation { observers.add(body) }

  /// Begins to connect.
  package func start() {}

  /// Closes the connection until `resume`.
  package func suspend() { update { $0.isSuspended = true } }

  /// Connects again after `suspend`, and after a failure that made the engine inactive.
  package func resume() { update { $0.isSuspended = false } }

  /// Connects now instead of at the end of the present back-off.
  package func reconnect() {}

  /// Ends the engine; waits fail with `EngineFailure.stopped`.
  package func stop() async { update { $0.isInactive = true } }

  /// Says that a new set of subscriptions was committed in the store.
  package func subscriptionsChanged() {}

  /// Says that there was a commit. The engine notices those of this process by itself.
  package func storeChanged() {}

  /// Asks the token source again, now.
  package func updateToken() {}

  /// Waits until all commits made before the call are durable on the server (Y-36).
  ///
  /// - Throws: `EngineFailure`: nothing connects yet, so that a wait could not end.
  package func waitForUpload() async throws { throw EngineFailure.transport(.unavailable) }

  /// Waits until everything that the server had at the call is in the store (Y-36).
  ///
  /// - Throws: As `waitForUpload`.
  package func waitForDownload() async throws { throw EngineFailure.transport(.unavailable) }

  private func update(_ change: (inout EngineStatus) -> Void) {
    let status = current.withLock { status in
      change(&status)
      return status
    }
    observers.tell(.status(status))
  }
}
