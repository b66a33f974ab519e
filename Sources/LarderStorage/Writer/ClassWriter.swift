/// The state of one class in a write transaction.
final class ClassWriter {
  @exclusivity(unchecked) var descriptor: ClassDescriptor
  /// Its columns by what is done with them.
  @exclusivity(unchecked) private(set) var shape: ClassShape
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
  /// True if links were set since everything was written out, so that the stored backlinks lack some.
  @exclusivity(unchecked) var hasNewLinks = false
  @exclusivity(unchecked) var primaryKeys: PrimaryKeyChanges
  /// True if links may lead to objects of the class that are not here; false for classes that are not synced.
  @exclusivity(unchecked) var hasGhosts = false
  @exclusivity(unchecked) var ghosts = GhostChanges()
  /// The values that are unique together and still to be checked.
  @exclusivity(unchecked) var unique = UniqueChanges()

  init(descriptor: ClassDescriptor, counters: CatalogState.ClassCounters, schema: StoreSchema) {
    self.descriptor = descriptor
    nextKey = counters.nextKey
    count = counters.count
    firstNewKey = counters.nextKey
    primaryKeys = PrimaryKeyChanges(of: descriptor)
    shape = ClassShape(descriptor, schema)
  }

  /// Everything was written out: the stored backlinks lack no link.
  func forgetNewLinks() {
    hasNewLinks = false
    unique.forgetHolders()
  }

  /// Forgets what is known of primary keys: their index was rebuilt.
  func resetPrimaryKeys() { primaryKeys = PrimaryKeyChanges(of: descriptor) }

  /// Takes over a changed descriptor; everything must be written out.
  func update(_ descriptor: ClassDescriptor, _ schema: StoreSchema) {
    let previous = shape.keyColumn
    self.descriptor = descriptor
    shape = ClassShape(descriptor, schema)
    // What is decoded has the columns as they were.
    clusters = [:]
    current = nil
    if previous?.id != descriptor.primaryKey?.id { resetPrimaryKeys() }
  }

  /// Makes what was committed the start of the next transaction.
  func becomeBase() {
    firstNewKey = nextKey
    if !written.isEmpty { written = [] }
    unique.forget()
    if hasGhosts { ghosts = GhostChanges() }
    keepClusters { [current] in $0 === current }
    current?.becomeBase()
  }

  /// Notes that what was assigned is what was there before.
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

  /// Returns true if an object was made in this transaction.
  @inline(__always)
  func isNew(_ key: ObjectKey) -> Bool { key.rawValue >= firstNewKey }
}
