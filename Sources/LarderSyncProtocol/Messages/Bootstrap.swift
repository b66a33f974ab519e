/// The beginning of a bootstrap, from the server: the current state of objects follows, page by page.
public struct BootstrapBegin: Hashable, Sendable {
  /// The view that the device has at the end.
  public let view: ViewTag
  /// True if objects that no page names are not in the view; otherwise they are unchanged.
  public let isFull: Bool
  /// The number of objects that are to come, about.
  public let objects: UInt64
  /// The number of bytes that are to come, about.
  public let bytes: UInt64
  /// The bytes that the device gives back to continue this bootstrap in another session (`BootstrapPosition`).
  public let resumption: [UInt8]
  /// True if it goes on after the position that the device greeted with: pages that it keeps stay.
  public let continues: Bool

  /// The beginning of a bootstrap.
  public init(
    view: ViewTag, isFull: Bool, objects: UInt64, bytes: UInt64, resumption: [UInt8] = [], continues: Bool = false
  ) {
    self.view = view
    self.isFull = isFull
    self.objects = objects
    self.bytes = bytes
    self.resumption = resumption
    self.continues = continues
  }
}

/// A page of a bootstrap: a range of the primary keys of one class as they were at one version.
public struct BootstrapPage: Hashable, Sendable {
  /// The part of the tenant's data.
  public let part: UInt32
  /// The class.
  public let className: SyncText
  /// The key before the range; nil for its beginning.
  public let after: PrimaryKey?
  /// The last key of the range; nil for its end.
  public let through: PrimaryKey?
  /// The version at which the page was read. The device skips records up to it for all keys of the range, also for those that the page lacks.
  public let version: UInt64
  /// The device's own last commit at that version. The device's operations on the range up to it are in the page.
  public let ownSiteVersion: UInt64
  /// The objects: `.whole`, or `.gone` in a bootstrap that is not full.
  public let objects: [ObjectDelta]

  /// A page; objects are ordered by name.
  public init(
    part: UInt32 = 0, className: SyncText, after: PrimaryKey?, through: PrimaryKey?, version: UInt64,
    ownSiteVersion: UInt64, objects: [ObjectDelta]
  ) {
    self.part = part
    self.className = className
    self.after = after
    self.through = through
    self.version = version
    self.ownSiteVersion = ownSiteVersion
    self.objects = objects.sortedAndUnique(by: \.object)
  }
}

/// The end of a bootstrap, from the server. Records after `version` follow.
public struct BootstrapEnd: Hashable, Sendable {
  /// The version at which the bootstrap began.
  public let version: UInt64
  /// The device's own last commit at that version.
  public let ownSiteVersion: UInt64
  /// The view that the device has now.
  public let view: ViewTag
  /// The epoch of the server's log.
  public let epoch: UInt64
  /// True if objects that no page named are not in the view.
  public let isFull: Bool
  /// The greatest hybrid time of the server's log when the last page was read, to which the device moves its own.
  public let time: SyncTime
  /// The device's position.
  public let cursor: [UInt8]

  /// The end of a bootstrap.
  public init(
    version: UInt64, ownSiteVersion: UInt64, view: ViewTag, epoch: UInt64, isFull: Bool, time: SyncTime, cursor: [UInt8]
  ) {
    self.version = version
    self.ownSiteVersion = ownSiteVersion
    self.view = view
    self.epoch = epoch
    self.isFull = isFull
    self.time = time
    self.cursor = cursor
  }
}
