/// A transaction that writes. Belongs to the thread that the body runs on.
///
/// What is written goes to the database with the next call that reads, or with the commit: a transaction that locks, reads objects
/// and writes takes three round trips. Clients are locked before parts, and parts in their order, so that transactions do not wait for each
/// other in a circle.
public protocol SyncTransaction: SyncReading {
  /// Makes a tenant with its parts; one that is there stays as it is.
  ///
  /// - Returns: whether it was made.
  @discardableResult
  func createTenant(_ tenant: TenantRecord) throws(SyncStoreError) -> Bool

  /// Changes how long the changes of a tenant are kept, in milliseconds.
  func setRetention(_ retention: Int64, of tenant: TenantID) throws(SyncStoreError)

  /// The rows of sites that are known, locked to the end of the transaction.
  func lockClients(_ tenant: TenantID, _ sites: [SiteKey]) throws(SyncStoreError) -> [SiteKey: ClientRecord]

  /// The head row of a part, locked to the end of the transaction; nil when there is no such part.
  func lockPart(_ tenant: TenantID, _ part: PartID) throws(SyncStoreError) -> PartRecord?

  /// Both of these in one round trip.
  func lock(
    _ tenant: TenantID, _ sites: [SiteKey], _ part: PartID
  ) throws(SyncStoreError) -> (clients: [SiteKey: ClientRecord], part: PartRecord?)

  /// Writes objects over what is there. The last one of a key counts.
  func putObjects(_ tenant: TenantID, _ part: PartID, _ objects: [ObjectWrite]) throws(SyncStoreError)

  /// Appends changes to the log of a part that this transaction has locked. Their versions are those after the head, whatever they say.
  ///
  /// - Returns: the new head.
  /// - Throws: `invalidValue` when the part is not locked.
  func append(
    _ tenant: TenantID, _ part: PartID, _ changes: [ChangeRecord]
  ) throws(SyncStoreError) -> PartRecord

  /// Notes which commits copies of devices have sent.
  func putCopies(_ tenant: TenantID, _ copies: [CommitCopy]) throws(SyncStoreError)

  /// Writes the rows of sites.
  func putClients(_ tenant: TenantID, _ clients: [ClientRecord]) throws(SyncStoreError)

  /// Removes a site with its subscriptions. Its changes stay in the log.
  func removeClient(_ tenant: TenantID, _ site: SiteKey) throws(SyncStoreError)

  /// Writes the subscriptions of a site.
  func putSubscription(_ tenant: TenantID, _ subscription: SubscriptionRecord) throws(SyncStoreError)

  /// Adds a version of a document.
  ///
  /// - Throws: `invalidValue` when it is not the one after the newest.
  func addDocument(_ tenant: TenantID, _ kind: DocumentKind, _ document: DocumentRecord) throws(SyncStoreError)

  /// Says that the data of a tenant were replaced by older ones, so that sites offer again what they have.
  func raiseEpoch(of tenant: TenantID) throws(SyncStoreError)

  /// Removes changes before a version, and what is kept of objects that were deleted up to then.
  ///
  /// - Parameter limit: at most so many changes in this transaction.
  /// - Returns: the floor, which has got there unless there were more than that.
  func trim(
    _ tenant: TenantID, _ part: PartID, upTo version: Int64, limit: Int
  ) throws(SyncStoreError) -> Int64

  /// The version up to which all changes were merged before a time, in milliseconds since 1970.
  func lastVersion(_ tenant: TenantID, _ part: PartID, mergedBefore time: Int64) throws(SyncStoreError) -> Int64
}
