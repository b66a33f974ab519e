import LarderLocks
import LarderObservation

/// The token of a collection or object observer.
final class ObservationToken: NotificationToken, @unchecked Sendable {
  // Unchecked: everything is under the lock.
  private enum State {
    case pending
    case active(ObservationHandle, owner: WeakObservers)
    case ended
  }

  private let state: Lock<State>

  override init() { state = Lock(.pending) }

  /// Hands the observation over; ends it at once when the token was invalidated before (registration on another queue).
  func activate(_ handle: ObservationHandle, _ core: RealmCore) {
    let isEnded = state.withLock { state -> Bool in
      if case .ended = state { return true }
      state = .active(handle, owner: WeakObservers(observers: core.observers))
      return false
    }
    if isEnded { handle.invalidate() }
  }

  var handle: ObservationHandle? {
    state.withLock { if case .active(let handle, _) = $0 { handle } else { nil } }
  }

  /// Returns true if it observes something of this Realm.
  func belongs(to core: RealmCore) -> Bool {
    state.withLock { if case .active(_, let weak) = $0 { weak.observers === core.observers } else { false } }
  }

  override func invalidate() -> Bool {
    let (handle, wasActive) = state.withLock { state -> (ObservationHandle?, Bool) in
      defer { state = .ended }
      switch state {
      case .pending: return (nil, true)
      case .active(let handle, _): return (handle, true)
      case .ended: return (nil, false)
      }
    }
    handle?.invalidate()
    return wasActive
  }

  deinit { _ = invalidate() }
}

struct WeakObservers {
  weak var observers: RealmObservers?
}
