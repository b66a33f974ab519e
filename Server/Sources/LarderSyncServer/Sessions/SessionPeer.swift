import LarderSyncProtocol

/// The device and user at the other end of a session that was welcomed.
struct SessionPeer: Sendable {
  let tenant: TenantID
  let site: SiteID
  /// The session's number, without which uploads are fenced.
  let session: Int64
  /// The epoch of the log when the session began.
  let epoch: Int64
  /// The compression of frames that the device takes; nil when it takes none.
  let compression: BodyCompression?
  let registry: SiteRegistry
  var claims: UserClaims
  var configuration: TenantConfiguration
  var access: UserAccess
  var rules: ReadRules

  init(
    _ tenant: TenantID, _ outcome: SiteAdmission.Outcome, part: PartRecord, registry: SiteRegistry,
    claims: UserClaims, configuration: TenantConfiguration, compression: BodyCompression?
  ) {
    self.tenant = tenant
    site = outcome.site
    session = outcome.session
    epoch = part.epoch
    self.registry = registry
    self.claims = claims
    self.configuration = configuration
    self.compression = compression
    access = configuration.access(claims)
    rules = ReadRules(access, in: configuration.schema)
  }

  /// Takes other claims or another configuration. Whether the user may read something else now.
  mutating func change(claims: UserClaims, configuration: TenantConfiguration) -> Bool {
    self.claims = claims
    self.configuration = configuration
    let access = configuration.access(claims)
    guard access != self.access else { return false }
    self.access = access
    let before = rules
    rules = ReadRules(access, in: configuration.schema)
    return rules != before
  }

  var scope: BootstrapScope {
    BootstrapScope(tenant: tenant, part: .first, site: site, schema: configuration.schema, epoch: epoch)
  }
}
