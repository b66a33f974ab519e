/// Objects in order of their names, as a device is sent them: after one name, up to and with another; nil is the beginning or the end of all.
public struct ObjectRange: Hashable, Sendable {
  /// The name before the first one.
  public let after: ObjectName?
  /// The last name.
  public let through: ObjectName?

  /// The names after one, up to another.
  public init(after: ObjectName? = nil, through: ObjectName? = nil) {
    self.after = after
    self.through = through
  }

  /// Whether a name is in the range.
  public func contains(_ object: ObjectName) -> Bool {
    after.map { $0 < object } ?? true && through.map { object <= $0 } ?? true
  }
}

/// Part of the objects that a device gets when its view changes, read from the server in one snapshot (MR-5).
public struct BootstrapPage: Hashable, Sendable {
  /// Which objects the page speaks of.
  public let range: ObjectRange
  /// The version of the log that it was read at.
  public let version: UInt64
  /// The last of the device's own commits that is in it.
  public let ownThrough: UInt64
  /// Objects of the range, whole or gone. In a full bootstrap the others of the range are not in the view; else the device has them right.
  public let objects: [ObjectDelta]

  /// A page.
  public init(range: ObjectRange, version: UInt64, ownThrough: UInt64, objects: [ObjectDelta]) {
    self.range = range
    self.version = version
    self.ownThrough = ownThrough
    self.objects = objects
  }
}

/// The end of a bootstrap.
public struct BootstrapEnd: Hashable, Sendable {
  /// The version that the log goes on after.
  public let version: UInt64
  /// The last of the device's own commits that is merged at that version.
  public let ownThrough: UInt64
  /// The epoch of the log.
  public let epoch: UInt64
  /// Whether the pages hold everything.
  public let isFull: Bool
  /// The newest time of all commits.
  public let newestTime: SyncTime

  /// The end of a bootstrap.
  public init(version: UInt64, ownThrough: UInt64, epoch: UInt64, isFull: Bool, newestTime: SyncTime) {
    self.version = version
    self.ownThrough = ownThrough
    self.epoch = epoch
    self.isFull = isFull
    self.newestTime = newestTime
  }
}
