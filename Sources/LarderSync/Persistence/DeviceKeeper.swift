import LarderStorage
import LarderSyncProtocol

/// The device of a store between its transactions. One thread at a time uses it.
///
/// What it holds in memory is what the store has, or newer by what no crash may lose anything of: confirmed commits, and the server's cursor
/// after batches without changes. A transaction that fails leaves nothing in memory, and the next one reads the store.
final class DeviceKeeper {
  let store: Store
  /// The device as it was after the last transaction; nil before the first one, and after one that failed.
  private(set) var device: Device<StoreReplica>?
  private(set) var server: ServerRecord
  /// True if the last transaction found that the file is a copy of another store, whose site is not this one's any more (Y-68).
  private(set) var isCopy = false
  /// The classes whose changes are none of the device's, as of the last transaction.
  private(set) var withheld = WithheldClasses()
  /// The client reset that has begun, or that is done and of which the program has not heard.
  var reset: ResetRecord?
  /// The client reset that has begun.
  var begunReset: ResetRecord? { reset?.copy == nil ? reset : nil }
  /// Values that were left out because the store's schema cannot hold them, until they are taken to be reported (Y-48).
  private var unfit: Set<UnfitValue> = []
  private var revision: UInt64?
  private var savedServer: ServerRecord?
  private var catalog: SyncCatalog?
  /// The version of the store whose own commits the device has.
  private var taken: UInt64 = 0

  /// Versions of the store without synchronised changes after which the log is allowed to drop them.
  private static let idleVersions: UInt64 = 1_000
  /// The origin of the changes in a transaction that applies what the server sends.
  private static let origin = Origin(high: 0, low: 1)

  init(_ store: Store) {
    self.store = store
    server = ServerRecord(storeID: store.storeID)
  }

  /// The classes of the store.
  func currentCatalog() throws -> SyncCatalog {
    let schema = try store.snapshot().schema
    if let catalog, catalog.fingerprint == schema.fingerprint { return catalog }
    return SyncCatalog(schema)
  }

  /// Returns true if the store has commits that the device has not, or that only have to be passed over.
  func needsReplay() throws -> Bool {
    guard device != nil else { return true }
    let snapshot = try store.snapshot()
    guard snapshot.version > taken else { return false }
    if snapshot.version - taken > Self.idleVersions { return true }
    var found = false
    try OperationsReader(snapshot).forEach(after: taken, upTo: snapshot.version) { _, _, _ in
      found = true
      return false
    }
    return found
  }

  /// The values that were left out since this was called last.
  func takeUnfit() -> [UnfitValue] {
    defer { unfit = [] }
    return unfit.sorted { ($0.className, $0.property) < ($1.className, $1.property) }
  }

  /// Gives the device all commits of the store, if there are new ones.
  func replay() throws {
    if try needsReplay() { try write { _ in } }
  }

  /// Notes that the server has commits, which is in the store from the next transaction on.
  func acknowledge(through siteVersion: UInt64) { device?.acknowledge(through: siteVersion) }

  /// Notes the server's cursor after a batch without changes, which is in the store from the next transaction on.
  func advance(to cursor: [UInt8]) { server.cursor = cursor }

  /// Notes when both sides had everything, which is in the store from the next transaction on.
  func noteSynced(at date: UInt64) { server.lastSynced = date }

  /// Runs a transaction: the device takes the store's own commits, then `body` runs, and everything is committed together, or nothing is.
  ///
  /// - Parameter time: A time of the server's, after which the transaction is.
  func write<Value>(
    after time: SyncTime = SyncTime(rawValue: 0), _ body: (DeviceTransaction) throws -> Value
  ) throws -> Value {
    let writer = try store.beginWrite()
    do {
      let value = try write(writer, after: time, body)
      try writer.commit()
      return value
    } catch {
      writer.cancel()
      device = nil
      revision = nil
      savedServer = nil
      throw error
    }
  }

  private func write<Value>(
    _ writer: StoreWriter, after time: SyncTime, _ body: (DeviceTransaction) throws -> Value
  ) throws -> Value {
    let state = try SyncWriting(writer)
    let records = DeviceRecords(state)
    let catalog = try catalog(of: writer)
    var withheld = withheld
    try withheld.refresh(state, catalog)
    let replica = ReplicaTransaction(writer, catalog, filter: withheld.filter)
    let transaction = DeviceTransaction(
      try current(records, replica), try currentServer(state), withheld, state, path: store.path)
    device = nil
    let newest = max(time, transaction.device.newestTime)
    try state.apply(from: Self.origin, at: HybridTime(rawValue: newest.rawValue))
    try replay(writer, replica, transaction)
    let value = try body(transaction)
    try replica.finish()
    unfit.formUnion(replica.unfit)
    revision = try records.save(&transaction.device, replica)
    if transaction.server != savedServer {
      try state.setState(ServerRecord.stateName, transaction.server.encoded())
      savedServer = transaction.server
    }
    try state.setTakenVersion(writer.base.version)
    taken = writer.base.version
    server = transaction.server
    self.withheld = transaction.withheld
    transaction.device.store.transaction = nil
    device = transaction.device
    return value
  }

  private func catalog(of writer: StoreWriter) throws -> SyncCatalog {
    if let catalog, catalog.fingerprint == writer.base.schema.fingerprint { return catalog }
    let new = SyncCatalog(writer.base.schema)
    catalog = new
    return new
  }

  /// The device in memory, unless another process has changed the one in the store.
  private func current(_ records: DeviceRecords, _ replica: ReplicaTransaction) throws -> Device<StoreReplica> {
    if var device, let revision, try records.revision() == revision {
      device.store.transaction = replica
      return device
    }
    savedServer = nil
    if let device = try records.load(replica) { return device }
    var random = SystemRandomNumberGenerator()
    // Until the server gives it one, the device names what it makes by a site of its own.
    let site = SiteID(high: random.next(), low: random.next() | 1)
    return Device(DeviceHead(site: site), commits: [], viewExceptions: [], store: StoreReplica(transaction: replica))
  }

  private func currentServer(_ state: SyncWriting) throws -> ServerRecord {
    if savedServer != nil { return server }
    let kept = try state.state(ServerRecord.stateName).map { try ServerRecord(decoding: $0) }
    savedServer = kept
    var server = kept ?? ServerRecord(storeID: store.storeID)
    isCopy = server.storeID != store.storeID
    if isCopy { server = ServerRecord(storeID: store.storeID) }
    return server
  }

  private func replay(
    _ writer: StoreWriter, _ replica: ReplicaTransaction, _ transaction: DeviceTransaction
  ) throws {
    let logged = try OperationsReader(writer.base).commits(
      after: try transaction.state.takenVersion(), upTo: writer.base.version)
    guard !logged.isEmpty else { return }
    var conversion = LoggedCommits(replica, withheld: transaction.withheld.names, filter: transaction.withheld.filter)
    var random = SystemRandomNumberGenerator()
    // All of them first: a later commit may have deleted objects of an earlier one.
    let commits = try logged.map { try conversion.converted($0, nonce: random.next()) }
    for commit in commits where !commit.edits.isEmpty {
      for part in commit.parts(nonce: { random.next() }) { try transaction.device.replay(part) }
    }
  }
}

extension DeviceKeeper {
  /// Returns the number of a store's commits that the server has not confirmed, as far as the file says: what was confirmed last may still be
  /// counted. The device is given the store's own commits for it.
  static func unsentCommits(of store: Store) throws -> Int {
    guard try store.snapshot().schema.hasSync else { return 0 }
    let keeper = DeviceKeeper(store)
    try keeper.replay()
    guard let device = keeper.device else { return 0 }
    let unsent = Int(clamping: device.lastSiteVersion - min(device.acknowledged, device.lastSiteVersion))
    return unsent + (try keeper.hasWithheldObjects() ? 1 : 0)
  }

  private func hasWithheldObjects() throws -> Bool {
    let (snapshot, catalog) = (try store.snapshot(), try currentCatalog())
    return try withheld.names.contains { name in
      try catalog[name].map { try snapshot.count(of: $0.descriptor.id) > 0 } ?? false
    }
  }
}
