import Foundation
import LarderLMDB
import LarderLocks

/// The state that a write transaction leaves to the next one of its process.
protocol CachedWriter: AnyObject, Sendable {
  /// The version its transaction committed. It is of no use for any other: another process may have committed since.
  var version: UInt64 { get }
}

/// One store: a file of objects, opened once per process and shared by everything in it.
///
/// All members may be used from any thread. A `StoreWriter` belongs to the thread that began it.
package final class Store: Sendable {
  package let path: String
  package let environment: Environment
  package let tables: StoreTables
  package let options: StoreOptions
  package let log: ChangeLog
  let verifiedBlocks: VerifiedBlocks
  let verifiedLeaves = VerifiedBlocks()
  let expandedLeaves = ExpandedLeaves()
  let identity: CatalogIdentity
  /// True if records of the catalog had no checksums when the store was opened. The next commit gives them theirs.
  let lacksCatalogSeals: Bool
  /// The cipher that seals values; nil in a plain store.
  let cipher: StoreCipher?
  let trees: PairTrees
  package let clusterSize: Int
  private let shared = Lock(Shared())
  // A lock of its own: a snapshot may go while something else of the store is locked.
  private let newest = Lock(NewestSnapshot())

  private struct Shared {
    var cached: (any CachedWriter)?
    var spentIDs: (version: UInt64, count: UInt64) = (0, 0)
    var spentKeys: [ClassID: UInt64] = [:]
    /// Classes whose counter was found to be what the presence bits say.
    var comparedCounts: Set<ClassID> = []
    /// The state that was read last, where its counters are in parts: few of them change with a commit.
    var state: CatalogState?
    var schemaStamp: UInt64?
    var record = SchemaRecord()
    var schema = StoreSchema(classes: [], schemaVersion: nil)
    var handlers: [Int: @Sendable (UInt64) -> Void] = [:]
    var nextHandler = 0
    var observations = 0
  }

  /// Opens the store at a path, creating it where there is none; the same instance while one is open in the process.
  ///
  /// - Throws: `StorageError`: no permission, no folder, not a Larder store, damaged, a newer format, unknown features,
  ///   already open with other options.
  package static func open(path: String, options: StoreOptions = StoreOptions()) throws -> Store {
    try StoreRegistry.shared.store(path: path, options: options)
  }

  init(openingAt path: String, options: StoreOptions) throws {
    var environmentOptions = StoreLayout.environmentOptions
    environmentOptions.readOnly = options.readOnly
    environmentOptions.mapSize = options.mapSize
    if options.walksPages { environmentOptions.inspection = .everyPage }
    environmentOptions.durability =
      switch options.durability {
      case .full: .full
      case .relaxed: .relaxed
      case .none: .none
      }
    let environment = try storageErrors(path) { try Environment.open(path: path, options: environmentOptions) }
    let opening = StoreOpening(path: path, environment: environment, options: options)
    let (identity, cipher) = try storageErrors(path) { try opening.identify() }
    lacksCatalogSeals = try storageErrors(path) {
      try CatalogSeal.isMissing(opening.tables.catalog, in: try environment.beginRead())
    }
    self.path = path
    verifiedBlocks = VerifiedBlocks(path: path)
    self.environment = environment
    self.tables = opening.tables
    self.cipher = cipher
    trees = PairTrees(opening.tables, cipher: cipher)
    self.log = ChangeLog(environment, names: cipher?.hash)
    self.options = options
    self.identity = identity
    self.clusterSize = Int(identity.clusterSize)
  }

  deinit { StoreRegistry.shared.forget(self) }

  /// True if links may lead to objects that are not in the store (L-8): in one that has been synced, which may come about while it is open.
  package var mayHoldGhosts: Bool {
    identity.readOnlyCompatible & FeatureBits.ghosts != 0 || environment.optionalTable(StoreLayout.ghosts) != nil
  }

  /// Throws in a child that was forked off the process that opened the store: it must use nothing that it inherited.
  package func checkProcess() throws { try storageErrors(path) { try environment.checkProcess("use") } }

  /// True if this is the process that opened the store; a nanosecond.
  @inline(__always)
  package var isOpeningProcess: Bool { environment.isOpeningProcess }

  // MARK: - Versions

  /// The newest committed version. The same instance is returned while nothing newer was committed.
  package func snapshot() throws -> Snapshot {
    try storageErrors(path) {
      try environment.checkProcess("begin")
      let (newest, unchangedWrites) = self.newest.withLock { ($0.retained, $0.unchangedWrites.count) }
      // Only now: these writes have seen the version that is asked for here, or one before it.
      let last = environment.lastTransactionID
      if let newest, newest.transaction.transactionID == last { return after(unchangedWrites, newest) }
      return try makeSnapshot(unchangedWrites)
    }
  }

  private func makeSnapshot(_ unchangedWrites: UInt64) throws -> Snapshot {
    let transaction = try environment.beginRead()
    if let newest = self.newest.withLock({ $0.retained }),
      newest.transaction.transactionID == transaction.transactionID
    {
      return after(unchangedWrites, newest)
    }
    guard let stateBytes = try transaction.get(tables.catalog, StoreLayout.stateKey) else {
      throw StorageError(.corrupted, "The catalog of '\(path)' has no state record.", path: path)
    }
    let known = shared.withLock { $0.state }
    let state = try CatalogState(stateBytes, known: known) { try transaction.get(tables.catalog, KeyBytes($0))?.bytes }
    if state.isInParts { shared.withLock { $0.state = state } }
    guard state.isPossible(clusterSize: clusterSize) else { throw CatalogState.impossible }
    let (record, schema) = try schema(of: transaction, state)
    // Another process may have made the tables of synchronisation: transactions from before this one learnt of them cannot read them.
    if schema.hasSync, StoreTables.Sync(environment) == nil, try environment.findOptionalTables() {
      return try makeSnapshot(unchangedWrites)
    }
    let snapshot = Snapshot(
      store: self, transaction: transaction, schema: schema, record: record, state: state,
      unchangedWrites: unchangedWrites)
    newest.withLock { $0.note(snapshot) }
    return snapshot
  }

  /// The newest version after so many writes that changed nothing.
  private func after(_ unchangedWrites: UInt64, _ newest: Snapshot) -> Snapshot {
    if newest.moment.unchangedWrites >= unchangedWrites { return newest }
    let later = Snapshot(newest, unchangedWrites: unchangedWrites)
    self.newest.withLock { $0.note(later) }
    return later
  }

  /// Called when a snapshot is made.
  func hold(_ snapshot: Snapshot) {
    newest.withLock { $0.unchangedWrites.hold(snapshot.moment.unchangedWrites) }
  }

  // MARK: - Writes that changed nothing

  /// The number of such writes.
  var unchangedWrites: UInt64 { newest.withLock { $0.unchangedWrites.count } }

  /// Keeps for observers what a write assigned; false when it has to make a version.
  func noteUnchanged(_ assignments: [Assignment]) -> Bool {
    newest.withLock { $0.unchangedWrites.note(assignments) }
  }

  /// Returns what was assigned between two numbers of them; nil when that is not known any more.
  func unchangedAssignments(after first: UInt64, upTo last: UInt64) -> [Assignment]? {
    newest.withLock { $0.unchangedWrites.assignments(after: first, upTo: last) }
  }

  /// Called when a snapshot goes.
  func forget(_ snapshot: Snapshot) { newest.withLock { $0.forget(snapshot) } }

  private func schema(of transaction: ReadTransaction, _ state: CatalogState) throws -> (SchemaRecord, StoreSchema) {
    let cached = shared.withLock { $0.schemaStamp == state.schemaVersionStamp ? ($0.record, $0.schema) : nil }
    if let cached { return cached }
    guard let bytes = try transaction.get(tables.catalog, StoreLayout.schemaKey) else {
      throw StorageError(.corrupted, "The catalog of '\(path)' has no schema record.", path: path)
    }
    let record = try SchemaRecord(CatalogSeal.open(bytes, StoreLayout.schemaWord))
    let schema = StoreSchema(classes: record.classes, schemaVersion: record.schemaVersion)
    shared.withLock {
      $0.schemaStamp = state.schemaVersionStamp
      $0.record = record
      $0.schema = schema
    }
    return (record, schema)
  }

  /// Returns true if the counter of a class was found to be right since the store was opened.
  func hasComparedCount(of classID: ClassID) -> Bool { shared.withLock { $0.comparedCounts.contains(classID) } }

  func noteComparedCount(of classID: ClassID) { shared.withLock { _ = $0.comparedCounts.insert(classID) } }

  /// Version of the newest commit, by any process.
  package var newestVersion: UInt64 { get throws { try snapshot().version } }

  /// Returns true if no newer version than the snapshot's was committed; a few nanoseconds.
  package func isCurrent(_ snapshot: Snapshot) -> Bool {
    snapshot.transaction.transactionID == environment.lastTransactionID
  }

  // MARK: - Commits

  /// True if this process observes objects or results of the store.
  package var isObserved: Bool { shared.withLock { $0.observations > 0 } }

  /// So many more objects and results are observed, or fewer.
  package func countObservations(_ change: Int) { shared.withLock { $0.observations += change } }

  /// Registers a function called after each commit made through this instance, on the committing thread.
  ///
  /// - Returns: A token for `removeCommitHandler(_:)`.
  package func addCommitHandler(_ handler: @escaping @Sendable (UInt64) -> Void) -> Int {
    shared.withLock {
      $0.nextHandler += 1
      $0.handlers[$0.nextHandler] = handler
      return $0.nextHandler
    }
  }

  package func removeCommitHandler(_ token: Int) {
    shared.withLock { _ = $0.handlers.removeValue(forKey: token) }
  }

  /// Remembers what a committed transaction leaves to the next one.
  func keep(_ cached: any CachedWriter) {
    guard !HostileSettings.current.contains(.reopening) else { return }
    shared.withLock { $0.cached = cached }
  }

  /// Returns what the last transaction left, if it committed that very version. It is given out once.
  func takeCachedWriter(version: UInt64) -> (any CachedWriter)? {
    let cached = shared.withLock { shared -> (any CachedWriter)? in
      defer { shared.cached = nil }
      return shared.cached
    }
    return cached?.version == version ? cached : nil
  }

  /// Remembers how many ids of collections a cancelled transaction gave: who still holds a collection that it made must not
  /// find another under its id.
  func spendCollectionIDs(_ count: UInt64, of version: UInt64) {
    if count > 0 { shared.withLock { $0.spentIDs = (version, count) } }
  }

  /// Returns the number of ids of collections that were given by cancelled transactions that would have made the version.
  func spentCollectionIDs(of version: UInt64) -> UInt64 {
    shared.withLock { $0.spentIDs.version == version ? $0.spentIDs.count : 0 }
  }

  /// Remembers the keys that a cancelled transaction gave, by the first that it did not give: who still holds an object, a list or
  /// results that it made must not find another object there.
  func spendKeys(_ next: [ClassID: UInt64]) {
    if !next.isEmpty { shared.withLock { $0.spentKeys.merge(next) { max($0, $1) } } }
  }

  /// The first key of each class that no cancelled transaction of this process has given.
  var spentKeys: [ClassID: UInt64] { shared.withLock { $0.spentKeys } }

  func committed(_ version: UInt64) {
    let handlers = shared.withLock { shared in
      if HostileSettings.current.contains(.reopening) {
        shared.state = nil
        shared.schemaStamp = nil
      }
      return Array(shared.handlers.values)
    }
    for handler in handlers { handler(version) }
  }

  /// 128 random bits given to the store at its creation, as 32 hexadecimal digits (L-2).
  package var storeID: String {
    [identity.storeID.high, identity.storeID.low].map {
      let digits = String($0, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// True if new rows may be stored as tails (`TailRecord`). Stores made before there were any go on without.
  var hasTails: Bool { identity.incompatible & FeatureBits.tails != 0 }

  /// True if the store is encrypted.
  package var isEncrypted: Bool { cipher != nil }

  /// Writes the identity, and the proof of it that an encrypted store keeps.
  func put(_ identity: CatalogIdentity, in transaction: WriteTransaction) throws {
    try identity.put(tables.catalog, cipher, in: transaction)
  }

  /// The file format of the store.
  package var formatVersion: UInt32 { identity.formatVersion }
}
