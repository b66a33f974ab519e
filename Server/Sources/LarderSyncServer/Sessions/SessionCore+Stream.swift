import LarderSyncProtocol

// What the device is sent: bootstraps and the log.
extension SessionCore {
  /// Takes a set of subscriptions.
  func receive(_ subscribe: Subscribe) throws {
    guard let peer = active?.peer else { return }
    do throws(RefusedQuery) {
      try subscribe.check(queries: services.configuration.devices.queriesPerSet)
      let view = try DeviceView(subscribe, rules: peer.rules, in: peer.configuration.schema)
      active?.stream.subscribe(view)
      active?.scope.add(view.view)
    } catch {
      // The queries before it stay in force, and the log goes on for them.
      active?.stream.keep(nil)
      guard isRead else {
        throw SessionFailure(.rate, action: .reconnect, "The device asks for more than it reads the answers of.")
      }
      let failure = SessionFailure(
        .query, action: .carryOn, error.reason, subject: error.query.predicate)
      send(.failure(failure.failure))
    }
    kick()
  }

  /// Takes a mark, which comes back once all is sent that is in the log now.
  func mark(_ number: UInt64) async throws {
    guard let feed = active?.subscription.feed else { return }
    guard active?.stream.markCount ?? 0 < Self.mostMarks else {
      throw SessionFailure(.rate, action: .reconnect, "The device asks for more marks than it may at once.")
    }
    let head = try await feed.currentHead()
    active?.stream.add(SessionStream.Mark(number: number, version: head))
    kick()
  }

  private static var mostMarks: Int { 1_024 }

  /// Goes on sending, beside what else the session does.
  func kick() {
    guard phase == .active else { return }
    pumpsAgain = true
    guard !isPumping else { return }
    isPumping = true
    Task { await pump() }
  }

  private func pump() async {
    while pumpsAgain, !isEnded {
      pumpsAgain = false
      do {
        while try await sendNext() {}
      } catch {
        end(error)
      }
    }
    isPumping = false
  }

  /// Sends the next thing; false when nothing can be sent until something changes.
  private func sendNext() async throws -> Bool {
    guard try await isWritable(), let active else { return false }
    if active.stream.bootstrap != nil {
      try await continueBootstrap()
      return true
    }
    if let wanted = active.stream.wanted {
      try await beginBootstrap(wanted)
      return true
    }
    guard let view = active.stream.view, active.stream.kept == nil else {
      sendMarks()
      return false
    }
    let feed = active.subscription.feed
    let answer = await feed.batch(
      after: active.stream.sent, nonce: active.stream.nonce, view.view, site: active.peer.site,
      expands: active.peer.compression != nil)
    switch answer {
    case .replaced: throw BootstrapFailure.logIsAnother
    case .batch(let batch): sendOrBeginAgain(batch)
    case .behind: try await catchUp(feed.log, view)
    case .upToDate:
      self.active?.stream.hasComparedState = false
      sendMarks()
      return false
    }
    return true
  }

  /// Waits until the connection has taken most of what it was handed; false when the device has to give credit first, and at the end.
  private func isWritable() async throws -> Bool {
    while !isEnded, output.unwrittenBytes >= services.configuration.mostUnwrittenBytes {
      try await Task.sleep(for: .milliseconds(10))
    }
    return phase == .active && active?.flow.maySend == true
  }

  // MARK: - The log

  /// Goes on with a device for which the ring does not reach back far enough: with state where that is shorter, else with the log.
  private func catchUp(_ log: LogReader, _ view: DeviceView) async throws {
    guard let active else { return }
    if !active.stream.hasComparedState {
      self.active?.stream.hasComparedState = true
      let isShorter = try await services.bootstraps.isStateShorter(
        active.peer.scope, thanLogAfter: active.stream.sent, least: services.configuration.historyBytes, for: view.view)
      // Its own commits that wait to be merged have markers, which only the log has.
      if isShorter, queue.isEmpty, !isUploading, operations.isEmpty {
        self.active?.stream.beginAgain()
        return
      }
    }
    sendOrBeginAgain(try await batchFromLog(log, view))
  }

  /// Of a device that is far back, the log is read by its session alone.
  private func batchFromLog(_ log: LogReader, _ view: DeviceView) async throws -> StreamBatch {
    guard let active else { throw BootstrapFailure.logIsAnother }
    var piece = try await log.piece(
      after: active.stream.sent, nonce: active.stream.nonce, limit: 200, bytes: services.configuration.frameBytes)
    guard !piece.isOther, piece.head.epoch == active.peer.epoch, !piece.commits.isEmpty else {
      throw BootstrapFailure.logIsAnother
    }
    var builder = BatchBuilder(view.view, site: active.peer.site)
    var bytes = 0
    var through = active.stream.sent
    for index in piece.commits.indices where bytes < services.configuration.frameBytes {
      builder.add(&piece.commits[index])
      bytes += piece.commits[index].bytes
      through = piece.commits[index].version
    }
    return builder.batch(through: through, compression: active.peer.compression)
  }

  /// A device for which a commit brings more whole objects than a frame can hold gets everything again, because pages are made of fewer objects.
  private func sendOrBeginAgain(_ batch: StreamBatch) {
    guard phase == .active, let peer = active?.peer else { return }
    let capacity = FrameCapacity(frameBytes: services.configuration.limits.frameBytes)
    if let frame = batch.frame, !capacity.holds(frame, site: peer.site, compression: peer.compression) {
      for merged in batch.own { announce(merged) }
      active?.stream.beginAgain()
    } else {
      send(batch)
    }
  }

  private func send(_ batch: StreamBatch) {
    for merged in batch.own { announce(merged) }
    if let frame = batch.frame { send(frame) }
    active?.stream.advance(through: batch.through, nonce: batch.nonce, lastRecord: batch.lastRecord)
    sendMarks()
  }

  /// Says of one of the device's own commits what its marker does not.
  private func announce(_ merged: MergedCommit<ObjectSummary>) {
    // What is in the log is durable, whether the transaction's answer has come or not.
    acknowledge(through: merged.siteVersion)
    if merged.isClamped {
      send(.acknowledge(Acknowledgement(siteVersion: merged.siteVersion, clamped: merged.time)))
    }
    guard let objects = operations.removeValue(forKey: merged.siteVersion) else { return }
    var refused: [RefusedOperation] = []
    for (index, result) in merged.results.enumerated() where index < objects.count {
      guard case .refused(let reason) = result else { continue }
      refused.append(
        RefusedOperation(
          siteVersion: merged.siteVersion, operation: UInt32(index), object: objects[index], reason: reason,
          message: SyncText(reason.explanation)))
    }
    if !refused.isEmpty { send(.refused(refused)) }
  }

  /// Sends marks that are due, after the device knows that it is as far.
  private func sendMarks() {
    guard var stream = active?.stream else { return }
    if stream.needsRecord {
      let record = DownloadRecord(version: stream.sent, time: SyncTime(rawValue: 0), site: .none)
      stream.announce()
      let cursor = StreamCursor(version: stream.sent, nonce: stream.nonce)
      send(.download(Download(records: [record], cursor: cursor.bytes)))
    }
    let marks = stream.takeMarks()
    active?.stream = stream
    for mark in marks { send(.mark(mark.number)) }
  }

  // MARK: - Bootstraps

  private func beginBootstrap(_ wanted: DeviceView) async throws {
    guard let active else { return }
    // Another view may be wanted while the store is read.
    let kept = self.active?.stream.takeKept(for: wanted.tag)
    self.active?.stream.prepare(wanted)
    var bootstrap = try await services.bootstraps.begin(
      active.peer.scope, at: active.stream.sent, nonce: active.stream.nonce, from: active.stream.view?.view,
      to: wanted.view)
    guard phase == .active else { return }
    let continues = kept.map { bootstrap.resume($0) } ?? false
    self.active?.stream.begin(bootstrap)
    send(
      .bootstrapBegin(
        BootstrapBegin(
          view: wanted.tag, isFull: bootstrap.isFull, objects: bootstrap.estimate.objects,
          bytes: bootstrap.estimate.bytes, resumption: bootstrap.token.bytes, continues: continues)))
  }

  private func continueBootstrap() async throws {
    guard let bootstrap = active?.stream.bootstrap else { return }
    if let page = active?.stream.pages.popFirst() { return send(.bootstrapPage(page)) }
    guard let (pages, after) = try await services.bootstraps.pages(bootstrap) else {
      return try await endBootstrap(bootstrap)
    }
    active?.stream.bootstrap = after
    active?.stream.pages = pages[...]
  }

  private func endBootstrap(_ bootstrap: Bootstrap) async throws {
    guard let active, let view = active.stream.coming else { return }
    // Before the device can have it: it may come back with either view.
    try await active.peer.registry.keep(active.stream.possibleViews, of: active.peer.site)
    guard phase == .active else { return }
    send(
      .bootstrapEnd(
        BootstrapEnd(
          version: bootstrap.start, ownSiteVersion: bootstrap.ownAtStart, view: view.tag,
          epoch: UInt64(clamping: active.peer.epoch), isFull: bootstrap.isFull, time: bootstrap.time,
          cursor: StreamCursor(version: bootstrap.start, nonce: bootstrap.startNonce).bytes)))
    self.active?.stream.finish()
    services.counters.bootstraps.add(1, ordering: .relaxed)
  }
}
