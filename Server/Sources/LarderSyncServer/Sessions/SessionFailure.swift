import LarderSyncProtocol

/// A failure that a device is sent.
public struct SessionFailure: Error, Hashable, Sendable {
  /// The failure that the device is sent.
  public let failure: SyncFailure

  /// A failure; the message is for people, and says what happened and what to do.
  public init(
    _ code: SyncFailureCode, action: SyncFailureAction, _ message: String, subject: SyncText? = nil,
    retryAfter: UInt32? = nil
  ) {
    failure = SyncFailure(
      code, action: action, message: SyncText(message), subject: subject, retryAfter: retryAfter)
  }
}
