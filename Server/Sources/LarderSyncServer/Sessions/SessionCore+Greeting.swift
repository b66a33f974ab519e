import LarderSyncProtocol

// Who the device is, and what it may do.
extension SessionCore {
  /// Answers a greeting.
  func welcome(_ hello: Hello) async throws {
    let checks = GreetingChecks(hello: hello)
    let version = try checks.version()
    try checks.numbers()
    let claims = try await verified(hello.token.string)
    let tenant = try checks.tenant(claims, acceptsAny: services.configuration.acceptsTokensWithoutTenant)
    let configuration = try checks.configuration(await services.configuration.tenants.configuration(of: tenant))
    let registry = SiteRegistry(store: services.store, tenant: tenant, part: .first)
    let admission = SiteAdmission(
      hello: hello, newSite: SiteSecret.makeSite(), schema: configuration.schema, now: services.now)
    guard let admitted = try await registry.admit(admission) else {
      throw GreetingChecks.tenantRefused(tenant.name)
    }
    let (outcome, part) = (admitted.outcome, admitted.part)
    let subscription = try await listen(tenant, part)
    guard !isEnded else { return await services.feeds.leave(subscription) }
    send(.welcome(answer(version, outcome, part)))
    let peer = SessionPeer(
      tenant, outcome, part: part, registry: registry, claims: claims, configuration: configuration,
      compression: hello.expands ? services.configuration.compression : nil)
    // A new site has other commits than those that the pages tell of.
    let kept =
      outcome.secret == nil
      ? KeptBootstrap(hello.position.bootstrap, at: outcome.position?.version, in: part, admitted.anchors) : nil
    start(peer, outcome, subscription, head: UInt64(clamping: part.head), kept: kept)
  }

  /// Listens to the feed of the log that the device was admitted to.
  private func listen(_ tenant: TenantID, _ part: PartRecord) async throws -> Feeds.Subscription {
    try await services.feeds.listen(tenant, session: number, part) { [weak self] in
      guard let self else { return }
      Task { await self.kick() }
    }
  }

  private func answer(
    _ version: ProtocolVersion, _ outcome: SiteAdmission.Outcome, _ part: PartRecord
  ) -> Welcome {
    let now = SyncTime(milliseconds: UInt64(clamping: services.now))
    return Welcome(
      version: version, session: UInt64(outcome.session), site: outcome.site, secret: outcome.secret,
      epoch: UInt64(clamping: part.epoch), lastSiteVersion: outcome.lastSiteVersion,
      time: max(now, SyncTime(rawValue: part.maxTime)), resumption: outcome.resumption,
      limits: services.configuration.limits, expands: services.configuration.compression != nil)
  }

  private func start(
    _ peer: SessionPeer, _ outcome: SiteAdmission.Outcome, _ subscription: Feeds.Subscription, head: UInt64,
    kept: KeptBootstrap?
  ) {
    let limits = services.configuration.limits
    let devices = services.configuration.devices
    var active = Active(
      peer: peer, stream: SessionStream(outcome.position, nonce: outcome.nonce, head: head),
      uploads: UploadWindow(after: outcome.lastSiteVersion, limits: limits),
      flow: SessionFlow(credit: limits.credit),
      commits: RateLimit(perSecond: devices.commitsPerSecond, now: services.now),
      bytes: RateLimit(perSecond: devices.uploadBytesPerSecond, now: services.now),
      subscription: subscription)
    active.stream.keep(kept)
    for view in outcome.views { active.scope.add(view.view) }
    begin(active)
    send(.authenticated(until: UInt64(clamping: peer.claims.expires)))
    rulesChanged()
    kick()
  }

  private func verified(_ token: String) async throws -> UserClaims {
    do {
      let claims = try await services.verifier.claims(of: token)
      guard claims.expires > services.now else { throw TokenFailure.expired }
      return claims
    } catch let failure as TokenFailure {
      throw GreetingChecks.refusal(failure)
    }
  }

  /// Takes another token of the same user.
  func authenticate(_ token: String) async throws {
    let claims = try await verified(token)
    guard var peer = active?.peer else { return }
    let mayBeAny = services.configuration.acceptsTokensWithoutTenant
    guard claims.subject == peer.claims.subject,
      claims.tenant.map({ $0 == peer.tenant.name }) ?? mayBeAny
    else {
      throw SessionFailure(
        .token, action: .refreshToken, "The token is another user's, or for another tenant, than the session.")
    }
    let isOther = peer.change(claims: claims, configuration: peer.configuration)
    active?.peer = peer
    send(.authenticated(until: UInt64(clamping: claims.expires)))
    if isOther { rulesChanged() }
  }

  /// Takes another configuration of the tenant.
  func configurationChanged(_ configuration: TenantConfiguration) {
    guard phase == .active, var peer = active?.peer else { return }
    let hasOtherSchema = peer.configuration.schema != configuration.schema
    let isOther = peer.change(claims: peer.claims, configuration: configuration)
    active?.peer = peer
    if hasOtherSchema { send(.schema(configuration.schema)) }
    if isOther { rulesChanged() }
  }

  /// The device gets what it may read now: a bootstrap of the classes whose rules are others.
  private func rulesChanged() {
    guard let active, let newest = active.stream.newest else { return }
    let view = newest.under(active.peer.rules, in: active.peer.configuration.schema)
    self.active?.stream.want(view)
    kick()
  }

  /// The tenant of the session; nil until it is welcomed and after its end.
  var tenant: TenantID? { phase == .active ? active?.peer.tenant : nil }

  /// Adds what the device's schema has more than the tenant's.
  func push(_ schema: SyncSchema) async throws {
    guard let peer = active?.peer else { return }
    do {
      let tenants = services.configuration.tenants
      let merged = try await tenants.push(schema, to: peer.tenant, by: peer.claims)
      if let configuration = try await tenants.configuration(of: peer.tenant) { configurationChanged(configuration) }
      send(.schema(merged))
    } catch let failure as SessionFailure where failure.failure.action == .carryOn {
      send(.failure(failure.failure))
      // The device keeps back what is done to objects of the other classes.
      let known = try await services.configuration.tenants.configuration(of: peer.tenant)
      send(.schema(known?.schema ?? peer.configuration.schema))
    }
  }
}
