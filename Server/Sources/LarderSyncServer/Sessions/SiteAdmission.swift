import LarderSyncProtocol

/// Decides how a device goes on from what it says of itself and what the store has of its site (MR-15 to MR-18). A value without clock, store and
/// chance: it may be asked again with other rows.
struct SiteAdmission: Sendable {
  /// The rows of the store.
  struct Rows: Sendable {
    var client: ClientRecord?
    var part: PartRecord
    /// The commits that the device keeps and the log has.
    var nonces: [CommitNonce]
    /// The views that the device may have.
    var views: [UInt8]
    /// The commits of the log at the versions that the device names.
    var anchors = LogAnchors()
  }

  /// The decision how the device goes on.
  struct Outcome: Sendable {
    /// The rows to be written.
    var clients: [ClientRecord]
    var site: SiteID
    var session: Int64
    /// The secret of a new site.
    var secret: [UInt8]?
    var lastSiteVersion: UInt64
    var resumption: Resumption
    /// The version that the device has, and the view that it has there; nil when it needs everything.
    var position: (version: UInt64, view: DeviceView)?
    /// The random number of the commit at that version, as the device has it.
    var nonce: UInt64?
    /// The views that the device may have had.
    var views: [DeviceView] = []
  }

  let hello: Hello
  /// The new site for a device without one, and for one whose history parted.
  let newSite: SiteCredential
  let schema: SyncSchema
  /// The time in milliseconds since 1970.
  let now: Int64

  /// The outcome.
  ///
  /// - Throws: `SessionFailure` for a wrong secret.
  func decide(_ rows: Rows) throws(SessionFailure) -> Outcome {
    var outcome = try resume(rows)
    outcome.views = DeviceView.views(in: rows.views, schema: schema)
    return outcome
  }

  private func resume(_ rows: Rows) throws(SessionFailure) -> Outcome {
    guard let credential = hello.credential else { return start(.rebuild(.new)) }
    var client = try known(credential, rows)
    // What the server lost and the device keeps no longer cannot come again; the site goes on with what it keeps.
    let kept = Int64(clamping: max(1, hello.position.retained.first) - 1)
    client.lastSiteVersion = max(client.lastSiteVersion, kept)
    let part = PartState(
      head: UInt64(clamping: rows.part.head), floor: UInt64(clamping: rows.part.floor),
      epoch: UInt64(clamping: rows.part.epoch))
    let nonces = Dictionary(rows.nonces.map { (UInt64(clamping: $0.siteVersion), $0.nonce) }) { $1 }
    var state = ClientState(lastSiteVersion: UInt64(clamping: client.lastSiteVersion))
    // Bytes that are no cursor are of nothing that the server had.
    let place = hello.position.cursor.map { StreamCursor($0) ?? StreamCursor(version: .max) }
    let cursor = place?.version
    let resumption = part.resume(
      cursor: cursor, epoch: hello.position.epoch, retained: hello.position.retained, client: &state,
      session: UInt64(client.session + 1)
    ) { nonces[$0] }
    client.session += 1
    client.seen = now
    client.cursor = hello.position.cursor ?? []
    client.schemaVersion = Int64(clamping: schema.version)
    if case .fork(let common) = resumption {
      var outcome = start(resumption, copiesThrough: copies(after: common))
      outcome.clients.append(client)
      return outcome
    }
    var outcome = Outcome(
      clients: [client], site: credential.site, session: client.session, secret: nil,
      lastSiteVersion: UInt64(clamping: client.lastSiteVersion), resumption: resumption)
    if resumption == .incremental, let place { goOn(&outcome, from: place, rows) }
    return outcome
  }

  /// Lets a device go on from its place in the log, if that is in this log and its view is known.
  private func goOn(_ outcome: inout Outcome, from place: StreamCursor, _ rows: Rows) {
    guard rows.anchors.agree(place.version, place.nonce) else {
      // The log was replaced by an older one, and other commits came since: what the device has is not what led to them.
      outcome.resumption = .rebuild(.epoch)
      return
    }
    guard let tag = hello.position.view, let view = DeviceView.view(tag, in: rows.views, schema: schema) else {
      // Without the view that it has, nothing can be said of what leaves it.
      outcome.resumption = .rebuild(.unknownCursor)
      return
    }
    outcome.position = (place.version, view)
    outcome.nonce = place.nonce
  }

  /// The versions of the log that the device names: its cursor's, and that of the bootstrap of which it keeps a part.
  var versions: [Int64] {
    [
      hello.position.cursor.flatMap { StreamCursor($0)?.version },
      hello.position.bootstrap.flatMap { BootstrapToken($0.resumption)?.start },
    ].compactMap { $0 }.filter { $0 > 0 }.map { Int64(clamping: $0) }
  }

  /// The row of a site, which has to know its secret. A site that the store does not know, because it was restored to before the site was made,
  /// is taken up again with what the log has of it.
  private func known(_ credential: SiteCredential, _ rows: Rows) throws(SessionFailure) -> ClientRecord {
    let hash = SiteSecret.hash(credential.secret)
    guard let client = rows.client else {
      let last = rows.nonces.map(\.siteVersion).max() ?? 0
      return ClientRecord(
        site: SiteKey(credential.site), secretHash: hash, session: 0, lastSiteVersion: last, seen: now)
    }
    guard client.secretHash == hash else {
      throw SessionFailure(
        .siteSecret, action: .reset, "The secret of this device's site is wrong; it has to become a new site.")
    }
    return client
  }

  /// Returns the number of commits that the device made before it became a new site: another copy of it may send them as well (MR-16).
  private func copies(after common: UInt64) -> Int64 {
    let retained = hello.position.retained
    // A device with more names only some of them.
    guard retained.nonces.count < RetainedCommits.most, let last = retained.last else { return .max }
    return last > common ? Int64(clamping: last - common) : 0
  }

  private func start(_ resumption: Resumption, copiesThrough: Int64 = 0) -> Outcome {
    let client = ClientRecord(
      site: SiteKey(newSite.site), secretHash: SiteSecret.hash(newSite.secret),
      schemaVersion: Int64(clamping: schema.version), seen: now, copiesThrough: copiesThrough)
    return Outcome(
      clients: [client], site: newSite.site, session: client.session, secret: newSite.secret, lastSiteVersion: 0,
      resumption: resumption)
  }
}
