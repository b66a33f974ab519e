/// One transaction of a device, as it is uploaded.
public struct SyncCommit: Hashable, Sendable {
  /// The number at the site, which counts from 1 without gaps.
  public let siteVersion: UInt64
  /// The hybrid time at which it was made.
  public let time: SyncTime
  /// A random number that tells it from another commit with the same `siteVersion`, which a device makes that was restored from a backup.
  public let nonce: UInt64
  /// The operations in order. An operation's index here is the one in its stamp and in the names that it gives.
  public let operations: [SyncOperation]

  /// A commit.
  public init(siteVersion: UInt64, time: SyncTime, nonce: UInt64, operations: [SyncOperation]) {
    self.siteVersion = siteVersion
    self.time = time
    self.nonce = nonce
    self.operations = operations
  }
}
