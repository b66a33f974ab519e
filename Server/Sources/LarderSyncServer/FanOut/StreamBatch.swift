import LarderSyncProtocol

/// The message with the records of a stretch of the log, as a session sends it.
struct StreamBatch: Sendable {
  /// The last version of the stretch.
  let through: UInt64
  /// The random number of the commit at that version; nil when the batch does not have it.
  var nonce: UInt64?
  /// The version of the last record; nil when there is none for the device.
  let lastRecord: UInt64?
  /// The encoded message; nil without records.
  let frame: [UInt8]?
  /// The device's own commits in it.
  let own: [MergedCommit<ObjectSummary>]
}

/// Gathers the records of a stretch of the log for one view.
struct BatchBuilder {
  let view: SyncView
  /// The device, whose own commits have markers; nil for a batch that all share who made none of them.
  let site: SiteID?
  private var records: [DownloadRecord] = []
  private var own: [MergedCommit<ObjectSummary>] = []
  /// The position of the last commit, and that of the last one of which there is a record.
  private var end = StreamCursor(version: 0)
  private var last = StreamCursor(version: 0)

  init(_ view: SyncView, site: SiteID?) {
    self.view = view
    self.site = site
  }

  /// Adds the next commit.
  mutating func add(_ commit: inout LoggedCommit) {
    let isOwn = commit.merged.site == site
    end = StreamCursor(version: commit.version, nonce: commit.merged.nonce)
    if let record = commit.record(for: view, isOwn: isOwn) {
      records.append(record)
      last = end
    }
    if isOwn { own.append(commit.merged) }
  }

  /// The batch up to a version.
  func batch(through version: UInt64, compression: BodyCompression?) -> StreamBatch {
    let nonce = end.version == version ? end.nonce : nil
    guard !records.isEmpty else {
      return StreamBatch(through: version, nonce: nonce, lastRecord: nil, frame: nil, own: own)
    }
    // Not the batch's version: the cursor says what the device knows it has, and a bootstrap's pages may be newer than the last record.
    let download = Download(records: records, cursor: last.bytes)
    // Records of other sites have the same bytes whichever device they go to.
    let frame = SyncFrame(.download(download)).encoded(site: site, compression: compression)
    return StreamBatch(through: version, nonce: nonce, lastRecord: last.version, frame: frame, own: own)
  }
}
