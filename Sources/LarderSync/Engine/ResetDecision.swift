import LarderSyncProtocol

/// The decision that a welcome begins a client reset: its cause, and what may be lost by it. A value without store.
struct ResetDecision: Hashable, Sendable {
  /// The cause, in words.
  let cause: String
  /// True if the store has content that may be nowhere else.
  let keepsCopy: Bool

  /// The decision about a device whose store has something of a server's; nil for none.
  ///
  /// - Parameter isCopy: Whether the file is a copy of another store.
  init?(_ welcome: Welcome, _ device: Device<StoreReplica>, isCopy: Bool) {
    switch welcome.resumption {
    case .incremental: return nil
    case .rebuild(.new):
      // A file that was copied greets as a device without a site; otherwise nothing is here yet, or the reset has begun.
      guard isCopy else { return nil }
      cause = Self.copied
      keepsCopy = device.lastSiteVersion > device.acknowledged
    case .rebuild(let reason):
      cause = reason.explanation
      keepsCopy = reason.isBroken || device.lastSiteVersion > welcome.lastSiteVersion
    case .fork(let common):
      cause = Self.copied
      keepsCopy = device.lastSiteVersion > common
    }
  }

  private static let copied = "The file was copied, or restored from a backup."
}

extension RebuildReason {
  /// True if the server has lost what this device has.
  fileprivate var isBroken: Bool {
    switch self {
    case .epoch, .unknownCursor: true
    case .new, .expired, .schema: false
    }
  }

  fileprivate var explanation: String {
    switch self {
    case .new: "The device has nothing of the server's yet."
    case .expired: "The device was away for longer than the server keeps its log."
    case .epoch, .unknownCursor: "The server's data were replaced by older ones, which lack what this device has."
    case .schema: "The server's schema has changed in a way that the data of this device do not fit."
    }
  }
}
