/// A tenant.
public struct TenantRecord: Hashable, Sendable {
  public var id: TenantID
  /// The number of parts that its data are in.
  public var parts: Int32
  /// The time for which changes are kept, in milliseconds.
  public var retention: Int64
  /// The time when it was made, in milliseconds since 1970.
  public var created: Int64

  public init(id: TenantID, parts: Int32 = 1, retention: Int64 = TenantRecord.usualRetention, created: Int64) {
    self.id = id
    self.parts = parts
    self.retention = retention
    self.created = created
  }

  /// Thirty days.
  public static let usualRetention: Int64 = 30 * 24 * 60 * 60 * 1000
}

/// The head row of a part.
public struct PartRecord: Hashable, Sendable {
  public var tenant: TenantID
  public var part: PartID
  /// The version of the newest change; 0 before the first.
  public var head: Int64
  /// Changes up to this version have been removed.
  public var floor: Int64
  /// Rises when the data were replaced by older ones.
  public var epoch: Int64
  /// The greatest hybrid time that was merged.
  public var maxTime: UInt64

  public init(tenant: TenantID, part: PartID, head: Int64 = 0, floor: Int64 = 0, epoch: Int64 = 1, maxTime: UInt64 = 0)
  {
    self.tenant = tenant
    self.part = part
    self.head = head
    self.floor = floor
    self.epoch = epoch
    self.maxTime = maxTime
  }
}

/// An object as the server has merged it.
public struct ObjectRecord: Hashable, Sendable {
  public var key: ObjectKey
  /// True if the object exists; false for what is kept of a deleted one.
  public var isAlive: Bool
  /// The version of the last change that touched it.
  public var version: Int64
  /// Its state in the protocol's encoding.
  public var body: [UInt8]

  public init(key: ObjectKey, isAlive: Bool, version: Int64, body: [UInt8]) {
    self.key = key
    self.isAlive = isAlive
    self.version = version
    self.body = body
  }
}

/// An object to be written, with the values of its queryable properties. These are for filters alone and are never read back.
public struct ObjectWrite: Hashable, Sendable {
  public var record: ObjectRecord
  public var fields: QueryFields

  public init(_ record: ObjectRecord, fields: QueryFields = [:]) {
    self.record = record
    self.fields = fields
  }
}

/// A change, as the log of a part has it.
public struct ChangeRecord: Hashable, Sendable {
  /// The number of the change in its part: the first is 1, and there are no gaps.
  public var version: Int64
  public var site: SiteKey
  /// The number of the commit among those of its site.
  public var siteVersion: Int64
  /// The number that the site drew for the commit.
  public var nonce: UInt64
  /// The hybrid time that the commit was merged with.
  public var time: UInt64
  /// The time when it was merged, in milliseconds since 1970.
  public var merged: Int64
  /// The changes that won, in the protocol's encoding.
  public var delta: [UInt8]
  /// The values that queryable properties had before, in the protocol's encoding.
  public var before: [UInt8]

  public init(
    version: Int64, site: SiteKey, siteVersion: Int64, nonce: UInt64, time: UInt64, merged: Int64, delta: [UInt8],
    before: [UInt8]
  ) {
    self.version = version
    self.site = site
    self.siteVersion = siteVersion
    self.nonce = nonce
    self.time = time
    self.merged = merged
    self.delta = delta
    self.before = before
  }
}

/// The server's record of a device's copy.
public struct ClientRecord: Hashable, Sendable {
  public var site: SiteKey
  /// The hash of the secret by which the site proves that it is itself.
  public var secretHash: [UInt8]
  /// The session that may upload; those before it may not.
  public var session: Int64
  /// The last commit of the site that was merged.
  public var lastSiteVersion: Int64
  /// The hybrid time that commit was merged with.
  public var lastTime: UInt64
  /// The position of the site in the log, in the protocol's encoding.
  public var cursor: [UInt8]
  /// The version of the schema that the site has.
  public var schemaVersion: Int64
  /// The time when the site was last heard of, in milliseconds since 1970.
  public var seen: Int64
  /// The commits up to this one were made before the site: another copy of the same device may send them too. 0 for a site that is no copy.
  public var copiesThrough: Int64

  public init(
    site: SiteKey, secretHash: [UInt8], session: Int64 = 1, lastSiteVersion: Int64 = 0, lastTime: UInt64 = 0,
    cursor: [UInt8] = [], schemaVersion: Int64 = 0, seen: Int64 = 0, copiesThrough: Int64 = 0
  ) {
    self.site = site
    self.secretHash = secretHash
    self.session = session
    self.lastSiteVersion = lastSiteVersion
    self.lastTime = lastTime
    self.cursor = cursor
    self.schemaVersion = schemaVersion
    self.seen = seen
    self.copiesThrough = copiesThrough
  }
}

/// A commit that a copy of a device has sent: its random number, and the site that the copy became.
public struct CommitCopy: Hashable, Sendable {
  public var nonce: UInt64
  public var site: SiteKey

  public init(nonce: UInt64, site: SiteKey) {
    self.nonce = nonce
    self.site = site
  }
}

/// The subscriptions of a site.
public struct SubscriptionRecord: Hashable, Sendable {
  public var site: SiteKey
  /// The number of the set among those of the site.
  public var setVersion: Int64
  /// The queries in the protocol's encoding.
  public var queries: [UInt8]
  /// The state of sending the set, as the protocol numbers it.
  public var state: Int32

  public init(site: SiteKey, setVersion: Int64, queries: [UInt8], state: Int32) {
    self.site = site
    self.setVersion = setVersion
    self.queries = queries
    self.state = state
  }
}

/// One version of a tenant's schema or of its roles.
public struct DocumentRecord: Hashable, Sendable {
  public var version: Int64
  public var body: [UInt8]
  /// The time when it came, in milliseconds since 1970.
  public var created: Int64

  public init(version: Int64, body: [UInt8], created: Int64) {
    self.version = version
    self.body = body
    self.created = created
  }
}

/// The two kinds of document of which a tenant keeps all versions.
public enum DocumentKind: String, CaseIterable, Sendable {
  case schema, roles
}

/// The number that a site drew for one of its commits.
public struct CommitNonce: Hashable, Sendable {
  public var siteVersion: Int64
  public var nonce: UInt64
  /// The number of a site's newest commits whose nonces outlive the log: a copy of a device that lags by more offers all again that it keeps.
  static let mostKept: Int64 = 2_048

  public init(siteVersion: Int64, nonce: UInt64) {
    self.siteVersion = siteVersion
    self.nonce = nonce
  }
}
