/// The handling of a client reset: this device's state does not fit the server's any more, and has to start again from it (Y-38 to Y-43).
///
/// `beforeReset` is called with the store locked and as it was, in which nothing can be written, and `afterReset` with the store as it was and as it is.
/// Both run on a thread of the library, once for each reset.
public enum ClientResetMode: Sendable {
  /// The same mode as `discardUnsyncedChanges`.
  @available(*, deprecated, message: "Use discardUnsyncedChanges")
  case discardLocal(
    beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
    afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
  /// Changes that were not sent are lost.
  case discardUnsyncedChanges(
    beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
    afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
  /// Changes that were not sent are merged into the server's state.
  case recoverUnsyncedChanges(
    beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
    afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
  /// The mode of `recoverUnsyncedChanges`; where that fails, the mode of `discardUnsyncedChanges`.
  case recoverOrDiscardUnsyncedChanges(
    beforeReset: (@Sendable (_ before: Realm) -> Void)? = nil,
    afterReset: (@Sendable (_ before: Realm, _ after: Realm) -> Void)? = nil)
  /// The program decides: the handler, or `syncManager.errorHandler`, gets `SyncError.clientResetError`.
  case manual(errorHandler: ErrorReportingBlock? = nil)
}
