/// The state of one class in a write transaction.
final class ClassWriter {
  @exclusivity(unchecked) var descriptor: ClassDescriptor
  /// By column number.
  @exclusivity(unchecked) private(set) var columns: [ColumnDescriptor?] = []
  @exclusivity(unchecked) var nextKey: UInt64
  @exclusivity(unchecked) var count: UInt64
  /// Objects from this key on were made in this transaction.
  private(set) var firstNewKey: UInt64
  @exclusivity(unchecked) var clusters: [Int: DirtyCluster] = [:]
  /// The cluster used last: most changes stay in one for a while.
  @exclusivity(unchecked) var current: DirtyCluster?
  /// Clusters whose leaves this transaction has written to LMDB, so that the base snapshot no longer has them.
  @exclusivity(unchecked) var written: Set<Int> = []
  @exclusivity(unchecked) var isDirty = false
  /// Whether links were set since everything was written out, so that the stored backlinks lack some.
  @exclusivity(unchecked) var hasNewLinks = false
  @exclusivity(unchecked) var primaryKeys: PrimaryKeyChanges
  /// Columns other than the primary key that keep an index, and to-one links and mixed values (which keep backlinks).
  private(set) var tracked: [ColumnDescriptor] = []
  /// Indexes over several columns.
  private(set) var indexes: [CompositeIndex] = []
  /// By number of a unique index: objects by their values, as far as they were checked and not yet written.
  var uniqueHolders: [UInt16: [[UInt8]: ObjectKey]] = [:]
  /// By number of a unique index: objects that were written, to be checked at the commit.
  var uncheckedKeys: [UInt16: [ObjectKey]] = [:]
  /// Numbers of indexes that have become unique: all objects are checked at the commit.
  var uncheckedIndexes: Set<UInt16> = []
  private(set) var keyColumn: ColumnDescriptor?
  /// The column of a required integer primary key: looked at for each row, so without a descriptor to copy.
  @exclusivity(unchecked) private(set) var integerKey: ColumnID?
  private(set) var byteColumns: [ColumnDescriptor] = []
  /// Lists, sets and maps.
  private(set) var collectionColumns: [ColumnDescriptor] = []
  /// Columns elsewhere that may link to objects of this class.
  var incoming: [(origin: ClassID, column: ColumnDescriptor)] = []
  /// To-one links, lists and maps to embedded classes.
  var owning: [ColumnDescriptor] = []

  init(descriptor: ClassDescriptor, counters: CatalogState.ClassCounters, schema: StoreSchema) {
    self.descriptor = descriptor
    nextKey = counters.nextKey
    count = counters.count
    firstNewKey = counters.nextKey
    primaryKeys = PrimaryKeyChanges(of: descriptor)
    update(descriptor, schema)
  }

  /// Forgets what is known of primary keys: their index was rebuilt.
  func resetPrimaryKeys() { primaryKeys = PrimaryKeyChanges(of: descriptor) }

  /// Takes over a changed descriptor; everything must be written out.
  func update(_ descriptor: ClassDescriptor, _ schema: StoreSchema) {
    self.descriptor = descriptor
    let size = Int(descriptor.columns.map(\.id.rawValue).max() ?? 0) + 1
    columns = [ColumnDescriptor?](repeating: nil, count: size)
    for column in descriptor.columns { columns[Int(column.id.rawValue)] = column }
    // What is decoded has the columns as they were.
    clusters = [:]
    current = nil
    if keyColumn?.id != descriptor.primaryKey?.id { resetPrimaryKeys() }
    keyColumn = descriptor.primaryKey
    integerKey = keyColumn.flatMap { $0.type == .int && !$0.isOptional ? $0.id : nil }
    let single = descriptor.columns.filter { $0.collection == .none }
    tracked = single.filter {
      ($0.hasIndex && !$0.isPrimaryKey) || $0.isFullText || $0.type == .link || $0.type == .mixed
    }
    indexes = descriptor.indexes.map { CompositeIndex($0, descriptor) }
    byteColumns = single.filter { $0.type.holdsBytes }
    collectionColumns = descriptor.columns.filter { $0.collection != .none }
    incoming = schema.incoming(to: descriptor).map { ($0.origin.id, $0.column) }
    owning = descriptor.columns.filter { column in column.target.flatMap { schema[$0] }?.isEmbedded ?? false }
  }

  /// What was committed becomes what the next transaction starts from.
  func becomeBase() {
    firstNewKey = nextKey
    if !written.isEmpty { written = [] }
    forgetUnique()
    keepClusters { [current] in $0 === current }
    current?.becomeBase()
  }

  /// What was assigned is what was there before.
  func becomeUnchanged() {
    for cluster in clusters.values {
      for case let column? in cluster.columns { column.isDirty = false }
      cluster.wasWritten()
    }
    isDirty = false
    hasNewLinks = false
  }

  /// Lets go of the clusters that are not to be kept. Mostly all are: then nothing is made again.
  func keepClusters(where isKept: (DirtyCluster) -> Bool) {
    if !clusters.values.allSatisfy(isKept) { clusters = clusters.filter { isKept($0.value) } }
  }

  /// Everything unique was checked.
  func forgetUnique() {
    if !uniqueHolders.isEmpty { uniqueHolders = [:] }
    if !uncheckedKeys.isEmpty { uncheckedKeys = [:] }
    if !uncheckedIndexes.isEmpty { uncheckedIndexes = [] }
  }

  /// Whether an object was made in this transaction.
  @inline(__always)
  func isNew(_ key: ObjectKey) -> Bool { key.rawValue >= firstNewKey }
}
