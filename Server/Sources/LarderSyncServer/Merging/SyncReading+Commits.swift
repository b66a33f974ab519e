import LarderSyncProtocol

extension SyncReading {
  /// The next commits of the log of a part after a version, in order and without gaps.
  ///
  /// - Throws: as `changes`; `damaged` for a row that cannot be read.
  func commits(
    _ tenant: TenantID, _ part: PartID, after version: Int64, limit: Int, bytes: Int
  ) throws(SyncStoreError) -> [MergedCommit<ObjectSummary>] {
    let records = try changes(tenant, part, after: version, limit: limit, bytes: bytes)
    var commits: [MergedCommit<ObjectSummary>] = []
    commits.reserveCapacity(records.count)
    for record in records { commits.append(try MergedCommit(record)) }
    return commits
  }

  /// The states of objects; those that are not there are left out.
  ///
  /// - Throws: as `objects`; `damaged` for a row that cannot be read.
  func states(
    _ tenant: TenantID, _ part: PartID, of names: [ObjectName]
  ) throws(SyncStoreError) -> [ObjectName: ObjectState] {
    let keys = names.map { ObjectKey($0) }
    let records = try objects(tenant, part, keys)
    var states: [ObjectName: ObjectState] = [:]
    for (name, key) in zip(names, keys) {
      if let record = records[key] { states[name] = try ObjectState(record) }
    }
    return states
  }
}
