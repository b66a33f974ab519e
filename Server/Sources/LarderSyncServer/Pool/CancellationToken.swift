import Synchronization

/// Whether a task was cancelled, for the thread that works for it.
final class CancellationToken: Sendable {
  private let cancelled = Atomic(false)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() { cancelled.store(true, ordering: .relaxed) }
}
