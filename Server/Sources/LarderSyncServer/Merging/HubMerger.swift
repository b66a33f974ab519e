import LarderSyncProtocol

/// Merges the commits of a batch, each by the rules of its user. A value that computes only: asked again with other rows, it begins again.
struct HubMerger: UploadMerger {
  /// The batch, with those that turn out not to be merged.
  let uploads: [SubmittedUpload]
  /// The server's clock, in milliseconds since 1970.
  let now: UInt64

  /// The capacity of frames to devices.
  var capacity = FrameCapacity()

  /// - Throws: `SyncStoreError` of kind `damaged` when a row cannot be read.
  func merge(_ state: MergeState) throws -> MergedUploads {
    let taken = try taken(for: state.uploads)
    var batch = Batch(
      part: PartState(state.part), clients: state.clients.mapValues { ClientState($0) }, objects: BatchObjects())
    for upload in taken { try batch.objects.load(upload, from: state) }
    var changes: [MergedChange] = []
    changes.reserveCapacity(taken.count)
    for (index, upload) in taken.enumerated() {
      changes.append(merge(upload, isRepeated: state.repeated.contains(index), into: &batch))
    }
    return MergedUploads(changes: changes, objects: batch.objects.writes())
  }

  /// The state of a batch after the commits that were merged so far.
  private struct Batch {
    var part: PartState
    var clients: [SiteKey: ClientState]
    var objects: BatchObjects
  }

  private func merge(_ upload: SubmittedUpload, isRepeated: Bool, into batch: inout Batch) -> MergedChange {
    let refused = isRepeated ? [:] : upload.outside(batch.objects)
    let mayBeLarge = batch.objects.grow(by: upload) > capacity.smallest
    guard mayBeLarge, !isRepeated else {
      let merged = merge(upload, isRepeated: isRepeated, refused, into: &batch)
      return merged.change { batch.objects[$0].properties() }
    }
    let before = batch
    let merged = merge(upload, isRepeated: false, refused, into: &batch)
    let tooLarge = tooLarge(merged, batch.objects)
    if tooLarge.isEmpty { return merged.change { batch.objects[$0].properties() } }
    batch = before
    let without = refused.merging(tooLarge.map { ($0, .tooLarge) }) { first, _ in first }
    return merge(upload, isRepeated: false, without, into: &batch).change { batch.objects[$0].properties() }
  }

  private func merge(
    _ upload: SubmittedUpload, isRepeated: Bool, _ refused: [ObjectName: RefusalReason], into batch: inout Batch
  ) -> MergedCommit<ObjectSummary> {
    let sent = isRepeated ? [] : upload.sent(batch.objects)
    let rules = UploadRules(
      access: upload.access, refused: refused, sent: sent, isQuarantined: upload.isQuarantined)
    var merger = Merger(part: batch.part, rules: rules)
    let merged = merger.merge(
      upload.commit, site: upload.site, client: &batch.clients[upload.row.site, default: ClientState()], now: now,
      isRepeated: isRepeated, objects: &batch.objects)
    batch.part = merger.part
    return merged
  }

  /// The objects of a commit that devices could not be sent as it leaves them; all of them when the commit as a whole is too much for a frame.
  private func tooLarge(_ merged: MergedCommit<ObjectSummary>, _ objects: BatchObjects) -> [ObjectName] {
    guard capacity.holds(merged) else { return merged.objects.map(\.object) }
    return merged.objects.map(\.object).filter { !capacity.holds($0, objects[$0].properties()) }
  }

  /// The uploads of the batch that the store lets through, which come in the order of the batch.
  private func taken(for rows: [Upload]) throws(SyncStoreError) -> [SubmittedUpload] {
    guard rows.count < uploads.count else { return uploads }
    var taken: [SubmittedUpload] = []
    var rest = uploads[...]
    for row in rows {
      guard let index = rest.firstIndex(where: { $0.row.isSameUpload(as: row) }) else {
        throw SyncStoreError(.invalidValue, "commit \(row.siteVersion) of site \(row.site) is not of this batch")
      }
      taken.append(rest[index])
      rest = rest[(index + 1)...]
    }
    return taken
  }
}

extension Upload {
  fileprivate func isSameUpload(as other: Upload) -> Bool {
    siteVersion == other.siteVersion && site == other.site && session == other.session && nonce == other.nonce
  }
}

extension PartState {
  fileprivate init(_ record: PartRecord) {
    self.init(
      head: UInt64(clamping: record.head), floor: UInt64(clamping: record.floor), epoch: UInt64(clamping: record.epoch),
      newestTime: SyncTime(rawValue: record.maxTime))
  }
}

extension ClientState {
  fileprivate init(_ record: ClientRecord) {
    self.init(
      lastSiteVersion: UInt64(clamping: record.lastSiteVersion), lastTime: SyncTime(rawValue: record.lastTime),
      session: UInt64(clamping: record.session))
  }
}
