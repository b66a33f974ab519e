import LarderLMDB

/// The write transaction of a store: the one funnel through which everything changes.
///
/// It reads the version it started from (`base`) with its own changes laid over it. Changed columns are kept decoded, cluster by cluster, and
/// written once: at commit, before an index is asked, or when they take too much memory. One thread at a time uses it.
///
/// What it holds is in values of its own kinds: what decoded clusters take (`ClusterCache`), the open lists (`OpenLists`), what waits for indexes
/// and backlinks (`PairTreeChanges`), the schema (`TransactionSchema`). What it does is in handles, one for each kind of work.
package final class StoreWriter: StoreReader {
  package let store: Store
  /// The version the transaction started from.
  package let base: Snapshot
  package let clusterSize: Int
  let transaction: WriteTransaction
  @exclusivity(unchecked) var schemaState: TransactionSchema
  /// By class number: those that the transaction, or the one that left it something, has used.
  @exclusivity(unchecked) private(set) var classes: [ClassWriter?] = []
  let recorder: ChangeRecorder
  var trees = PairTreeChanges()
  @exclusivity(unchecked) var openLists = OpenLists()
  @exclusivity(unchecked) var cache: ClusterCache
  @exclusivity(unchecked) private(set) var hasEnded = false
  private var paths = RowPaths()
  /// The number of the last list or dictionary of a mixed value that this transaction, or a cancelled one before it, made.
  var collectionIDs: UInt64
  /// Classes that the transaction gave keys of, once it was cancelled: none of these keys is given again by this process.
  package private(set) var spentClasses: Set<ClassID> = []
  /// The report of the commit to observers.
  var announcement = CommitAnnouncement()

  init(store: Store, base: Snapshot, transaction: WriteTransaction) throws {
    self.store = store
    self.base = base
    self.transaction = transaction
    clusterSize = base.clusterSize
    schemaState = TransactionSchema(base)
    collectionIDs = store.spentCollectionIDs(of: base.version + 1)
    let kept = store.takeCachedWriter(version: base.version) as? WriterCache
    let hasConsumers = try kept?.hasConsumers(at: base) ?? store.log.hasConsumers(in: transaction)
    recorder = ChangeRecorder(needsPrimaryKeys: hasConsumers, synced: base.schema.synced)
    classes = kept?.classes ?? []
    cache = ClusterCache(
      lastLeafWord: try kept.map(\.lastLeafWord) ?? ClusterWriting.lastLeaf(store.tables, transaction))
  }

  deinit { cancel() }

  package var schema: StoreSchema { schemaState.classes }
  var schemaRecord: SchemaRecord { schemaState.record }
  /// Changes whenever views of what the transaction holds may have become invalid without a change of any value: decoded columns were written
  /// out, encoded or released.
  @inline(__always)
  package var viewStamp: UInt64 { cache.stamp }
  /// The version this transaction's commit will have.
  package var version: UInt64 { base.version + 1 }

  /// True if assignments of the values that were there are kept as changes (N-14). False where no one in this process observes. A transaction of
  /// nothing else makes no version, unless other processes read the store.
  package var keepsEqualAssignments: Bool {
    get { announcement.keepsEqualAssignments }
    set { announcement.keepsEqualAssignments = newValue }
  }

  /// Decoded columns are written out when they take more bytes than this.
  package var decodedLimit: Int {
    get { cache.decodedLimit }
    set { cache.decodedLimit = newValue }
  }

  /// Open lists are written out when their elements take more bytes than this.
  package var listLimit: Int {
    get { openLists.limit }
    set { openLists.limit = newValue }
  }

  /// The words of texts that a flush gathers for one index are written when they take more bytes than this.
  package var pairLimit: Int {
    get { trees.limit }
    set { trees.limit = newValue }
  }

  // MARK: - Ending

  /// Drops every change; harmless when the transaction has ended.
  package func cancel() {
    guard !hasEnded else { return }
    hasEnded = true
    let given = givenKeys
    store.spendCollectionIDs(collectionIDs, of: version)
    store.spendKeys(given)
    spentClasses = Set(given.keys)
    transaction.abort()
    forget()
  }

  /// The next key of each class that the transaction has given keys of.
  private var givenKeys: [ClassID: UInt64] {
    var result: [ClassID: UInt64] = [:]
    for case let owner? in classes where owner.nextKey > owner.firstNewKey {
      result[owner.descriptor.id] = owner.nextKey
    }
    return result
  }

  /// The transaction changed nothing: leaves what the next one can use.
  func endUnchanged() -> UInt64 {
    hasEnded = true
    store.spendCollectionIDs(collectionIDs, of: version)
    transaction.abort()
    for case let owner? in classes where owner.isDirty { owner.becomeUnchanged() }
    store.keep(WriterCache(version: base.version, after: base.transaction.transactionID, classes, cache, recorder))
    forget()
    return base.version
  }

  /// Ends a transaction in which nothing was done yet, so that it is as if it had not been begun; harmless when it has ended.
  package func leave() { if !hasEnded { _ = endUnchanged() } }

  /// The transaction was committed: leaves what the next one can use.
  func end() {
    hasEnded = true
    // After a change of the schema the columns may mean something else.
    if !schemaState.isDirty { store.keep(WriterCache(version: version, after: nil, classes, cache, recorder)) }
    forget()
  }

  private func forget() {
    cache.viewsChanged()
    classes = []
    openLists.forget()
    trees.forget()
  }

  // MARK: - Classes

  /// The class's state; throws when the class is unknown or the transaction has ended.
  @inline(__always)
  func classWriter(_ id: ClassID) throws -> ClassWriter {
    guard store.isOpeningProcess, let found = try usedClass(id) ?? makeWriter(id) else { throw try unavailable(id) }
    return found
  }

  @inline(__always)
  func usedClass(_ id: ClassID) -> ClassWriter? {
    Int(id.rawValue) < classes.count ? classes[Int(id.rawValue)] : nil
  }

  /// The state of a class that the transaction has not used yet, made when it is first asked for: a store may have a thousand classes, and
  /// most transactions use a few. Nil for an unknown class.
  @inline(never)
  private func makeWriter(_ id: ClassID) throws -> ClassWriter? {
    guard !hasEnded, let entry = schema[id] else { return nil }
    let number = Int(id.rawValue)
    while classes.count <= number { classes.append(nil) }
    let counters = CatalogState.ClassCounters(
      nextKey: max(base.state[id].nextKey, store.spentKeys[id] ?? 0), count: UInt64(try base.count(of: id)))
    let made = ClassWriter(descriptor: entry, counters: counters, schema: schema)
    made.hasGhosts = try store.hasGhosts(entry, in: transaction)
    classes[number] = made
    return made
  }

  private func unavailable(_ id: ClassID) throws -> StorageError {
    try store.checkProcess()
    return hasEnded
      ? StorageError(.transactionEnded, "The write transaction has ended; begin another one.")
      : StorageError(.unknownClass, "The store has no class number \(id.rawValue).")
  }

  /// Takes over a changed schema record.
  func adoptSchema(_ record: SchemaRecord) {
    cache.viewsChanged()
    schemaState.adopt(record)
    paths.forgetWriters()
    for entry in schema.classes { usedClass(entry.id)?.update(entry, schema) }
  }

  /// The bulk path of insertion into a class; it belongs to this transaction.
  package func rowWriter(_ id: ClassID) throws -> RowWriter {
    try paths.writer(id) { RowWriter(self, try classWriter(id)) }
  }

  /// Returns the comparer of rows of a class with values; it belongs to this transaction.
  package func rowComparer(_ id: ClassID) throws -> RowComparer {
    try paths.comparer(id) { RowComparer(self, try classWriter(id)) }
  }

  // MARK: - Clusters

  /// The cluster, loaded.
  @inline(__always)
  func cluster(_ owner: ClassWriter, _ number: Int) throws -> DirtyCluster {
    if let current = owner.current, current.number == number { return current }
    return try loadCluster(owner, number)
  }

  private func loadCluster(_ owner: ClassWriter, _ number: Int) throws -> DirtyCluster {
    if let left = owner.current { cache.count(left.grownBytes()) }
    if let known = owner.clusters[number] {
      owner.current = known
      return known
    }
    if cache.isOverLimit { try flush() }
    return try clusterReading.load(owner, number)
  }

  /// The column of a cluster, decoded.
  @inline(__always)
  func column(_ owner: ClassWriter, _ column: ColumnID, _ cluster: DirtyCluster) throws -> DirtyColumn {
    let number = Int(column.rawValue)
    if number < cluster.columns.count, let known = cluster.columns[number] { return known }
    return try clusterReading.load(owner, column, cluster)
  }

  /// A leaf as LMDB has it for this transaction, without what is decoded. Valid until the next write to LMDB.
  func storedLeaf(_ owner: ClassWriter, _ column: ColumnID, cluster: Int) throws -> LeafView? {
    try clusterReading.storedLeaf(owner, column, cluster: cluster)
  }
}
