import LarderSyncProtocol

/// Reads a part's log and its head row.
struct LogReader: Sendable {
  let store: any SyncStore
  let tenant: TenantID
  let part: PartID

  init(_ store: any SyncStore, _ tenant: TenantID, _ part: PartID) {
    self.store = store
    self.tenant = tenant
    self.part = part
  }

  /// A piece of the log as it was at one moment.
  struct Piece: Sendable {
    /// The head row at that moment.
    var head: PartRecord
    /// Commits after the version that was asked for; empty when the log has been trimmed past it.
    var commits: [LoggedCommit]
    /// True if the log has another commit at the version that was asked for, or none: it was replaced by an older one.
    var isOther = false
  }

  /// The head row.
  ///
  /// - Throws: as `SyncStore.read`; `invalidValue` when there is no such part.
  func head() async throws -> PartRecord {
    try await store.read { [tenant, part] in try Self.head($0, tenant, part) }
  }

  /// The head row, with the random number of the commit at the head.
  ///
  /// - Throws: as `head`.
  func end() async throws -> (head: PartRecord, nonce: UInt64?) {
    try await store.read { [tenant, part] reading in
      let head = try Self.head(reading, tenant, part)
      return (head, try reading.nonces(tenant, part, at: [head.head])[head.head])
    }
  }

  /// Raises the epoch of the tenant, because its log was replaced by an older one, unless that was done since the epoch was read.
  func raiseEpoch(from epoch: Int64) async throws {
    try await store.write(unknownCommit: .runAgain) { [tenant, part] transaction in
      guard try transaction.lockPart(tenant, part)?.epoch == epoch else { return }
      try transaction.raiseEpoch(of: tenant)
    }
  }

  /// The next commits after a version: at most so many, and after the first one no more than so many bytes of the log.
  ///
  /// - Parameter nonce: The random number that the commit of the version had; nil when it is not known.
  /// - Throws: as `head`, and `damaged` for bytes that no server wrote.
  func piece(after version: UInt64, nonce: UInt64? = nil, limit: Int, bytes: Int) async throws -> Piece {
    let from = Int64(clamping: version)
    let (head, isSame, changes) = try await store.read { [tenant, part] reading in
      let head = try Self.head(reading, tenant, part)
      let isSame = nonce != nil ? try LogAnchors(reading, head, at: [from]).agree(version, nonce) : true
      let isBehind = isSame && head.head > from
      let changes = isBehind ? try reading.changes(tenant, part, after: from, limit: limit, bytes: bytes) : []
      return (head, isSame, changes)
    }
    guard isSame else { return Piece(head: head, commits: [], isOther: true) }
    guard let first = changes.first, first.version - 1 == from else {
      return Piece(head: head, commits: [])
    }
    let newest = SyncTime(rawValue: head.maxTime)
    return Piece(head: head, commits: try changes.map { try LoggedCommit($0, newest: newest) })
  }

  private static func head(_ reading: any SyncReading, _ tenant: TenantID, _ part: PartID) throws -> PartRecord {
    guard let head = try reading.heads([(tenant, part)]).first else {
      throw SyncStoreError(.invalidValue, "there is no tenant '\(tenant)' with part \(part)")
    }
    return head
  }
}
