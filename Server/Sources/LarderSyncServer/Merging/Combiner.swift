import LarderSyncProtocol
import Metrics

/// Merges the commits of many sessions into one part of a tenant, many in a transaction. While one transaction runs the commits of the next one
/// gather; the first commit of an idle combiner starts at once.
///
/// Any number of combiners, in one process or several, may serve one part: their transactions take turns. One is faster than many.
public actor Combiner {
  private typealias Answer = Result<[UploadOutcome], SyncStoreError>

  private let tenant: TenantID
  private let part: PartID
  private let store: any SyncStore
  private let configuration: CombinerConfiguration
  private let merged: @Sendable (Hint) -> Void

  private var queue = UploadQueue()
  private var waiting: [UploadQueue.Ticket: CheckedContinuation<Answer, Never>] = [:]
  private var isRunning = false
  private var isClosed = false
  /// Ends the gathering of a batch before its time.
  private var gathering: CheckedContinuation<Void, Never>?
  /// With so many commits a batch is gathered.
  private var wanted = 0
  private var ending: [CheckedContinuation<Void, Never>] = []

  /// A combiner for a part.
  ///
  /// - Parameter merged: called after each transaction with the new head, before those who submitted are answered. It must not block.
  public init(
    tenant: TenantID, part: PartID, store: any SyncStore, configuration: CombinerConfiguration,
    merged: @escaping @Sendable (Hint) -> Void
  ) {
    self.tenant = tenant
    self.part = part
    self.store = store
    self.configuration = configuration
    self.merged = merged
  }

  /// Merges commits in their order, and returns what became of each when that is durable. Commits that one caller submits in several calls, one
  /// after the other, are merged in the order of the calls.
  ///
  /// It takes no notice of the task being cancelled: what was submitted is merged.
  ///
  /// - Throws: `SyncStoreError`: what keeps the store from merging now, `closed` after `close`. It is not known then which of the commits were
  ///   merged: submitted again, those are duplicates.
  public func submit(_ uploads: [SubmittedUpload]) async throws(SyncStoreError) -> [UploadOutcome] {
    guard !uploads.isEmpty else { return [] }
    guard !isClosed else { throw SyncStoreError(.closed, "the server is stopping; send the commits again later") }
    let ticket = queue.add(uploads)
    let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
      waiting[ticket] = continuation
      start()
    }
    return try answer.get()
  }

  /// Refuses further commits, and returns when those that wait are answered.
  public func close() async {
    isClosed = true
    endGathering()
    guard isRunning else { return }
    await withCheckedContinuation { ending.append($0) }
  }

  /// The number of callers that wait for an answer.
  var waitingCount: Int { waiting.count }

  private func start() {
    if queue.count >= wanted { endGathering() }
    guard !isRunning else { return }
    isRunning = true
    Task { await run() }
  }

  private func run() async {
    while true {
      let batch = queue.take(atMost: configuration.batchUploads, bytes: configuration.batchBytes)
      guard !batch.isEmpty else { break }
      await merge(batch)
      await gather(batch.count)
    }
    isRunning = false
    for continuation in ending { continuation.resume() }
    ending = []
  }

  /// Waits for the sessions that were just answered, of which most have more: else their commits would come in by twos and threes.
  private func gather(_ count: Int) async {
    guard count > 1, queue.count < count, !isClosed else { return }
    wanted = count
    let timer = Task { [gathering = configuration.gathering] in
      // Cancelled, the batch is gathered already.
      guard (try? await Task.sleep(for: gathering)) != nil else { return }
      endGathering()
    }
    await withCheckedContinuation { gathering = $0 }
    timer.cancel()
    wanted = 0
  }

  private func endGathering() {
    gathering?.resume()
    gathering = nil
  }
}

extension Combiner {
  /// Merges a batch and answers those who wait for it.
  private func merge(_ batch: [UploadQueue.Item]) async {
    let (metrics, began) = (configuration.metrics, ContinuousClock.now)
    do throws(SyncStoreError) {
      let outcomes = try await append(batch)
      metrics.batchSeconds.record(duration: ContinuousClock.now - began)
      metrics.batchCommits.record(batch.count)
      let merged = outcomes.count(where: { if case .merged = $0 { true } else { false } })
      metrics.merged.increment(by: merged)
      metrics.unmerged.increment(by: outcomes.count - merged)
      answer(batch, outcomes)
    } catch {
      metrics.failed.increment()
      switch error.kind.scope {
      case .attempt, .store: fail(queue.failAll(), error)
      case .batch: await mergeApart(batch, error)
      }
    }
  }

  /// Merges the commits of each site by themselves, and those of one site one by one, so that what is wrong with one concerns no other.
  private func mergeApart(_ batch: [UploadQueue.Item], _ error: SyncStoreError) async {
    let sites = Set(batch.map(\.upload.site)).sorted()
    guard sites.count == 1 else {
      for site in sites { await mergeUnanswered(batch.filter { $0.upload.site == site }) }
      return
    }
    guard batch.count == 1 else {
      for item in batch { await mergeUnanswered([item]) }
      return
    }
    await quarantine(batch[0], error)
  }

  /// Merges the commits of a batch that are not answered yet. When the store ends meanwhile, or an earlier commit of the site fails, all are
  /// answered.
  private func mergeUnanswered(_ batch: [UploadQueue.Item]) async {
    let left = batch.filter { queue.isUnanswered($0) }
    if !left.isEmpty { await merge(left) }
  }

  /// Merges a commit that the database does not take with everything in it refused: its device takes over what is there, and goes on. When that
  /// cannot be stored either, the commit is not what is wrong.
  private func quarantine(_ item: UploadQueue.Item, _ error: SyncStoreError) async {
    guard error.kind.mayBeOfContent, !item.upload.isQuarantined else { return fail(queue.fail([item]), error) }
    let refused = [UploadQueue.Item(ticket: item.ticket, upload: item.upload.quarantined)]
    do throws(SyncStoreError) {
      let outcomes = try await append(refused)
      configuration.logger.error(
        "a commit that the database does not take is refused",
        metadata: [
          "tenant": "\(tenant)", "site": "\(item.upload.row.site)", "commit": "\(item.upload.commit.siteVersion)",
          "reason": "\(error)",
        ])
      configuration.metrics.unmerged.increment()
      answer(refused, outcomes)
    } catch let second {
      fail(second.kind.scope == .batch ? queue.fail([item]) : queue.failAll(), second)
    }
  }

  /// Appends a batch, again as long as that may help, and returns the outcomes of its commits.
  private func append(_ batch: [UploadQueue.Item]) async throws(SyncStoreError) -> [UploadOutcome] {
    let uploads = batch.map(\.upload)
    let rows = UploadBatch(tenant: tenant, part: part, uploads: uploads.map(\.row))
    var attempt = 1
    while true {
      let now = configuration.clock()
      do {
        let merger = HubMerger(uploads: uploads, now: UInt64(max(now, 0)), capacity: configuration.capacity)
        return try await store.append(rows, now: now, merging: merger)
      } catch let error as SyncStoreError {
        guard error.kind.scope == .attempt, attempt < configuration.attempts else { throw error }
        // This task is never cancelled.
        try? await Task.sleep(for: configuration.pauses.pause(before: attempt))
        attempt += 1
      } catch {
        throw SyncStoreError(.refused, "the commits could not be merged: \(error)")
      }
    }
  }

  private func answer(_ batch: [UploadQueue.Item], _ outcomes: [UploadOutcome]) {
    let head = outcomes.compactMap { outcome -> Int64? in
      guard case .merged(let version) = outcome else { return nil }
      return version
    }.max()
    if let head { merged(Hint(tenant: tenant, part: part, head: head)) }
    for (ticket, outcomes) in queue.answer(batch, outcomes) {
      waiting.removeValue(forKey: ticket)?.resume(returning: .success(outcomes))
    }
  }

  private func fail(_ tickets: [UploadQueue.Ticket], _ error: SyncStoreError) {
    for ticket in tickets { waiting.removeValue(forKey: ticket)?.resume(returning: .failure(error)) }
  }
}
