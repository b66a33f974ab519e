/// The time of an operation, in the total order that decides between operations on one thing: by hybrid time, then by site, then by the operation's
/// place in its commit.
public struct Stamp: Hashable, Sendable {
  /// The hybrid time of the commit, as the server accepted it.
  public let time: SyncTime
  /// The site that made the commit.
  public let site: SiteID
  /// The operation's index in its commit.
  public let operation: UInt32

  /// The stamp of the operation with an index in the commit of a site.
  public init(time: SyncTime, site: SiteID, operation: UInt32) {
    self.time = time
    self.site = site
    self.operation = operation
  }

  /// Before every stamp of an operation.
  public static let zero = Stamp(time: SyncTime(rawValue: 0), site: .none, operation: 0)
}

extension Stamp: Comparable {
  public static func < (left: Stamp, right: Stamp) -> Bool {
    (left.time, left.site, left.operation) < (right.time, right.site, right.operation)
  }
}
