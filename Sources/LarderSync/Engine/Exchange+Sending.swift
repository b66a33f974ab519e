import LarderStorage
import LarderSyncProtocol

/// Makes the messages that are sent.
extension Exchange {
  /// Gives the device the store's new commits, and sends what may be sent.
  func pump() throws {
    try keeper.replay()
    guard session != nil else { return }
    try releaseClasses()
    try sendSubscriptions()
    try sendUploads()
    if waits.needsMark, session?.isBootstrapping == false { askMark() }
    flush()
  }

  /// Ends a pause that the server has asked for.
  func resumeUploads() throws {
    session?.isPaused = false
    try pump()
  }

  /// Sends a token in the session.
  func authenticate(_ token: String) {
    session?.enqueue(SyncFrame(.authenticate(token: SyncText(token))).encoded())
    flush()
  }

  func askMark() {
    guard let mark = session?.askMark() else { return }
    waits.asked(mark)
    session?.enqueue(SyncFrame(.mark(mark)).encoded())
  }

  private func flush() {
    if let frames = session?.takeFrames() { output.frames += frames }
  }

  /// Sends the newest set of subscriptions, or after a refusal the one that is in force (Y-5). Only one set at a time waits for an answer: a
  /// refusal does not say which set it is of.
  func sendSubscriptions() throws {
    guard var session, !session.isSubscribing else { return }
    let set = try wantedSubscriptions()
    guard set.version != session.subscribed else { return }
    session.subscribed = set.version
    session.isSubscribing = true
    session.enqueue(SyncFrame(.subscribe(set)).encoded())
    session.subscriptionMark = session.lastMark + 1
    self.session = session
    askMark()
    flush()
  }

  func wantedSubscriptions() throws -> Subscribe {
    let record = try SubscriptionSetRecord.newest(in: try keeper.store.snapshot()) ?? SubscriptionSetRecord()
    guard case .error = record.state else { return record.subscribe }
    return record.inForce ?? Subscribe(version: 0, queries: [])
  }

  /// Sends commits, but not before a set of subscriptions that has yet to be sent: the server refuses new objects that no set asks for (Y-26).
  func sendUploads() throws {
    guard let device = keeper.device else { return }
    if let session, session.isSubscribing, try wantedSubscriptions().version != session.subscribed { return }
    while let session, session.mayUpload {
      let batch = UploadBatch(device.uploads(after: session.sentThrough), site: session.site, limits: session.limits)
      guard let last = batch.commits.last else { return }
      let frame = SyncFrame(.upload(Upload(commits: batch.commits))).encoded(site: session.site)
      if let oversized = OversizedCommit(last, in: frame, session.site, session.limits) {
        return try setAside(oversized)
      }
      self.session?.enqueue(frame)
      self.session?.sent(through: last.siteVersion)
      flush()
    }
  }

  /// Gives up a commit that the server does not take, which a store that is older than its limits, or than the server's, may have. The program is notified of
  /// what it had written, and what was written after it is sent.
  private func setAside(_ oversized: OversizedCommit) throws {
    guard let device = keeper.device else { return }
    let entries = refused.new(oversized.operations, device)
    let number = try keeper.write { transaction in
      transaction.device.setAside(oversized.commit.siteVersion)
      transaction.server.cursor = nil
      return try RefusedRecords(transaction.state).add(entries)
    }
    refused.add(entries, number)
    output.end = oversized.failure
  }
}

/// The commits of one upload: at least one, and no more than is allowed.
struct UploadBatch {
  private(set) var commits: [SyncCommit] = []

  private static let mostBytes: UInt64 = 256 << 10
  private static let mostCommits: UInt32 = 1_000

  init(_ waiting: ArraySlice<SyncCommit>, site: SiteID, limits: SessionLimits) {
    let most = min(Self.mostBytes, limits.uploadBytes)
    var bytes: UInt64 = 0
    for commit in waiting.prefix(Int(min(Self.mostCommits, max(1, limits.uploadCommits)))) {
      bytes += UInt64(commit.encoded(site: site).count)
      if bytes > most, !commits.isEmpty { break }
      commits.append(commit)
    }
  }
}
