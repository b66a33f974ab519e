extension SQLTransaction: SyncReading {
  func tenant(_ tenant: TenantID) throws(SyncStoreError) -> TenantRecord? {
    try rows(statements.tenant(tenant)).first.map(SQLRecords.tenant)
  }

  func tenants(after name: String, limit: Int) throws(SyncStoreError) -> [TenantRecord] {
    try rows(statements.tenants(after: name, limit: limit)).map(SQLRecords.tenant)
  }

  func parts(of tenant: TenantID) throws(SyncStoreError) -> [PartRecord] {
    try rows(statements.parts(of: tenant)).map(SQLRecords.part)
  }

  func heads(_ parts: [(tenant: TenantID, part: PartID)]) throws(SyncStoreError) -> [PartRecord] {
    let wanted = Set(parts.map { PartKey(tenant: $0.tenant, part: $0.part) })
    let found = try rows(statements.heads(of: Set(parts.map(\.tenant)).sorted())).joined().map(SQLRecords.part)
    return found.filter { wanted.contains(PartKey(tenant: $0.tenant, part: $0.part)) }
  }

  func objects(
    _ tenant: TenantID, _ part: PartID, _ keys: [ObjectKey]
  ) throws(SyncStoreError) -> [ObjectKey: ObjectRecord] {
    guard !keys.isEmpty else { return [:] }
    var result: [ObjectKey: ObjectRecord] = [:]
    for row in try rows(statements.objects(tenant, part, keys)).joined() {
      let object = try SQLRecords.object(row)
      result[object.key] = object
    }
    return result
  }

  func objectPage(
    _ tenant: TenantID, _ part: PartID, _ page: ObjectPageRequest
  ) throws(SyncStoreError) -> [ObjectRecord] {
    try rows(statements.objectPage(tenant, part, page)).map(SQLRecords.object)
  }

  func totals(
    _ tenant: TenantID, _ part: PartID, className: String, filter: QueryFilter
  ) throws(SyncStoreError) -> ObjectTotals {
    guard let row = try rows(statements.totals(tenant, part, className, filter)).first else { return ObjectTotals() }
    return ObjectTotals(objects: UInt64(clamping: try row.int(0)), bytes: UInt64(clamping: try row.int(1)))
  }

  func changes(
    _ tenant: TenantID, _ part: PartID, after version: Int64, limit: Int
  ) throws(SyncStoreError) -> [ChangeRecord] {
    let changes = try rows(statements.changes(tenant, part, after: version, limit: limit)).map(SQLRecords.change)
    for (first, second) in zip(changes, changes.dropFirst()) where second.version != first.version + 1 {
      throw SyncStoreError(
        .damaged,
        "tenant \(tenant), part \(part): change \(second.version) follows \(first.version); restore a backup and raise the epoch"
      )
    }
    return changes
  }

  func changeSizes(
    _ tenant: TenantID, _ part: PartID, after version: Int64, limit: Int
  ) throws(SyncStoreError) -> [Int] {
    try rows(statements.changeSizes(tenant, part, after: version, limit: limit)).map { row throws(SyncStoreError) in
      Int(clamping: try row.int(0))
    }
  }

  func changeBytes(_ tenant: TenantID, _ part: PartID, after version: Int64) throws(SyncStoreError) -> Int {
    guard let row = try rows(statements.changeBytes(tenant, part, after: version)).first else { return 0 }
    return Int(clamping: try row.int(0))
  }

  func lastChange(_ tenant: TenantID, _ part: PartID, of site: SiteKey) throws(SyncStoreError) -> Int64? {
    try rows(statements.lastChange(tenant, part, of: site)).first?.int(0)
  }

  func nonces(
    _ tenant: TenantID, _ site: SiteKey, after siteVersion: Int64, limit: Int
  ) throws(SyncStoreError) -> [CommitNonce] {
    try rows(statements.nonces(tenant, site, after: siteVersion, limit: limit)).map(SQLRecords.nonce)
  }

  func nonces(
    _ tenant: TenantID, _ part: PartID, at versions: [Int64]
  ) throws(SyncStoreError) -> [Int64: UInt64] {
    guard !versions.isEmpty else { return [:] }
    var result: [Int64: UInt64] = [:]
    for row in try rows(statements.nonces(tenant, part, at: Set(versions).sorted())).joined() {
      result[try row.int(0)] = UInt64(bitPattern: try row.int(1))
    }
    return result
  }

  func copies(_ tenant: TenantID, _ nonces: [UInt64]) throws(SyncStoreError) -> [CommitCopy] {
    guard !nonces.isEmpty else { return [] }
    var result: [CommitCopy] = []
    for row in try rows(statements.copies(tenant, Set(nonces).sorted())).joined() {
      result.append(try SQLRecords.copy(row))
    }
    return result
  }

  func client(_ tenant: TenantID, _ site: SiteKey) throws(SyncStoreError) -> ClientRecord? {
    try rows(statements.client(tenant, site)).first.map(SQLRecords.client)
  }

  func clients(_ tenant: TenantID, after site: SiteKey?, limit: Int) throws(SyncStoreError) -> [ClientRecord] {
    try rows(statements.clients(tenant, after: site, limit: limit)).map(SQLRecords.client)
  }

  func subscription(_ tenant: TenantID, _ site: SiteKey) throws(SyncStoreError) -> SubscriptionRecord? {
    try rows(statements.subscription(tenant, site)).first.map(SQLRecords.subscription)
  }

  func documents(
    _ tenant: TenantID, _ kind: DocumentKind, from version: Int64, limit: Int
  ) throws(SyncStoreError) -> [DocumentRecord] {
    try rows(statements.documents(tenant, kind, from: version, limit: limit)).map(SQLRecords.document)
  }

  func newestDocument(_ tenant: TenantID, _ kind: DocumentKind) throws(SyncStoreError) -> DocumentRecord? {
    try rows(statements.newestDocument(tenant, kind)).first.map(SQLRecords.document)
  }
}
