import LarderStorage
import LarderSyncProtocol

/// Writes received content into the store, in slices: between two of them the program's own transactions come first (Y-19).
extension Exchange {
  private struct Slice {
    let limits: SliceLimits
    let clock: EngineClock
    let start: Duration
    var objects = 0

    init(_ limits: SliceLimits, _ clock: EngineClock) {
      self.limits = limits
      self.clock = clock
      start = clock.now()
    }

    var isFull: Bool { objects >= limits.objects || clock.now() - start >= limits.time }
  }

  /// Applies records up to the end of a slice, together with the position after them. A commit of the server is never split.
  func applyRecords() throws {
    guard let (batch, first) = download else { return }
    let time = batch.records[first...].map(\.time).max() ?? SyncTime(rawValue: 0)
    var found: [RefusedEntry] = []
    let (next, number) = try keeper.write(after: time) { transaction in
      var slice = Slice(slices, configuration.clock)
      var next = first
      while next < batch.records.count, next == first || !slice.isFull {
        let record = batch.records[next]
        if let own = record.own { found += refused.new(own, transaction.device) }
        transaction.device.apply(record)
        slice.objects += record.objects.count + (record.own == nil ? 0 : 1)
        next += 1
      }
      if next == batch.records.count, transaction.device.cursor != nil { transaction.server.cursor = batch.cursor }
      transaction.device.releaseConfirmed()
      return (next, found.isEmpty ? 0 : try RefusedRecords(transaction.state).add(found))
    }
    refused.add(found, number)
    download = next < batch.records.count ? (batch, next) : nil
    noteProgress()
    tellRefused()
    noteSynced()
  }

  /// Puts pages that have arrived into the store.
  func stage() throws {
    guard let incoming else { return }
    let known = incoming.isNew ? nil : self.staged
    var staged = known ?? StagedBootstrap(incoming.begin)
    try keeper.write { transaction in
      if incoming.isNew, let old = try StagedBootstrap.load(transaction.state) { try old.drop(in: transaction) }
      for page in incoming.pages { try staged.stage(page, by: slices.partObjects, transaction.state) }
      staged.end = incoming.end
      try staged.save(transaction.state)
    }
    self.staged = staged
    noteProgress()
    if staged.end == nil { self.incoming?.stored() } else { self.incoming = nil }
  }

  /// True if there is something of a bootstrap that may be applied now.
  var mayApplyBootstrap: Bool {
    guard let staged else { return false }
    return staged.end != nil || configuration.appliesProgressively && staged.hasParts && keeper.begunReset == nil
  }

  /// Applies parts of a bootstrap up to the end of a slice, and after the last part of one that has arrived whole the position that they lead to.
  func applyBootstrap() throws {
    guard var staged else { return }
    if let reset = keeper.begunReset, staged.isFull { return try applyReset(reset, staged) }
    let isDone = try keeper.write(after: staged.end?.time ?? SyncTime(rawValue: 0)) { transaction in
      var slice = Slice(slices, configuration.clock)
      while !slice.isFull, let part = try staged.takePart(transaction.state) {
        transaction.device.apply(part, isFull: staged.isFull)
        slice.objects += part.objects.count
      }
      guard staged.end != nil, !staged.hasParts else {
        try staged.save(transaction.state)
        return false
      }
      try staged.complete(in: transaction)
      return true
    }
    self.staged = isDone ? nil : staged
    if isDone { try finishBootstrap() }
  }

  /// Forgets a bootstrap that has not arrived whole, if there is one.
  func dropStaged() throws {
    guard let staged, staged.end == nil else { return }
    try keeper.write { try staged.drop(in: $0) }
    self.staged = nil
  }

  private func tellHiddenLinks() throws {
    let counts = try reported.hiddenLinks.newCounts(in: keeper.store.snapshot(), keeper.currentCatalog())
    if !counts.isEmpty { output.events.append(.hiddenLinks(counts)) }
  }

  func finishBootstrap() throws {
    let acknowledged = keeper.device?.acknowledged ?? 0
    waits.acknowledged(through: acknowledged)
    tellRefused()
    try tellHiddenLinks()
    guard var session else { return }
    session.sentThrough = max(session.sentThrough, acknowledged)
    session.acknowledged(through: acknowledged)
    session.finishedBootstrap()
    self.session = session
    askMark()
    try pump()
  }

  /// Forgets those that the program was notified of.
  func forgetRefused() throws {
    let numbers = refused.takeNotified()
    if !numbers.isEmpty { try keeper.write { try RefusedRecords($0.state).remove(numbers) } }
  }

  /// Says which operations the server did not accept, once their objects are as the server has them (Y-28).
  func tellRefused() {
    guard let device = keeper.device else { return }
    let objects = refused.takeSettled(device)
    if !objects.isEmpty { output.events.append(.rejected(objects)) }
  }
}

extension Device {
  /// Gives up confirmed commits, many at once, but for as many as a server that was replaced by an older one may ask for.
  fileprivate mutating func releaseConfirmed() {
    let kept: UInt64 = 1_000
    guard acknowledged > kept, let first = keptCommits.first?.siteVersion else { return }
    let last = acknowledged - kept
    if last > first + kept / 10 { release(through: last) }
  }
}
