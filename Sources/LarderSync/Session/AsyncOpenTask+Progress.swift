import Dispatch

extension Realm.AsyncOpenTask {
  /// The progress of what opening downloads, as it changes; nothing for a local store. Beyond RealmSwift.
  public var progress: SyncEvents<SyncSession.Progress> {
    let task = self
    return SyncEvents {
      let (stream, continuation) = AsyncStream<SyncSession.Progress>.makeStream(bufferingPolicy: .bufferingNewest(1))
      task.whenOpen { synchronisation in
        guard let session = synchronisation as? SyncSession else { return continuation.finish() }
        let forwarding = Task {
          for await progress in session.progress(for: .download, mode: .forCurrentlyOutstandingWork) {
            continuation.yield(progress)
          }
          continuation.finish()
        }
        continuation.onTermination = { _ in forwarding.cancel() }
      }
      return stream
    }
  }

  /// Calls a block on a queue with the progress of what opening downloads, until that is complete.
  public func addProgressNotification(
    queue: DispatchQueue = .main, block: @escaping @Sendable (SyncSession.Progress) -> Void
  ) {
    let progress = progress
    Task { for await report in progress { queue.async { block(report) } } }
  }
}
