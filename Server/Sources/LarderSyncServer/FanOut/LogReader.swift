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
  }

  /// The head row.
  ///
  /// - Throws: as `SyncStore.read`; `invalidValue` when there is no such part.
  func head() async throws -> PartRecord {
    try await store.read { [tenant, part] in try Self.head($0, tenant, part) }
  }

  /// The next commits after a version: at most so many, and after the first one no more than so many bytes of the log.
  ///
  /// - Throws: as `head`, and `damaged` for bytes that no server wrote.
  func piece(after version: UInt64, limit: Int, bytes: Int) async throws -> Piece {
    let (head, changes) = try await store.read { [tenant, part] reading in
      let head = try Self.head(reading, tenant, part)
      let from = Int64(clamping: version)
      let isBehind = head.head > from
      return (head, isBehind ? try reading.changes(tenant, part, after: from, limit: limit, bytes: bytes) : [])
    }
    guard let first = changes.first, first.version - 1 == Int64(clamping: version) else {
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
