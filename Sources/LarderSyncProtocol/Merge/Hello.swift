/// What a device says first on a connection.
public struct SyncHello: Hashable, Sendable {
  /// A commit that the device still has.
  public struct Retained: Hashable, Sendable {
    /// Its number.
    public let siteVersion: UInt64
    /// Its random number.
    public let nonce: UInt64

    /// A commit by its numbers.
    public init(siteVersion: UInt64, nonce: UInt64) {
      self.siteVersion = siteVersion
      self.nonce = nonce
    }
  }

  /// Who the device is.
  public var site: SiteID
  /// The number of its last commit, 0 without any.
  public var lastSiteVersion: UInt64
  /// The commits that it still has, in order.
  public var retained: [Retained]
  /// The version up to which it has applied the log; nil when it needs everything.
  public var cursor: UInt64?
  /// The epoch of that log.
  public var epoch: UInt64

  /// What a device says first.
  public init(site: SiteID, lastSiteVersion: UInt64, retained: [Retained], cursor: UInt64?, epoch: UInt64) {
    self.site = site
    self.lastSiteVersion = lastSiteVersion
    self.retained = retained
    self.cursor = cursor
    self.epoch = epoch
  }
}

/// The server's answer.
public struct SyncWelcome: Hashable, Sendable {
  /// The connection, for uploads.
  public var session: UInt64
  /// The device is a copy, or was restored from a backup: it shares commits with another one up to this number, and needs a new site (MR-16).
  public var forkedAfter: UInt64?
  /// Whether the device gets everything again.
  public var isFull: Bool
  /// The last of the site's commits that is merged.
  public var lastSiteVersion: UInt64
  /// The epoch of the server's log.
  public var epoch: UInt64

  /// An answer.
  public init(session: UInt64, forkedAfter: UInt64?, isFull: Bool, lastSiteVersion: UInt64, epoch: UInt64) {
    self.session = session
    self.forkedAfter = forkedAfter
    self.isFull = isFull
    self.lastSiteVersion = lastSiteVersion
    self.epoch = epoch
  }
}

extension PartState {
  /// Answers a device and gives uploads to its new connection.
  ///
  /// `nonce` is the random number that the log has for one of the site's commits, nil when the log does not reach back to it.
  public func welcome(
    _ hello: SyncHello, client: inout ClientState, session: UInt64, nonce: (UInt64) -> UInt64?
  ) -> SyncWelcome {
    welcome(hello, client: &client, session: session, [], nonce: nonce)
  }

  func welcome(
    _ hello: SyncHello, client: inout ClientState, session: UInt64, _ research: ResearchRules,
    nonce: (UInt64) -> UInt64?
  ) -> SyncWelcome {
    client.session = session
    let fork = research.contains(.noNonces) ? nil : fork(hello, client, nonce)
    let isBehind = hello.cursor.map { $0 < floor || $0 > head } ?? true
    return SyncWelcome(
      session: session, forkedAfter: fork, isFull: fork != nil || hello.epoch != epoch || isBehind,
      lastSiteVersion: client.lastSiteVersion, epoch: epoch)
  }

  /// The last commit that the device shares with the log, when another device went on from there.
  private func fork(_ hello: SyncHello, _ client: ClientState, _ nonce: (UInt64) -> UInt64?) -> UInt64? {
    for commit in hello.retained where commit.siteVersion <= client.lastSiteVersion {
      if let known = nonce(commit.siteVersion), known != commit.nonce { return commit.siteVersion - 1 }
    }
    return client.lastSiteVersion > hello.lastSiteVersion ? hello.lastSiteVersion : nil
  }
}
