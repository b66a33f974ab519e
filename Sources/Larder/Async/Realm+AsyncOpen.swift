import Dispatch
import LarderLocks

extension Realm {
  /// Opens, and brings up to date, in the background; then calls back on a serial queue, to which the Realm belongs, with the Realm or
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
      // Keeps the store open until the queue's own Realm has it.
      let opened = Result { try RealmRegistry.shared.open(configuration, .current) }
      let store = UncheckedBox(opened)
      callbackQueue.async {
        guard !task.isCancelled else { return }
        let result = Result { () throws(any Swift.Error) -> Realm in
          _ = try store.value.get()
          return Realm(try RealmRegistry.shared.open(configuration, queue: callbackQueue))
        }
        box.value(result)
      }
    }
    return task
  }

  /// An opening in progress.
  public struct AsyncOpenTask: Sendable {
    private final class State: Sendable {
      let isCancelled = Lock(false)
    }

    private let state = State()

    var isCancelled: Bool { state.isCancelled.withLock { $0 } }

    /// The callback will not be called any more, unless it runs already. From any thread.
    public func cancel() { state.isCancelled.withLock { $0 = true } }
  }
}
