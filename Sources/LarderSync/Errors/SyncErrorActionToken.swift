/// What makes the client reset of an error happen, once every Realm of the store is closed: `SyncSession.immediatelyHandleError(_:)`.
public final class SyncErrorActionToken: Sendable {
  /// The store.
  let path: String

  init(path: String) { self.path = path }
}
