/// Reading the store, within one transaction. Belongs to the thread that the body runs on; every call may wait for the database.
public protocol SyncReading: AnyObject {
  /// A tenant; nil when there is none of that name.
  func tenant(_ tenant: TenantID) throws(SyncStoreError) -> TenantRecord?

  /// Tenants in the order of their names.
  func tenants(after name: String, limit: Int) throws(SyncStoreError) -> [TenantRecord]

  /// The parts of a tenant, in order.
  func parts(of tenant: TenantID) throws(SyncStoreError) -> [PartRecord]

  /// The head rows of parts of several tenants; those that are not there are left out.
  func heads(_ parts: [(tenant: TenantID, part: PartID)]) throws(SyncStoreError) -> [PartRecord]

  /// The objects of some keys; those that are not there are left out. One round trip however many they are.
  func objects(_ tenant: TenantID, _ part: PartID, _ keys: [ObjectKey]) throws(SyncStoreError) -> [ObjectKey:
    ObjectRecord]

  /// The next objects of a class, in the order of the bytes of their primary keys.
  func objectPage(_ tenant: TenantID, _ part: PartID, _ page: ObjectPageRequest) throws(SyncStoreError)
    -> [ObjectRecord]

  /// Returns the number and the total size of the objects of a class that are there and pass a filter. Work is proportional to the objects of the
  /// class.
  func totals(
    _ tenant: TenantID, _ part: PartID, className: String, filter: QueryFilter
  ) throws(SyncStoreError) -> ObjectTotals

  /// The next changes after a version, in order and without gaps.
  ///
  /// - Throws: `damaged` when a version is missing above the floor.
  func changes(
    _ tenant: TenantID, _ part: PartID, after version: Int64, limit: Int
  ) throws(SyncStoreError) -> [ChangeRecord]

  /// Returns the size in bytes of each of the next changes after a version, in order.
  func changeSizes(
    _ tenant: TenantID, _ part: PartID, after version: Int64, limit: Int
  ) throws(SyncStoreError) -> [Int]

  /// Returns the size in bytes of all changes after a version.
  func changeBytes(_ tenant: TenantID, _ part: PartID, after version: Int64) throws(SyncStoreError) -> Int

  /// The version of the newest change that a site made, as far as the log still has it.
  func lastChange(_ tenant: TenantID, _ part: PartID, of site: SiteKey) throws(SyncStoreError) -> Int64?

  /// The nonces of a site's commits, of those in the log and of the newest before it, from the commit after one on.
  func nonces(
    _ tenant: TenantID, _ site: SiteKey, after siteVersion: Int64, limit: Int
  ) throws(SyncStoreError) -> [CommitNonce]

  /// The random numbers of the commits at some versions of a part's log, by version. Versions that the log does not have are left out. One round
  /// trip however many they are.
  func nonces(
    _ tenant: TenantID, _ part: PartID, at versions: [Int64]
  ) throws(SyncStoreError) -> [Int64: UInt64]

  /// Returns those of some commits, given by their random numbers, that copies of devices have sent. One round trip however many they are.
  func copies(_ tenant: TenantID, _ nonces: [UInt64]) throws(SyncStoreError) -> [CommitCopy]

  /// Returns the record of a site; nil when it is unknown.
  func client(_ tenant: TenantID, _ site: SiteKey) throws(SyncStoreError) -> ClientRecord?

  /// The sites of a tenant in the order of their names, after one; nil for the first.
  func clients(_ tenant: TenantID, after site: SiteKey?, limit: Int) throws(SyncStoreError) -> [ClientRecord]

  /// The subscriptions of a site; nil when it never had any.
  func subscription(_ tenant: TenantID, _ site: SiteKey) throws(SyncStoreError) -> SubscriptionRecord?

  /// Versions of a document from one on, in order.
  func documents(
    _ tenant: TenantID, _ kind: DocumentKind, from version: Int64, limit: Int
  ) throws(SyncStoreError) -> [DocumentRecord]

  /// The newest version of a document; nil when there is none.
  func newestDocument(_ tenant: TenantID, _ kind: DocumentKind) throws(SyncStoreError) -> DocumentRecord?
}

extension SyncReading {
  /// Returns changes as `changes` without `bytes` does, and after the first change no more than so many bytes.
  func changes(
    _ tenant: TenantID, _ part: PartID, after version: Int64, limit: Int, bytes: Int
  ) throws(SyncStoreError) -> [ChangeRecord] {
    var rest = bytes
    let fitting = try changeSizes(tenant, part, after: version, limit: limit).prefix { size in
      rest -= size
      return rest >= 0
    }
    return try changes(tenant, part, after: version, limit: max(1, fitting.count))
  }
}
