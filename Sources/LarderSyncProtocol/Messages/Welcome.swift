/// The reason why a device has to take over everything again.
public enum RebuildReason: UInt8, Hashable, Sendable, CaseIterable {
  /// The device has nothing yet.
  case new = 0
  /// The server's log begins after the device's cursor.
  case expired = 1
  /// The server's data was restored or replaced.
  case epoch = 2
  /// The cursor is of nothing that the server had.
  case unknownCursor = 3
  /// The schema changed in a way that old data does not fit.
  case schema = 4
}

/// The continuation of a session, from what the device said of itself.
public enum Resumption: Hashable, Sendable {
  /// The session goes on with what comes after the device's cursor.
  case incremental
  /// The session goes on with everything. Commits after the server's last one are merged afterwards.
  case rebuild(RebuildReason)
  /// The session goes on with everything and as another site, because the device's commits after `common` are not those that the server has with
  /// these numbers: the device was restored from a backup, or its file was copied.
  case fork(common: UInt64)
}

/// The limits that a server sets in a session.
public struct SessionLimits: Hashable, Sendable {
  /// The bytes of a frame.
  public let frameBytes: UInt64
  /// The bytes of an upload.
  public let uploadBytes: UInt64
  /// The commits of an upload.
  public let uploadCommits: UInt32
  /// Uploads that wait for their acknowledgement.
  public let uploadsInFlight: UInt32
  /// The bytes that the device may send before it is given more.
  public let credit: UInt64
  /// Seconds of silence after which a side sends a ping.
  public let pingSeconds: UInt32
  /// Seconds of silence after which a side ends the connection.
  public let silenceSeconds: UInt32

  /// Limits of one's own.
  public init(
    frameBytes: UInt64, uploadBytes: UInt64, uploadCommits: UInt32, uploadsInFlight: UInt32, credit: UInt64,
    pingSeconds: UInt32, silenceSeconds: UInt32
  ) {
    self.frameBytes = frameBytes
    self.uploadBytes = uploadBytes
    self.uploadCommits = uploadCommits
    self.uploadsInFlight = uploadsInFlight
    self.credit = credit
    self.pingSeconds = pingSeconds
    self.silenceSeconds = silenceSeconds
  }

  /// 17 MiB a frame, 256 KiB or 1,000 commits an upload, 4 of them, 1 MiB of credit, pings after 15 s, the end after 30 s.
  public static let standard = SessionLimits(
    frameBytes: 17 << 20, uploadBytes: 256 << 10, uploadCommits: 1_000, uploadsInFlight: 4, credit: 1 << 20,
    pingSeconds: 15, silenceSeconds: 30)
}

/// The server's answer to `Hello`.
public struct Welcome: Hashable, Sendable {
  /// The version that both speak from here on.
  public let version: ProtocolVersion
  /// The number of the session: uploads of earlier sessions of the site are refused from now on.
  public let session: UInt64
  /// The site. It is a new one for a device that had none and after a fork; its secret comes with it then, and only then.
  public let site: SiteID
  /// The secret of a new site.
  public let secret: [UInt8]?
  /// The epoch of the server's log.
  public let epoch: UInt64
  /// The last commit of the site that was merged: the device sends what comes after it.
  public let lastSiteVersion: UInt64
  /// The server's hybrid time, to which a device with an earlier clock moves its own.
  public let time: SyncTime
  /// The continuation of the session.
  public let resumption: Resumption
  /// The limits that the server sets.
  public let limits: SessionLimits
  /// True if the server expands compressed bodies.
  public let expands: Bool

  /// An answer.
  public init(
    version: ProtocolVersion, session: UInt64, site: SiteID, secret: [UInt8]?, epoch: UInt64, lastSiteVersion: UInt64,
    time: SyncTime, resumption: Resumption, limits: SessionLimits, expands: Bool
  ) {
    self.version = version
    self.session = session
    self.site = site
    self.secret = secret
    self.epoch = epoch
    self.lastSiteVersion = lastSiteVersion
    self.time = time
    self.resumption = resumption
    self.limits = limits
    self.expands = expands
  }
}
