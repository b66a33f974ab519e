import Synchronization

/// A flag that tells the thread which works for a task that the task was cancelled.
final class CancellationToken: Sendable {
  private let cancelled = Atomic(false)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }
}
