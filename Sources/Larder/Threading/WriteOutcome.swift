import LarderLocks
import LarderStorage

/// The end of a write transaction, for the references that were made within it (F-3).
///
/// References keep it, and with it the version that the transaction made.
final class WriteOutcome: Sendable {
  enum State: Sendable {
    case open
    case committed(Snapshot)
    /// The same, when no reader slot was free to begin reading the version: it is kept by nothing, and begins when it is needed.
    case committedUnread(UInt64)
    case cancelled
  }

  private let current = Lock(State.open)

  var state: State { current.withLock { $0 } }

  func end(_ state: State) { current.withLock { $0 = state } }

  /// Ends with a version that could be read, or could not as yet.
  func end(committedAs version: UInt64, _ snapshot: Snapshot?) {
    end(snapshot.map { .committed($0) } ?? .committedUnread(version))
  }
}
