import LarderLocks

/// The place where an engine publishes what it does: the newest status, and the observers.
final class EngineBoard: Sendable {
  let observers = EngineObservers()
  private let current = Lock(EngineStatus())

  var status: EngineStatus { current.withLock { $0 } }

  /// Tells of a status, if it is another one.
  func show(_ status: EngineStatus) {
    let isOther = current.withLock { current in
      defer { current = status }
      return current != status
    }
    if isOther { observers.tell(.status(status)) }
  }
}
