import LarderSyncProtocol

/// The limits of what one device may ask of a server. Above them the device gets a failure that says so, and goes on later or with less.
public struct DeviceLimits: Hashable, Sendable {
  /// Commits in a second, averaged; so many may come at once as well.
  public var commitsPerSecond = 5_000
  /// Bytes of uploads in a second, averaged; so many may come at once as well, and one upload may be more.
  public var uploadBytesPerSecond = 16 << 20
  /// Queries in a set of subscriptions.
  public var queriesPerSet = SyncLimit.queries.most

  /// The usual limits.
  public init() {}
}
