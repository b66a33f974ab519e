import LarderSyncProtocol
import Logging

/// The one reader of a part's log in a process. It keeps the newest commits, and makes the batches that sessions with equal views share.
actor PartFeed {
  /// The answer to a session that asks for a batch.
  enum Answer: Sendable {
    /// The session has everything.
    case upToDate
    /// The ring does not reach back so far; the session reads the log by itself.
    case behind
    /// The log was replaced by another one: the session has to end.
    case replaced
    /// The next batch.
    case batch(StreamBatch)
  }

  private struct BatchKey: Hashable {
    let view: SyncView
    let after: UInt64
    let isCompressed: Bool
  }

  nonisolated let log: LogReader
  private let bytes: Int
  private let compression: BodyCompression?
  private let logger: Logger
  private let reached: @Sendable (Int64) async -> Void
  private var ring: CommitRing
  /// The random number of the commit at the head of the ring; nil where there is none.
  private var headNonce: UInt64?
  private let epoch: Int64
  /// True if the log is another one than the ring is of.
  private var isReplaced = false
  private var listeners: [UInt64: @Sendable () -> Void] = [:]
  private var batches: [BatchKey: StreamBatch] = [:]
  private var batchBytes = 0
  private var isReading = false
  private var readsAgain = false

  private static let readLimit = 500
  /// The number of bytes of the log that are read at once.
  static let readBytes = 4 << 20
  private static let mostBatches = 256
  /// Encoded batches are kept up to so many bytes.
  private static let mostBatchBytes = 16 << 20

  /// A feed that begins at a head row.
  ///
  /// - Parameters:
  ///   - nonce: The random number of the commit at the head.
  ///   - reached: Is called with each version up to which the log was read.
  init(
    _ log: LogReader, head: PartRecord, nonce: UInt64? = nil, capacity: Int, ringBytes: Int = .max, bytes: Int,
    compression: BodyCompression?, logger: Logger,
    reached: @escaping @Sendable (Int64) async -> Void
  ) {
    self.log = log
    self.bytes = bytes
    self.compression = compression
    self.logger = logger
    self.reached = reached
    ring = CommitRing(head: UInt64(clamping: head.head), capacity: capacity, bytes: ringBytes)
    headNonce = nonce
    epoch = head.epoch
  }

  /// Returns true if the feed is of the log that had a head row when that was read.
  func reads(_ part: PartRecord) -> Bool { !isReplaced && part.epoch == epoch }

  /// Calls a closure whenever there may be something new. It must not block.
  func listen(_ session: UInt64, _ wake: @escaping @Sendable () -> Void) { listeners[session] = wake }

  /// Ends the calls.
  func leave(_ session: UInt64) { listeners[session] = nil }

  /// Reads what is new in the log, and wakes sessions. Calls at the same time share the reading.
  func advance() async {
    guard !isReading else {
      readsAgain = true
      return
    }
    isReading = true
    repeat {
      readsAgain = false
      do { try await readNew() } catch {
        logger.warning(
          "the log cannot be read; trying again",
          metadata: ["tenant": "\(log.tenant)", "reason": "\(error)"])
      }
    } while readsAgain
    isReading = false
  }

  /// The version of the head row now. Sessions are sent the log up to there soon.
  func currentHead() async throws -> UInt64 {
    let head = UInt64(clamping: try await log.head().head)
    if head > ring.head { Task { await advance() } }
    return head
  }

  private func readNew() async throws {
    while !isReplaced {
      let piece = try await log.piece(
        after: ring.head, nonce: headNonce, limit: Self.readLimit, bytes: Self.readBytes)
      let head = UInt64(clamping: piece.head.head)
      if piece.head.epoch != epoch || head > ring.head && piece.commits.isEmpty { isReplaced = true }
      if piece.head.epoch == epoch, piece.isOther || head < ring.head { try await logIsOlder() }
      for commit in piece.commits where !ring.append(commit) { isReplaced = true }
      if let last = piece.commits.last { headNonce = last.merged.nonce }
      if !piece.commits.isEmpty || isReplaced { wake() }
      await reached(Int64(clamping: ring.head))
      if ring.head >= head { return }
    }
  }

  /// The database lacks commits that devices have, as after the promotion of a standby that had not got them. Pages that were read
  /// meanwhile may have parts of both logs, so that no cursor tells them apart: the epoch does.
  private func logIsOlder() async throws {
    logger.error(
      "the database lacks commits that it had; the epoch is raised, and devices take over what is there",
      metadata: ["tenant": "\(log.tenant)", "version": "\(ring.head)"])
    try await log.raiseEpoch(from: epoch)
    isReplaced = true
  }

  private func wake() {
    batches = batches.filter { $0.key.after >= ring.floor }
    batchBytes = batches.values.reduce(0) { $0 + ($1.frame?.count ?? 0) }
    makeRoom()
    for listener in listeners.values { listener() }
  }

  private func makeRoom() {
    guard batches.count > Self.mostBatches || batchBytes > Self.mostBatchBytes else { return }
    batches = [:]
    batchBytes = 0
  }

  /// Returns the batch after a version for a device with a view.
  ///
  /// - Parameter nonce: The random number of the commit at that version, as the session knows it; nil where it does not.
  func batch(after version: UInt64, nonce: UInt64? = nil, _ view: SyncView, site: SiteID, expands: Bool) -> Answer {
    let own = version == ring.head ? headNonce : ring.nonce(at: version)
    if let own, let nonce, own != nonce { return .replaced }
    if isReplaced { return .replaced }
    if version >= ring.head { return .upToDate }
    guard let end = ring.end(after: version, bytes: bytes) else { return .behind }
    var isAuthor = false
    ring.forEach(after: version, through: end) { if $0.merged.site == site { isAuthor = true } }
    if isAuthor { return .batch(make(after: version, through: end, view, site: site, expands)) }
    let key = BatchKey(view: view, after: version, isCompressed: expands)
    if let known = batches[key] { return .batch(known) }
    let batch = make(after: version, through: end, view, site: nil, expands)
    batches[key] = batch
    batchBytes += batch.frame?.count ?? 0
    makeRoom()
    return .batch(batch)
  }

  private func make(
    after version: UInt64, through end: UInt64, _ view: SyncView, site: SiteID?, _ expands: Bool
  ) -> StreamBatch {
    var builder = BatchBuilder(view, site: site)
    ring.forEach(after: version, through: end) { builder.add(&$0) }
    return builder.batch(through: end, compression: expands ? compression : nil)
  }
}
