/// Records as rows of their tables, in the order of `SQLTable.columns`, and back.
enum SQLRecords {
  static func row(_ tenant: TenantRecord) -> [SQLValue] {
    [.text(tenant.id.name), .int(Int64(tenant.parts)), .int(tenant.retention), .int(tenant.created)]
  }

  static func tenant(_ row: SQLRow) throws(SyncStoreError) -> TenantRecord {
    TenantRecord(
      id: TenantID(stored: try row.text(0)), parts: Int32(truncatingIfNeeded: try row.int(1)),
      retention: try row.int(2),
      created: try row.int(3))
  }

  static func row(_ part: PartRecord) -> [SQLValue] {
    [
      .text(part.tenant.name), .int(Int64(part.part.number)), .int(part.head), .int(part.floor), .int(part.epoch),
      .int(Int64(bitPattern: part.maxTime)),
    ]
  }

  static func part(_ row: SQLRow) throws(SyncStoreError) -> PartRecord {
    PartRecord(
      tenant: TenantID(stored: try row.text(0)), part: PartID(Int32(truncatingIfNeeded: try row.int(1))),
      head: try row.int(2), floor: try row.int(3), epoch: try row.int(4), maxTime: UInt64(bitPattern: try row.int(5)))
  }

  static func row(_ tenant: TenantID, _ part: PartID, _ object: ObjectWrite) -> [SQLValue] {
    [
      .text(tenant.name), .int(Int64(part.number)), .text(object.record.key.className),
      .bytes(object.record.key.primaryKey), .int(object.record.isAlive ? 1 : 0), .int(object.record.version),
      .bytes(object.record.body), .text(object.fields.json),
    ]
  }

  static func object(_ row: SQLRow) throws(SyncStoreError) -> ObjectRecord {
    ObjectRecord(
      key: ObjectKey(className: try row.text(0), primaryKey: try row.bytes(1)), isAlive: try row.int(2) != 0,
      version: try row.int(3), body: try row.bytes(4))
  }

  static func row(_ tenant: TenantID, _ part: PartID, _ change: ChangeRecord) -> [SQLValue] {
    [
      .text(tenant.name), .int(Int64(part.number)), .int(change.version), .bytes(change.site.bytes),
      .int(change.siteVersion), .int(Int64(bitPattern: change.nonce)), .int(Int64(bitPattern: change.time)),
      .int(change.merged), .bytes(change.delta), .bytes(change.before),
    ]
  }

  static func change(_ row: SQLRow) throws(SyncStoreError) -> ChangeRecord {
    ChangeRecord(
      version: try row.int(2), site: SiteKey(stored: try row.bytes(3)), siteVersion: try row.int(4),
      nonce: UInt64(bitPattern: try row.int(5)), time: UInt64(bitPattern: try row.int(6)), merged: try row.int(7),
      delta: try row.bytes(8), before: try row.bytes(9))
  }

  static func row(_ tenant: TenantID, _ client: ClientRecord) -> [SQLValue] {
    [
      .text(tenant.name), .bytes(client.site.bytes), .bytes(client.secretHash), .int(client.session),
      .int(client.lastSiteVersion), .int(Int64(bitPattern: client.lastTime)), .bytes(client.cursor),
      .int(client.schemaVersion), .int(client.seen), .int(client.copiesThrough),
    ]
  }

  static func client(_ row: SQLRow) throws(SyncStoreError) -> ClientRecord {
    ClientRecord(
      site: SiteKey(stored: try row.bytes(1)), secretHash: try row.bytes(2), session: try row.int(3),
      lastSiteVersion: try row.int(4), lastTime: UInt64(bitPattern: try row.int(5)), cursor: try row.bytes(6),
      schemaVersion: try row.int(7), seen: try row.int(8), copiesThrough: try row.int(9))
  }

  static func row(_ tenant: TenantID, _ subscription: SubscriptionRecord) -> [SQLValue] {
    [
      .text(tenant.name), .bytes(subscription.site.bytes), .int(subscription.setVersion), .bytes(subscription.queries),
      .int(Int64(subscription.state)),
    ]
  }

  static func subscription(_ row: SQLRow) throws(SyncStoreError) -> SubscriptionRecord {
    SubscriptionRecord(
      site: SiteKey(stored: try row.bytes(1)), setVersion: try row.int(2), queries: try row.bytes(3),
      state: Int32(truncatingIfNeeded: try row.int(4)))
  }

  static func row(_ tenant: TenantID, _ kind: DocumentKind, _ document: DocumentRecord) -> [SQLValue] {
    [
      .text(tenant.name), .text(kind.rawValue), .int(document.version), .bytes(document.body), .int(document.created),
    ]
  }

  static func document(_ row: SQLRow) throws(SyncStoreError) -> DocumentRecord {
    DocumentRecord(version: try row.int(2), body: try row.bytes(3), created: try row.int(4))
  }

  static func row(_ tenant: TenantID, _ copy: CommitCopy) -> [SQLValue] {
    [.text(tenant.name), .int(Int64(bitPattern: copy.nonce)), .bytes(copy.site.bytes)]
  }

  static func copy(_ row: SQLRow) throws(SyncStoreError) -> CommitCopy {
    CommitCopy(nonce: UInt64(bitPattern: try row.int(0)), site: SiteKey(stored: try row.bytes(1)))
  }

  static func nonce(_ row: SQLRow) throws(SyncStoreError) -> CommitNonce {
    CommitNonce(siteVersion: try row.int(0), nonce: UInt64(bitPattern: try row.int(1)))
  }
}
