import LarderLocks
import LarderStorage

/// How a write transaction ends, for the references that were made within it (F-3).
///
/// References keep it, and with it the version that the transaction made.
final class WriteOutcome: Sendable {
  enum State: Sendable {
    case open
    case committed(Snapshot)
    case cancelled
  }

  private let current = Lock(State.open)

  var state: State { current.withLock { $0 } }

  func end(_ state: State) { current.withLock { $0 = state } }
}
