import LarderStorage
import LarderSyncProtocol

/// Takes the messages that arrive.
extension Exchange {
  /// Takes a message of a number of bytes.
  func take(_ message: SyncMessage, bytes: Int) throws {
    switch message {
    case .welcome(let welcome): return try begin(welcome)
    case .failure(let failure): return try take(failure)
    case .ping(let number): return output.frames.append(SyncFrame(.pong(number)).encoded())
    case .pong: return
    case .credit(let bytes):
      session?.addCredit(bytes)
      return try pump()
    default: break
    }
    guard session != nil else { return refuse(.unexpected, "message \(message.kind) before a welcome") }
    try takeCounted(message, bytes)
    if let credit = session?.took(bytes) { output.frames.append(SyncFrame(.credit(credit)).encoded()) }
  }

  /// The first time that no server may give anything, some 4,400 years after 1970: own commits come after those of others, and need times as well.
  static let endOfTime = SyncTime(rawValue: 1 << 63)

  func refuseTime() { refuse(.malformed, "a time that leaves none for later commits") }

  private func takeCounted(_ message: SyncMessage, _ bytes: Int) throws {
    switch message {
    case .acknowledge(let acknowledgement): try take(acknowledgement)
    case .refused(let operations):
      guard let device = keeper.device else { return }
      let entries = refused.new(operations, device)
      guard !entries.isEmpty else { return }
      // What was confirmed before is written with it.
      refused.add(entries, try keeper.write { try RefusedRecords($0.state).add(entries) })
      tellRefused()
    case .download(let batch):
      guard batch.records.allSatisfy({ $0.time < Self.endOfTime }) else { return refuseTime() }
      // The pages would be older than the records.
      if incoming == nil { try dropStaged() }
      take(batch)
    case .bootstrapBegin(let begin):
      guard incoming == nil else { return refuse(.unexpected, "a bootstrap within another one") }
      if !begin.continues { try dropStaged() }
      guard !begin.continues || staged != nil else { return refuse(.unexpected, "the rest of no bootstrap") }
      incoming = IncomingBootstrap(begin, after: staged)
      session?.isBootstrapping = true
      session?.isSubscribing = false
      try sendSubscriptions()
      try sendUploads()
    case .bootstrapPage(let page):
      guard incoming != nil else { return refuse(.unexpected, "a page without a bootstrap") }
      incoming?.append(page, bytes: bytes)
      if let incoming, incoming.bytes >= slices.stagedBytes { try stage() }
    case .bootstrapEnd(let end):
      guard incoming != nil else { return refuse(.unexpected, "the end of no bootstrap") }
      guard end.time < Self.endOfTime else { return refuseTime() }
      incoming?.end = end
      try stage()
    case .mark(let number): try take(mark: number)
    case .authenticated(let end): tokenIsAccepted(until: end)
    case .unknown: break
    case .schema(let schema): try keep(schema)
    default: refuse(.unexpected, "message \(message.kind) is a device's")
    }
  }

  private func take(_ acknowledgement: Acknowledgement) throws {
    let siteVersion = acknowledgement.siteVersion
    guard let device = keeper.device else { return }
    guard siteVersion <= device.lastSiteVersion else {
      return refuse(.unexpected, "an acknowledgement of commit \(siteVersion), which was never sent")
    }
    if let clamped = acknowledgement.clamped, !reported.isClockAdjusted, let own = device.commit(siteVersion)?.time {
      let milliseconds = Int64(clamping: own.milliseconds) - Int64(clamping: clamped.milliseconds)
      reported.isClockAdjusted = true
      output.events.append(.failure(.clockAdjusted(milliseconds: milliseconds)))
    }
    let confirmed = device.acknowledged
    if siteVersion > confirmed { output.hasProgressed = true }
    keeper.acknowledge(through: siteVersion)
    try removeSent(after: confirmed)
    session?.acknowledged(through: siteVersion)
    waits.acknowledged(through: siteVersion)
    noteSynced()
    try pump()
  }

  /// Deletes objects that are only sent, of commits after one that was confirmed before (Y-46).
  private func removeSent(after siteVersion: UInt64) throws {
    let classes = try keeper.currentCatalog().sentOnly.subtracting(keeper.withheld.names)
    guard !classes.isEmpty, keeper.device?.hasConfirmed(classes, after: siteVersion) == true else { return }
    try keeper.write { $0.device.removeSent(classes, after: siteVersion) }
  }

  private func take(_ batch: Download) {
    guard !batch.records.isEmpty else {
      if keeper.device?.cursor != nil { keeper.advance(to: batch.cursor) }
      return
    }
    download = (batch, 0)
  }

  private func take(mark number: UInt64) throws {
    guard session != nil, let device = keeper.device else { return }
    noteProgress()
    let isLast = session?.takeMark(number) ?? false
    if let mark = session?.subscriptionMark, number >= mark { session?.isSubscribing = false }
    if isLast, let subscribed = session?.subscribed, device.view?.subscriptions == subscribed {
      waits.reached(number)
      try complete(subscribed)
      noteSynced()
    } else {
      waits.missed(number)
    }
    try pump()
  }

  /// Notes that both sides have everything, if the device has sent everything.
  func noteSynced() {
    guard let device = keeper.device, let session, !session.isBootstrapping, device.view != nil,
      device.acknowledged == device.lastSiteVersion
    else { return }
    keeper.noteSynced(at: configuration.clock.date())
  }

  // MARK: - Failures

  private func take(_ failure: SyncFailure) throws {
    switch failure.action {
    case .carryOn where failure.code == .query && session?.subscribed != nil: try refuseSubscriptions(failure)
    case .carryOn where failure.code == .schemaForbidden:
      // Each session says so; programs hear it once.
      guard reported.schema != failure.message else { return }
      reported.schema = failure.message
      output.events.append(.failure(.server(failure)))
    case .carryOn: output.events.append(.failure(.server(failure)))
    case .resend:
      session?.pause(acknowledged: keeper.device?.acknowledged ?? 0)
      output.stall = failure
    case .reset:
      let isNew = keeper.device?.cursor == nil && keeper.begunReset == nil
      guard try isNew || beginReset(failure.message, keepsCopy: true, isNewSite: false) else { return }
      try keeper.write { transaction in
        transaction.device.needEverything()
        transaction.server.cursor = nil
        if failure.code == .siteSecret { transaction.server.secret = nil }
      }
      output.end = failure
    case .reconnect, .refreshToken, .stop: output.end = failure
    }
  }

  // MARK: - Subscriptions

  /// The objects of a set are here.
  private func complete(_ version: UInt64) throws {
    guard let record = try SubscriptionSetRecord.newest(in: try keeper.store.snapshot()),
      record.version == version, record.state == .pending
    else { return }
    try change(version) { $0.completed(version: version) }
    output.events.append(.subscriptions(version: version, error: nil))
  }

  /// The server does not accept the set that was sent; what was in force before it stays so (Y-5).
  private func refuseSubscriptions(_ failure: SyncFailure) throws {
    guard let version = session?.subscribed else { return }
    session?.isSubscribing = false
    try change(version) { $0.refused(version: version, failure) }
    output.events.append(.subscriptions(version: version, error: failure))
    try sendSubscriptions()
    try sendUploads()
  }

  private func change(_ version: UInt64, _ body: (SubscriptionSetRecord) -> SubscriptionSetRecord) throws {
    try keeper.write { transaction in
      guard let record = try SubscriptionSetRecord.newest(in: transaction.state, path: transaction.path) else { return }
      let changed = body(record)
      if changed != record { try changed.write(to: transaction.state) }
    }
  }
}
