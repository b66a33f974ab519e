import LarderStorage
import LarderSyncProtocol

/// The exchange between a device and its server, in one session after another, over a store.
///
/// Its caller gives it what arrives, and sends what it returns; it has no connection and waits for nothing but the store. Each step is at most one
/// transaction of the store, so that the program's own transactions come in between. One thread at a time uses it.
final class Exchange {
  let keeper: DeviceKeeper
  let configuration: EngineConfiguration
  let slices: SliceLimits
  var session: SessionState?
  /// The bootstrap that is in the store; with its end it is being applied.
  var staged: StagedBootstrap?
  var incoming: IncomingBootstrap?
  /// The batch that is being applied, and the first record that is not.
  var download: (batch: Download, next: Int)?
  var refused = RefusedOperations()
  var reported = ReportedOnce()
  var waits = ExchangeWaits()
  var output = ExchangeOutput()
  private var buffer = FrameBuffer()
  private var isGreeting = false
  /// The token of the session.
  private(set) var token = SessionToken(tenant: nil)
  private var unsent = UnsentCommits()

  init(_ store: Store, _ configuration: EngineConfiguration, _ slices: SliceLimits = SliceLimits()) {
    keeper = DeviceKeeper(store)
    self.slices = slices
    self.configuration = configuration
  }

  /// Reads what the store keeps, and gives the device the commits that were made without it.
  func open() throws {
    let refused = try keeper.write { try RefusedRecords($0.state).all() }
    for batch in refused { self.refused.add(batch.entries, batch.number) }
    tellRefused()
    keeper.reset = try keeper.write { try ResetRecord.load($0.state) }
    try reportReset()
    staged = try keeper.write { transaction in
      let kept = try StagedBootstrap.load(transaction.state)
      guard let kept, kept.end == nil, kept.isPartial || configuration.appliesProgressively else { return kept }
      try kept.drop(in: transaction)
      return nil
    }
    if keeper.isCopy { output.events.append(.failure(.storeCopied)) }
  }

  // MARK: - Sessions

  /// Begins a session on a new connection. Steps that are left have to be done before.
  func greet(_ token: String) throws {
    disconnect()
    try reportReset()
    let kept = try keptBootstrap()
    try keeper.replay()
    self.token = SessionToken(tenant: configuration.tenantOfToken(token))
    if let failure = try StoreTenant.mismatch(self.token.tenant, keeper.store) {
      output.end = failure
      return
    }
    guard let device = keeper.device else { return }
    let server = keeper.server
    let hello = Hello(
      tenant: SyncText(configuration.tenant), token: SyncText(token), agent: SyncText(configuration.agent),
      credential: server.secret.map { SiteCredential(site: device.site, secret: $0) },
      incarnation: UInt64(keeper.store.storeID.prefix(16), radix: 16) ?? 0,
      schemaFingerprint: try keeper.currentCatalog().fingerprint,
      position: SyncPosition(
        epoch: device.epoch, cursor: device.cursor == nil ? nil : server.cursor, view: device.view,
        retained: device.retained.atMost(RetainedCommits.most, acknowledged: device.acknowledged), bootstrap: kept),
      expands: false)
    output.frames.append(SyncFrame(.hello(hello)).encoded())
    isGreeting = true
  }

  /// Returns the position at which the bootstrap in the store may go on, and drops one that cannot.
  private func keptBootstrap() throws -> BootstrapPosition? {
    guard let staged else { return nil }
    let position = try staged.position(subscriptions: wantedSubscriptions().version)
    if position == nil || configuration.appliesProgressively { try dropStaged() }
    return self.staged == nil ? nil : position
  }

  /// Ends the session. What the store keeps of it goes on in the next one.
  func disconnect() {
    session = nil
    isGreeting = false
    incoming = nil
    download = nil
    buffer = FrameBuffer()
    output.frames = []
    output.end = nil
    output.stall = nil
    output.hasProgressed = false
    waits.disconnected()
  }

  /// Takes the server's answer to the greeting.
  func begin(_ welcome: Welcome) throws {
    guard isGreeting else { return refuse(.unexpected, "a second welcome") }
    isGreeting = false
    guard welcome.time < Self.endOfTime else { return refuseTime() }
    guard try beginReset(welcome) else { return }
    token.welcome(welcome.time, at: configuration.clock.now())
    let tenant = token.tenant
    if let device = keeper.device, welcome.lastSiteVersion > device.acknowledged { output.hasProgressed = true }
    var common: UInt64?
    try keeper.write(after: welcome.time) { transaction in
      var resumption = welcome.resumption
      if transaction.server.secret == nil {
        // What waits was named by a site that the server does not know.
        resumption = .fork(common: transaction.device.acknowledged)
      }
      if case .fork(let last) = resumption { common = last }
      if resumption != .incremental { transaction.server.cursor = nil }
      if case .fork = resumption, let staged { try staged.drop(in: transaction) }
      transaction.device.receive(
        resumption, site: welcome.site, epoch: welcome.epoch, lastSiteVersion: welcome.lastSiteVersion)
      transaction.removeSent()
      if let secret = welcome.secret { transaction.server.secret = secret }
      if let tenant { try StoreTenant.set(tenant, in: transaction) }
    }
    if case .fork = welcome.resumption { output.events.append(.failure(.storeCopied)) }
    if common != nil { staged = nil }
    if let common { waits.forked(common) }
    waits.acknowledged(through: welcome.lastSiteVersion)
    var session = SessionState(site: welcome.site, limits: welcome.limits, sentThrough: welcome.lastSiteVersion)
    if configuration.pushesSchema {
      let catalog = try keeper.currentCatalog()
      let declared = catalog.declared
      session.enqueue(SyncFrame(.schemaPush(declared)).encoded())
      session.awaitsSchema = keeper.withheld.schema.map { !$0.missing(of: declared).isEmpty } ?? true
    }
    self.session = session
    output.isWelcomed = true
    try pump()
  }

  /// Takes what the server says of the token: it says so after the welcome, and after each other token (Y-56).
  func tokenIsAccepted(until end: UInt64) {
    token.accept(until: end)
    output.tokenEnd = end
  }

  // MARK: - Steps

  /// Takes bytes that have arrived.
  func receive(_ bytes: [UInt8]) { buffer.append(bytes) }

  /// Does the next thing of what has arrived; false when there is nothing left.
  ///
  /// - Throws: What the store throws. Bytes that are no message end the session instead.
  func step() throws -> Bool {
    if mayApplyBootstrap {
      try applyBootstrap()
    } else if download != nil {
      try applyRecords()
    } else {
      guard output.end == nil else { return false }
      let before = buffer.waiting
      do {
        guard let frame = try buffer.next(site: session?.site) else { return false }
        try take(frame.message, bytes: before - buffer.waiting)
      } catch let error as SyncDecodingError {
        refuse(.malformed, "\(error)")
      }
    }
    output.endedWaits += waits.takeEnded()
    tellUnfit()
    return true
  }

  /// Notes that something of the server's is here. Commits that could be sent and are not confirmed do not become so by what comes from others: then
  /// it is no progress.
  func noteProgress() {
    guard let device = keeper.device, device.cursor == nil || device.acknowledged >= device.lastSiteVersion else {
      return
    }
    output.hasProgressed = true
  }

  /// Says once of each property that the server has something that it cannot hold here (Y-48).
  private func tellUnfit() {
    for value in keeper.takeUnfit() where reported.unfit.insert(value).inserted {
      output.events.append(.failure(.schema(value.explanation)))
    }
  }

  /// Ends the session because of what the server sent.
  func refuse(_ code: SyncFailureCode, _ message: String) {
    let failure = SyncFailure(code, action: .reconnect, message: SyncText(message))
    output.frames.append(SyncFrame(.failure(failure)).encoded())
    output.end = failure
  }

  /// Takes what is to be done.
  func takeOutput() -> ExchangeOutput {
    output.endedWaits += waits.takeEnded()
    defer { output = ExchangeOutput() }
    return output
  }

  // MARK: - Status

  /// Writes what the exchange knows into a status.
  func describe(_ status: inout EngineStatus) {
    status.setPhase(staged, session?.isBootstrapping == true ? incoming : nil, hasSession: session != nil)
    if let device = keeper.device { unsent.update(device) }
    status.unsentCommits = unsent.commits
    status.unsentBytes = unsent.bytes
    status.oldestUnsent = unsent.oldest
    status.lastSynced = keeper.server.lastSynced
  }
}
