import LarderLocks

/// Where an engine says what it does: the newest status, and those who observe it.
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
