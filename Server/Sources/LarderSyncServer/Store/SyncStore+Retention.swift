extension SyncStore {
  /// Removes changes that are older than a tenant keeps them, and what is kept of objects that were deleted up to then, in transactions
  /// of so many changes each, so that uploads wait for none of them long.
  ///
  /// - Parameters:
  ///   - now: the time, in milliseconds since 1970.
  ///   - pieceSize: at most so many changes in one transaction.
  /// - Returns: the floors of the tenant's parts.
  /// - Throws: as `write`; `invalidValue` when there is no such tenant. What was removed before stays so.
  public func trimExpired(_ tenant: TenantID, now: Int64, pieceSize: Int = 2000) async throws -> [PartID: Int64] {
    let parts = try await read { reading in
      guard let record = try reading.tenant(tenant) else {
        throw SyncStoreError(.invalidValue, "there is no tenant '\(tenant)'")
      }
      return (try reading.parts(of: tenant), record.retention)
    }
    var floors: [PartID: Int64] = [:]
    for (part, kept) in parts.0.map({ ($0.part, $0.floor) }) {
      let end = try await write(unknownCommit: .runAgain) {
        try $0.lastVersion(tenant, part, mergedBefore: now - parts.1)
      }
      var floor = kept
      var before: Int64 = -1
      while floor < end, floor != before {
        before = floor
        floor = try await write(unknownCommit: .runAgain) { try $0.trim(tenant, part, upTo: end, limit: pieceSize) }
      }
      floors[part] = floor
    }
    return floors
  }
}
