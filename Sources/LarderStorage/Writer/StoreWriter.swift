import LarderLMDB

/// The write transaction of a store: the one funnel through which everything changes.
///
/// It reads the version it started from (`base`) with its own changes laid over it. Changed columns are kept decoded,
/// cluster by cluster, and written once: at commit, before an index is asked, or when they take too much memory.
/// It belongs to the thread that began it, and is used by one thread at a time.
package final class StoreWriter: StoreReader {
  package let store: Store
  /// The version the transaction started from.
  package let base: Snapshot
  let transaction: WriteTransaction
  package private(set) var schema: StoreSchema
  var schemaRecord: SchemaRecord
  var isSchemaDirty = false
  /// Whether the page of the catalog was taken in this transaction, with the schema that it has now.
  var hasPlacedCatalog = false
  /// Set while a migration changes objects.
  var migrating: MigrationState?
  package let clusterSize: Int
  /// By class number: those that the transaction, or the one that left it something, has used.
  @exclusivity(unchecked) private(set) var classes: [ClassWriter?] = []
  let recorder: ChangeRecorder
  /// Index and backlink pairs that wait for the next flush, by tree.
  var pairChanges: [PairTreeID: PendingPairs] = [:]
  /// Trees this transaction has written, so that the base snapshot no longer has them.
  var writtenTrees: Set<PairTreeID> = []
  @exclusivity(unchecked) var lists: [ListID: OpenList] = [:]
  /// Those of them that changed since they were written.
  @exclusivity(unchecked) var changedLists: [OpenList] = []
  /// Those that changed since bytes were counted.
  @exclusivity(unchecked) var uncountedLists: [OpenList] = []
  /// Estimated bytes that open lists hold.
  @exclusivity(unchecked) var listBytes = 0
  /// Elements of the lists that the transaction has written, those that were written twice counted twice.
  var writtenElements = 0
  /// What was learnt of lists that were closed.
  var linkSearches: [ListID: LinkSearch] = [:]
  /// Whether lists were written out and closed: a list of a new object may then be stored already.
  var hasClosedLists = false
  /// Highest key of table `clusters`, so that keys above it can be appended.
  @exclusivity(unchecked) var lastLeafWord: UInt64?
  @exclusivity(unchecked) private(set) var hasEnded = false
  /// Changes whenever decoded columns may have been written out, encoded or let go of.
  @exclusivity(unchecked) var rowStamp: UInt64 = 0
  /// Changes whenever views of what the transaction holds may have become invalid without a change of any value.
  package var writtenStamp: UInt64 { rowStamp }
  private var rows: [ClassID: RowWriter] = [:]
  private var lastRows: RowWriter?
  private var comparers: [ClassID: RowComparer] = [:]
  /// The number of the last list or dictionary of a mixed value that this transaction, or a cancelled one before it, made.
  var collectionIDs: UInt64
  /// Estimated bytes of decoded columns.
  @exclusivity(unchecked) var decodedBytes = 0
  /// Decoded columns are written out when they take more than this.
  package var decodedLimit = 96 << 20
  /// Open lists are written out when their elements take more than this.
  package var listLimit = 64 << 20
  /// The words of texts that a flush gathers for one index are written when they take more than this.
  package var pairLimit = 64 << 20

  init(store: Store, base: Snapshot, transaction: WriteTransaction) throws {
    self.store = store
    self.base = base
    self.transaction = transaction
    self.schema = base.schema
    self.schemaRecord = base.schemaRecord
    self.clusterSize = base.clusterSize
    collectionIDs = store.spentCollectionIDs(of: base.version + 1)
    recorder = ChangeRecorder(needsPrimaryKeys: try store.log.hasConsumers(in: transaction))
    if let kept = store.takeCachedWriter(version: base.version) as? WriterCache {
      classes = kept.classes
      lastLeafWord = kept.lastLeafWord
    } else {
      lastLeafWord = try transaction.cursor(store.tables.clusters).last()?.key.loadBigEndian(0)
    }
  }

  deinit { cancel() }

  /// Whether assignments of the values that were there are kept as changes (N-14). False where no one in this process would be told of
  /// them. A transaction of nothing else makes no version, unless other processes read the store.
  package var keepsEqualAssignments = true

  /// The moment that the commit made, of which observers are told; nil before it, and where there was nothing to be told.
  package var moment: Moment?

  /// Whether the commit changed few objects; false before it.
  package var isSmall: Bool = false

  /// The version this transaction's commit will have.
  package var version: UInt64 { base.version + 1 }

  /// Drops every change; harmless when the transaction has ended.
  package func cancel() {
    guard !hasEnded else { return }
    hasEnded = true
    store.spendCollectionIDs(collectionIDs, of: version)
    store.spendKeys(givenKeys)
    spentClasses = Set(givenKeys.keys)
    transaction.abort()
    forget()
  }

  /// Classes that the transaction gave keys of, once it was cancelled: none of these keys is given again by this process.
  package private(set) var spentClasses: Set<ClassID> = []

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
    store.keep(WriterCache(version: base.version, classes: classes, lastLeafWord: lastLeafWord))
    forget()
    return base.version
  }

  /// The transaction was committed: leaves what the next one can use.
  func end() {
    hasEnded = true
    // After a change of the schema the columns may mean something else.
    if !isSchemaDirty {
      store.keep(WriterCache(version: version, classes: classes, lastLeafWord: lastLeafWord))
    }
    forget()
  }

  private func forget() {
    rowStamp += 1
    classes = []
    lists = [:]
    changedLists = []
    uncountedLists = []
    linkSearches = [:]
    pairChanges = [:]
  }

  // MARK: - Classes

  /// The state of a class that the transaction has not used yet; nil when there is none.
  ///
  /// Made when it is first asked for: a store may have a thousand classes, and most transactions use a few.
  @inline(never)
  private func makeWriter(_ id: ClassID) -> ClassWriter? {
    guard !hasEnded, let entry = schema[id] else { return nil }
    let number = Int(id.rawValue)
    while classes.count <= number { classes.append(nil) }
    var counters = base.state[id]
    counters.nextKey = max(counters.nextKey, store.spentKeys[id] ?? 0)
    let made = ClassWriter(descriptor: entry, counters: counters, schema: schema)
    classes[number] = made
    return made
  }

  /// Takes over a changed schema record.
  func adoptSchema(_ record: SchemaRecord) {
    schemaRecord = record
    isSchemaDirty = true
    hasPlacedCatalog = false
    rowStamp += 1
    rows = [:]
    lastRows = nil
    schema = StoreSchema(classes: record.classes, schemaVersion: record.schemaVersion)
    for entry in schema.classes { writer(entry.id)?.update(entry, schema) }
  }

  @inline(__always)
  private func writer(_ id: ClassID) -> ClassWriter? {
    Int(id.rawValue) < classes.count ? classes[Int(id.rawValue)] : nil
  }

  /// The class's state; throws when the class is unknown or the transaction has ended.
  @inline(__always)
  func classWriter(_ id: ClassID) throws -> ClassWriter {
    guard let found = writer(id) ?? makeWriter(id) else { throw unavailable(id) }
    return found
  }

  private func unavailable(_ id: ClassID) -> StorageError {
    hasEnded
      ? StorageError(.transactionEnded, "The write transaction has ended; begin another one.")
      : StorageError(.unknownClass, "The store has no class number \(id.rawValue).")
  }

  /// The bulk path of insertion into a class; it belongs to this transaction.
  package func rowWriter(_ id: ClassID) throws -> RowWriter {
    if let lastRows, lastRows.classID == id { return lastRows }
    let found = try rows[id] ?? RowWriter(self, classWriter(id))
    // Most transactions have one class only: no table is made for it.
    if let lastRows { rows[lastRows.classID] = lastRows }
    lastRows = found
    return found
  }

  /// What compares rows of a class with values; it belongs to this transaction.
  package func rowComparer(_ id: ClassID) throws -> RowComparer {
    if let known = comparers[id] { return known }
    let made = RowComparer(self, try classWriter(id))
    comparers[id] = made
    return made
  }

  // MARK: - Clusters

  /// The cluster, loaded.
  @inline(__always)
  func cluster(_ owner: ClassWriter, _ number: Int) throws -> DirtyCluster {
    if let current = owner.current, current.number == number { return current }
    return try loadCluster(owner, number)
  }

  private func loadCluster(_ owner: ClassWriter, _ number: Int) throws -> DirtyCluster {
    if let left = owner.current { decodedBytes += left.grownBytes() }
    if let known = owner.clusters[number] {
      owner.current = known
      return known
    }
    if decodedBytes > decodedLimit { try flush() }
    var presence = Bitmap(count: clusterSize)
    if let view = try storedLeaf(owner, .presence, cluster: number) {
      presence = view.bitmap(capacity: clusterSize)
    }
    let loaded = DirtyCluster(number: number, presence: presence, columnCount: owner.columns.count)
    loaded.tail = try storedTail(owner, cluster: number).map { ($0.slots.lowerBound, $0.columns.map(\.id)) }
    owner.clusters[number] = loaded
    owner.current = loaded
    return loaded
  }

  /// A leaf as LMDB has it for this transaction, without what is decoded. Valid until the next write to LMDB.
  func storedLeaf(_ owner: ClassWriter, _ column: ColumnID, cluster: Int) throws -> LeafView? {
    let id = owner.descriptor.id
    if owner.written.contains(cluster) {
      let word = StoreLayout.leafKey(id, column, cluster: cluster)
      return try transaction.get(store.tables.clusters, KeyBytes(word)).map { try LeafView($0) }
    }
    guard let stored = base.schema[id], column == .presence || stored.column(column) != nil else { return nil }
    guard cluster < (try base.clusterCount(of: id)) else { return nil }
    return try base.leaf(id, column, cluster: cluster)
  }

  /// The column of a cluster, decoded.
  @inline(__always)
  func column(_ owner: ClassWriter, _ column: ColumnID, _ cluster: DirtyCluster) throws -> DirtyColumn {
    let number = Int(column.rawValue)
    if number < cluster.columns.count, let known = cluster.columns[number] { return known }
    return try loadColumn(owner, column, cluster)
  }

  private func loadColumn(_ owner: ClassWriter, _ column: ColumnID, _ cluster: DirtyCluster) throws -> DirtyColumn {
    let number = Int(column.rawValue)
    guard number < owner.columns.count, let descriptor = owner.columns[number], descriptor.collection == .none else {
      throw StorageError(
        .unknownProperty, "Class '\(owner.descriptor.name)' has no single-valued column number \(number).",
        className: owner.descriptor.name)
    }
    while cluster.columns.count <= number { cluster.columns.append(nil) }
    let buffer: ColumnBuffer
    let stored = try storedLeaf(owner, column, cluster: cluster.number)
    if let stored {
      try stored.checkMixed()
      buffer = ColumnBuffer(
        decoding: stored, capacity: clusterSize, isOptional: descriptor.isOptional)
    } else {
      buffer = ColumnBuffer(
        type: descriptor.type, capacity: clusterSize, isOptional: descriptor.isOptional)
    }
    let loaded = DirtyColumn(descriptor: descriptor, buffer: buffer, isStoredLarge: stored?.hasLarge ?? false)
    cluster.columns[number] = loaded
    decodedBytes += loaded.bytes
    return loaded
  }
}
