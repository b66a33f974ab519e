import Dispatch
import LarderLocks

extension Realm {
  /// Opens, and brings up to date, in the background, a synced Realm with everything that the server has (Y-16); then calls back on a serial queue, to which the Realm belongs, with the Realm or
  /// the error. A concurrent queue is misuse (E-122).
  @discardableResult
  public static func asyncOpen(
    configuration: Realm.Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> Realm.AsyncOpenTask {
    Confinement.checkSerial(callbackQueue)
    let task = AsyncOpenTask()
    // Called once, on the queue.
    let box = UncheckedBox(callback)
    DispatchQueue.global(qos: .userInitiated).async {
      // Keeps the store open until the queue's own Realm has it, and no longer: it may be deleted after the callback.
      let place = OpenedRealm()
      place.fill { try RealmRegistry.shared.open(configuration, .current) }
      task.opened(place.synchronisation)
      guard let synchronisation = place.synchronisation else {
        return place.callBack(task, configuration, callbackQueue, box)
      }
      Task {
        do {
          try await synchronisation.waitForOpening(.always)
        } catch {
          place.fail(error)
        }
        place.callBack(task, configuration, callbackQueue, box)
      }
    }
    return task
  }

  /// The Realm of a queue, the store of which was opened on another thread.
  fileprivate static func reopen(
    _ place: OpenedRealm, _ configuration: Realm.Configuration, _ queue: DispatchQueue
  ) throws -> Realm {
    let opened = try place.take()
    defer { withExtendedLifetime(opened) {} }
    return Realm(try RealmRegistry.shared.open(configuration, queue: queue))
  }

  /// An opening in progress.
  public struct AsyncOpenTask: Sendable {
    private final class State: Sendable {
      let isCancelled = Lock(false)
      let opening = Lock(Opening())
    }

    /// The state of the opening: the store's synchronisation once it is open, and the calls that wait for it.
    private struct Opening {
      var isOpen = false
      var synchronisation: (any StoreSynchronisation)?
      var waiting: [@Sendable ((any StoreSynchronisation)?) -> Void] = []
    }

    private let state = State()

    var isCancelled: Bool { state.isCancelled.withLock { $0 } }

    /// Says that the store is open.
    fileprivate func opened(_ synchronisation: (any StoreSynchronisation)?) {
      let waiting = state.opening.withLock { opening in
        defer { opening.waiting = [] }
        (opening.isOpen, opening.synchronisation) = (true, synchronisation)
        return opening.waiting
      }
      for body in waiting { body(synchronisation) }
    }

    /// Calls `body` once the store is open, with what keeps it level with a server: nil for a local store, and where opening failed. At once if
    /// it is open, otherwise on the thread that opens it.
    package func whenOpen(_ body: @escaping @Sendable ((any StoreSynchronisation)?) -> Void) {
      let opening = state.opening.withLock { opening in
        if !opening.isOpen { opening.waiting.append(body) }
        return opening
      }
      if opening.isOpen { body(opening.synchronisation) }
    }

    /// The callback will not be called any more, unless it runs already. From any thread.
    public func cancel() { state.isCancelled.withLock { $0 = true } }
  }
}

extension OpenedRealm {
  /// Opens the Realm for the queue and calls back, unless the task was cancelled.
  fileprivate func callBack(
    _ task: Realm.AsyncOpenTask, _ configuration: Realm.Configuration, _ queue: DispatchQueue,
    _ callback: UncheckedBox<(Result<Realm, any Swift.Error>) -> Void>
  ) {
    queue.async {
      guard !task.isCancelled else { return }
      callback.value(
        Result { () throws(any Swift.Error) -> Realm in try Realm.reopen(self, configuration, queue) })
    }
  }
}
