extension SQLTransaction: SyncTransaction {
  func createTenant(_ tenant: TenantRecord) throws(SyncStoreError) -> Bool {
    guard tenant.parts > 0 else { throw SyncStoreError(.invalidValue, "a tenant has at least one part") }
    guard try lockTenant(tenant.id) == nil else { return false }
    later(statements.insert([SQLRecords.row(tenant)], into: .tenant))
    let parts = (0..<tenant.parts).map { PartRecord(tenant: tenant.id, part: PartID($0)) }
    later(statements.insert(parts.map(SQLRecords.row), into: .part))
    return true
  }

  func setRetention(_ retention: Int64, of tenant: TenantID) throws(SyncStoreError) {
    guard var record = try lockTenant(tenant) else { throw unknown(tenant) }
    guard retention > 0 else { throw SyncStoreError(.invalidValue, "changes are kept for at least a millisecond") }
    record.retention = retention
    later(statements.upsert([SQLRecords.row(record)], into: .tenant))
  }

  // MARK: - Locks

  private func lockTenant(_ tenant: TenantID) throws(SyncStoreError) -> TenantRecord? {
    try rows(statements.lockTenant(tenant)).first.map(SQLRecords.tenant)
  }

  func lockClients(_ tenant: TenantID, _ sites: [SiteKey]) throws(SyncStoreError) -> [SiteKey: ClientRecord] {
    guard !sites.isEmpty else { return [:] }
    return try clients(rows(statements.lockClients(tenant, Set(sites).sorted())))
  }

  func lockPart(_ tenant: TenantID, _ part: PartID) throws(SyncStoreError) -> PartRecord? {
    try hold(rows(statements.lockPart(tenant, part)).first)
  }

  func lock(
    _ tenant: TenantID, _ sites: [SiteKey], _ part: PartID
  ) throws(SyncStoreError) -> (clients: [SiteKey: ClientRecord], part: PartRecord?) {
    let commands = statements.lockClients(tenant, Set(sites).sorted()) + [statements.lockPart(tenant, part)]
    let found = try rows(commands)
    return (try clients(Array(found.dropLast())), try hold(found.last?.first))
  }

  private func clients(_ rows: [[SQLRow]]) throws(SyncStoreError) -> [SiteKey: ClientRecord] {
    var result: [SiteKey: ClientRecord] = [:]
    for row in rows.joined() {
      let client = try SQLRecords.client(row)
      result[client.site] = client
    }
    return result
  }

  private func hold(_ row: SQLRow?) throws(SyncStoreError) -> PartRecord? {
    guard let row else { return nil }
    let record = try SQLRecords.part(row)
    let key = PartKey(tenant: record.tenant, part: record.part)
    // Locked before: what this transaction has written since may still wait.
    if let known = locked[key] { return known }
    locked[key] = record
    return record
  }

  private func held(_ tenant: TenantID, _ part: PartID) throws(SyncStoreError) -> PartRecord {
    guard let record = locked[PartKey(tenant: tenant, part: part)] else {
      throw SyncStoreError(.invalidValue, "tenant \(tenant), part \(part): lock the part before its log is changed")
    }
    return record
  }

  private func write(_ part: PartRecord) {
    locked[PartKey(tenant: part.tenant, part: part.part)] = part
    later(statements.upsert([SQLRecords.row(part)], into: .part))
  }

  // MARK: - Data

  func putObjects(_ tenant: TenantID, _ part: PartID, _ objects: [ObjectWrite]) throws(SyncStoreError) {
    var last: [ObjectKey: ObjectWrite] = [:]
    for object in objects { last[object.record.key] = object }
    if let name = last.keys.first(where: { $0.className.isEmpty || $0.className.utf8.contains(0) })?.className {
      throw SyncStoreError(.invalidValue, "'\(name)' is no name of a class")
    }
    // In the order of keys, as every transaction writes them.
    let rows = last.values.sorted { $0.record.key < $1.record.key }.map { SQLRecords.row(tenant, part, $0) }
    later(statements.upsert(rows, into: .object))
  }

  func append(
    _ tenant: TenantID, _ part: PartID, _ changes: [ChangeRecord]
  ) throws(SyncStoreError) -> PartRecord {
    var record = try held(tenant, part)
    var numbered = changes
    for index in numbered.indices {
      record.head += 1
      numbered[index].version = record.head
      record.maxTime = max(record.maxTime, numbered[index].time)
    }
    later(statements.insert(numbered.map { SQLRecords.row(tenant, part, $0) }, into: .change))
    write(record)
    return record
  }

  // MARK: - Sites and documents

  func putClients(_ tenant: TenantID, _ clients: [ClientRecord]) throws(SyncStoreError) {
    var last: [SiteKey: ClientRecord] = [:]
    for client in clients { last[client.site] = client }
    let rows = last.values.sorted { $0.site < $1.site }.map { SQLRecords.row(tenant, $0) }
    later(statements.upsert(rows, into: .client))
  }

  func putCopies(_ tenant: TenantID, _ copies: [CommitCopy]) throws(SyncStoreError) {
    later(statements.upsert(copies.map { SQLRecords.row(tenant, $0) }, into: .copy))
  }

  func removeClient(_ tenant: TenantID, _ site: SiteKey) throws(SyncStoreError) {
    later(statements.removeClient(tenant, site))
  }

  func putSubscription(_ tenant: TenantID, _ subscription: SubscriptionRecord) throws(SyncStoreError) {
    later(statements.upsert([SQLRecords.row(tenant, subscription)], into: .subscription))
  }

  func addDocument(
    _ tenant: TenantID, _ kind: DocumentKind, _ document: DocumentRecord
  ) throws(SyncStoreError) {
    // The row of the tenant is locked, so that of two that add one waits for the other.
    guard try lockTenant(tenant) != nil else { throw unknown(tenant) }
    let newest = try newestDocument(tenant, kind)?.version ?? 0
    guard document.version == newest + 1 else {
      throw SyncStoreError(
        .invalidValue,
        "tenant \(tenant): the newest \(kind.rawValue) has version \(newest); \(document.version) is not the one after it"
      )
    }
    later(statements.insert([SQLRecords.row(tenant, kind, document)], into: .document))
  }

  // MARK: - The log's end

  func raiseEpoch(of tenant: TenantID) throws(SyncStoreError) {
    _ = try rows(statements.raiseEpoch(of: tenant))
    for (key, record) in locked where key.tenant == tenant {
      var raised = record
      raised.epoch += 1
      locked[key] = raised
    }
  }

  func trim(
    _ tenant: TenantID, _ part: PartID, upTo version: Int64, limit: Int
  ) throws(SyncStoreError) -> Int64 {
    guard var record = try lockPart(tenant, part) else { throw unknown(tenant) }
    let floor = min(version, record.head, record.floor + Int64(limit))
    guard floor > record.floor else { return record.floor }
    record.floor = floor
    write(record)
    later([
      statements.keepNonces(tenant, part, upTo: floor - 1),
      statements.removeNonces(tenant, part, upTo: floor - 1, keeping: CommitNonce.mostKept),
      // The row at the floor stays: it says whether a device that is there has the same log.
      statements.removeChanges(tenant, part, upTo: floor - 1),
      statements.removeDeadObjects(tenant, part, upTo: floor),
    ])
    return floor
  }

  func lastVersion(
    _ tenant: TenantID, _ part: PartID, mergedBefore time: Int64
  ) throws(SyncStoreError) -> Int64 {
    guard let record = try heads([(tenant, part)]).first else { throw unknown(tenant) }
    guard let first = try rows(statements.firstChange(tenant, part, mergedFrom: time)).first else {
      return record.head
    }
    return try first.int(0) - 1
  }

  private func unknown(_ tenant: TenantID) -> SyncStoreError {
    SyncStoreError(.invalidValue, "there is no tenant '\(tenant)', or no such part of it")
  }
}
