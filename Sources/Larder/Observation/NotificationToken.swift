import Foundation
import LarderLocks
import LarderObservation

/// Keeps an observation going; it ends when the token goes away or is invalidated, on any thread.
///
/// The token of a Realm (`Realm.observe`) is to be invalidated before it goes; the log has a warning otherwise.
open class NotificationToken: NSObject, @unchecked Sendable {
  // Unchecked: open for subclasses; it has no state of its own.
  public override init() { super.init() }

  /// Ends the observation. From any thread; true if it was active.
  @discardableResult
  open func invalidate() -> Bool { false }
}

/// The token of a collection or object observer.
final class ObservationToken: NotificationToken, @unchecked Sendable {
  // Unchecked: everything is behind the lock.
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

  /// Whether it observes something of this Realm.
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

/// The token of a Realm observer.
final class RealmToken: NotificationToken, @unchecked Sendable {
  // Unchecked: the block is only called and replaced on the Realm's thread; invalidation is behind the lock.
  private let block: Lock<UncheckedBox<NotificationBlock>?>
  let owner: WeakObservers

  init(_ core: RealmCore, _ block: @escaping NotificationBlock) {
    self.block = Lock(UncheckedBox(block))
    owner = WeakObservers(observers: core.observers)
  }

  func call(_ notification: Realm.Notification, _ realm: Realm) {
    let block = block.withLock { $0 }
    block?.value(notification, realm)
  }

  override func invalidate() -> Bool {
    // What the block holds is let go of outside of the lock.
    let ended = block.withLock { $0.take() }
    return ended != nil
  }

  deinit {
    guard invalidate() else { return }
    Logger.shared.log(
      .warn,
      "A token of Realm.observe went away without invalidate(), which ended the observation. Keep the token as long as the block is "
        + "to be called, and invalidate it then.")
  }
}

/// Carries a value over to the context it belongs to.
struct UncheckedBox<Value>: @unchecked Sendable {
  // Unchecked: only touched on the context that the value belongs to.
  let value: Value
  init(_ value: Value) { self.value = value }
}
