/// The state of the log of one part of a tenant's data.
public struct PartState: Hashable, Sendable {
  /// The last version.
  public var head: UInt64
  /// The last version that was dropped from the log: a device that has not got further needs everything again.
  public var floor: UInt64
  /// Another number whenever the log was replaced by an older one.
  public var epoch: UInt64
  /// The newest time of all commits.
  public var newestTime: SyncTime

  /// A log; without arguments an empty one.
  public init(head: UInt64 = 0, floor: UInt64 = 0, epoch: UInt64 = 0, newestTime: SyncTime = SyncTime(rawValue: 0)) {
    self.head = head
    self.floor = floor
    self.epoch = epoch
    self.newestTime = newestTime
  }
}

/// The server's state of a site that uploads.
public struct ClientState: Hashable, Sendable {
  /// The last of the site's commits that was merged.
  public var lastSiteVersion: UInt64
  /// Its time, as it was accepted.
  public var lastTime: SyncTime
  /// The connection that may upload.
  public var session: UInt64

  /// A site; without arguments one that has not uploaded yet.
  public init(lastSiteVersion: UInt64 = 0, lastTime: SyncTime = SyncTime(rawValue: 0), session: UInt64 = 0) {
    self.lastSiteVersion = lastSiteVersion
    self.lastTime = lastTime
    self.session = session
  }
}

/// The decision on an uploaded commit (MR-15).
public enum UploadDecision: Hashable, Sendable {
  /// It is merged.
  case merge
  /// It was merged before, and is acknowledged again.
  case duplicate
  /// Commits before it are missing; the site has to go on with this one.
  case gap(expected: UInt64)
  /// It comes from a connection that was replaced.
  case fenced
}

extension ClientState {
  /// Returns the decision on a commit that came over a connection.
  public func decide(siteVersion: UInt64, session: UInt64) -> UploadDecision {
    decide(siteVersion: siteVersion, session: session, [])
  }

  func decide(siteVersion: UInt64, session: UInt64, _ research: ResearchRules) -> UploadDecision {
    guard session == self.session || research.contains(.noFence) else { return .fenced }
    if siteVersion <= lastSiteVersion { return .duplicate }
    // This number is greater, so that the last one has a successor.
    return siteVersion == lastSiteVersion + 1 ? .merge : .gap(expected: lastSiteVersion + 1)
  }
}
