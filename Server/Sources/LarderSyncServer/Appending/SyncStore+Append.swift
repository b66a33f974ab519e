extension SyncStore {
  /// Merges uploads, writes objects and log, and records how far each site has got, in one transaction of three round trips.
  ///
  /// Each upload is merged once however often it is sent, and whatever connections are lost meanwhile: a commit that happened makes the
  /// same upload a duplicate.
  ///
  /// - Parameters:
  ///   - batch: at most `UploadBatch.largest` uploads.
  ///   - now: the time, in milliseconds since 1970.
  /// - Returns: the outcome of each upload, in their order.
  /// - Throws: as `write`, and what the merger throws; nothing was done then.
  public func append(
    _ batch: UploadBatch, now: Int64, merging merger: some UploadMerger
  ) async throws -> [UploadOutcome] {
    guard batch.uploads.count <= UploadBatch.largest else {
      throw SyncStoreError(
        .invalidValue, "\(batch.uploads.count) uploads in one batch; at most \(UploadBatch.largest)")
    }
    guard !batch.uploads.isEmpty else { return [] }
    return try await write(unknownCommit: .runAgain) { transaction in
      try UploadAppending(transaction, batch, now).run(merger)
    }
  }
}

/// One attempt to append a batch.
private struct UploadAppending {
  private let transaction: any SyncTransaction
  private let batch: UploadBatch
  private let now: Int64

  init(_ transaction: any SyncTransaction, _ batch: UploadBatch, _ now: Int64) {
    self.transaction = transaction
    self.batch = batch
    self.now = now
  }

  func run(_ merger: some UploadMerger) throws -> [UploadOutcome] {
    let locked = try transaction.lock(batch.tenant, batch.uploads.map(\.site), batch.part)
    guard let part = locked.part else {
      throw SyncStoreError(.invalidValue, "there is no tenant '\(batch.tenant)' with part \(batch.part)")
    }
    var admission = UploadAdmission(locked.clients)
    var outcomes = batch.uploads.map { admission.admit($0) }
    let taken = batch.uploads.indices.filter { outcomes[$0] == .merged(version: 0) }
    guard !taken.isEmpty else { return outcomes }
    let uploads = taken.map { batch.uploads[$0] }
    let keys = Set(uploads.flatMap(\.keys)).sorted()
    let objects = try transaction.objects(batch.tenant, batch.part, keys)
    let copies = try CopiedUploads(uploads, locked.clients) { nonces throws(SyncStoreError) in
      try transaction.copies(batch.tenant, nonces)
    }
    let merged = try merger.merge(
      MergeState(
        uploads: uploads, part: part, clients: locked.clients, objects: objects, repeated: copies.repeated))
    guard merged.changes.count == uploads.count else {
      throw SyncStoreError(
        .invalidValue, "\(uploads.count) uploads were merged into \(merged.changes.count) changes; each has to have one"
      )
    }
    try write(merged, uploads, locked.clients)
    if !copies.new.isEmpty { try transaction.putCopies(batch.tenant, copies.new) }
    for (offset, index) in taken.enumerated() { outcomes[index] = .merged(version: part.head + 1 + Int64(offset)) }
    return outcomes
  }

  private func write(_ merged: MergedUploads, _ uploads: [Upload], _ clients: [SiteKey: ClientRecord]) throws {
    try transaction.putObjects(batch.tenant, batch.part, merged.objects)
    let changes = zip(uploads, merged.changes).map { upload, change in
      ChangeRecord(
        version: 0, site: upload.site, siteVersion: upload.siteVersion, nonce: upload.nonce, time: change.time,
        merged: now, delta: change.delta, before: change.before)
    }
    _ = try transaction.append(batch.tenant, batch.part, changes)
    var after = clients
    for change in changes {
      after[change.site]?.lastSiteVersion = change.siteVersion
      after[change.site]?.lastTime = change.time
      after[change.site]?.seen = now
    }
    try transaction.putClients(batch.tenant, Set(changes.map(\.site)).compactMap { after[$0] })
  }
}

/// Decides which uploads of a batch are next in their sites' counts.
private struct UploadAdmission {
  private var last: [SiteKey: Int64]
  private let sessions: [SiteKey: Int64]

  init(_ clients: [SiteKey: ClientRecord]) {
    last = clients.mapValues(\.lastSiteVersion)
    sessions = clients.mapValues(\.session)
  }

  /// The outcome; `merged` with version 0 for an upload that is to be merged.
  mutating func admit(_ upload: Upload) -> UploadOutcome {
    guard let session = sessions[upload.site], let before = last[upload.site] else { return .unknownSite }
    guard session == upload.session else { return .fenced }
    guard upload.siteVersion > before else { return .duplicate }
    guard upload.siteVersion == before + 1 else { return .gap(expected: before + 1) }
    last[upload.site] = upload.siteVersion
    return .merged(version: 0)
  }
}
