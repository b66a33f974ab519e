/// A commit of a site, as it comes.
public struct Upload: Hashable, Sendable {
  public var site: SiteKey
  /// The session that the site was given when it connected.
  public var session: Int64
  /// The number of the commit among those of the site.
  public var siteVersion: Int64
  /// The number that the site drew for it.
  public var nonce: UInt64
  /// The hybrid time that the site gave it.
  public var time: UInt64
  /// The objects that it touches, so that they are read before it is merged.
  public var keys: [ObjectKey]
  /// Its operations in the protocol's encoding.
  public var body: [UInt8]

  public init(
    site: SiteKey, session: Int64, siteVersion: Int64, nonce: UInt64, time: UInt64, keys: [ObjectKey], body: [UInt8]
  ) {
    self.site = site
    self.session = session
    self.siteVersion = siteVersion
    self.nonce = nonce
    self.time = time
    self.keys = keys
    self.body = body
  }
}

/// The outcome of an upload.
public enum UploadOutcome: Hashable, Sendable {
  /// It was merged as the change of this version, now.
  case merged(version: Int64)
  /// It was merged before.
  case duplicate
  /// It is not the one after the last that was merged, which should have been this one. Nothing was done.
  case gap(expected: Int64)
  /// The session is not the site's newest one. Nothing was done.
  case fenced
  /// The site is not known. Nothing was done.
  case unknownSite
}

/// The uploads of several sites to one part of a tenant, in the order in which they came.
public struct UploadBatch: Hashable, Sendable {
  public var tenant: TenantID
  public var part: PartID
  public var uploads: [Upload]

  /// The largest number of uploads in one transaction.
  public static let largest = 200

  public init(tenant: TenantID, part: PartID = .first, uploads: [Upload]) {
    self.tenant = tenant
    self.part = part
    self.uploads = uploads
  }
}
