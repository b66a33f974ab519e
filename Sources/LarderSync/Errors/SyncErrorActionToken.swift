/// A token that makes the client reset of an error happen, once every Realm of the store is closed: `SyncSession.immediatelyHandleError(_:)`.
public final class SyncErrorActionToken: Sendable {
  /// The store.
  let path: String
  /// True if the reset was done already.
  let isDone: Bool

  init(path: String, isDone: Bool = false) {
    self.path = path
    self.isDone = isDone
  }
}
