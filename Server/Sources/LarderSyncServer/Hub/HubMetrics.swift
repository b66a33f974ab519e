/// The counts of a hub at one moment.
public struct HubMetrics: Hashable, Sendable {
  /// Connections, whether they have greeted or not.
  public var connections = 0
  /// Sessions that were welcomed and have not ended.
  public var sessions = 0
  /// Commits that were acknowledged, since the hub began.
  public var commits: UInt64 = 0
  /// Bootstraps that were sent to their ends.
  public var bootstraps: UInt64 = 0
  /// Bytes of frames that were handed to connections.
  public var sentBytes: UInt64 = 0
  /// Bytes of messages that came.
  public var receivedBytes: UInt64 = 0
  /// Sessions that ended with a failure of the server's.
  public var failures: UInt64 = 0
}
