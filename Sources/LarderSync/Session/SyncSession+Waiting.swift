import Dispatch
import LarderSyncProtocol

extension SyncSession {
  /// Waits until everything written before the call is durable on the server, or until everything that the server had at the call is in the
  /// store, visible after a refresh (Y-36). Lost connections and `suspend` do not end the wait.
  ///
  /// ```swift
  /// try await realm.syncSession?.wait(for: .upload)
  /// ```
  ///
  /// - Throws: `SyncError` when the session ends or becomes inactive by an error.
  public func wait(for direction: ProgressDirection) async throws {
    do {
      switch direction {
      case .upload: try await engine.waitForUpload()
      case .download: try await engine.waitForDownload()
      }
    } catch let failure as EngineFailure {
      throw SyncError(failure, path: store.path)
    }
    if direction == .download { subscribed.refresh() }
  }

  /// Waits as the asynchronous form does, and calls back on a queue; on a private one without.
  public func wait(
    for direction: ProgressDirection, queue: DispatchQueue? = nil, block: @escaping @Sendable ((any Error)?) -> Void
  ) {
    Task {
      var failure: (any Error)?
      do { try await wait(for: direction) } catch { failure = error }
      let result = failure
      guard let queue else { return CompletionQueue.run { block(result) } }
      queue.async { block(result) }
    }
  }
}
