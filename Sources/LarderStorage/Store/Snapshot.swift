import LarderLMDB
import LarderLocks

/// One committed version of a store: immutable, shared, readable from any thread at once.
///
/// It holds one reader slot and pins its version's pages until the last reference goes.
package final class Snapshot: StoreReader, Sendable {
  package let store: Store
  package let transaction: ReadTransaction
  package let schema: StoreSchema
  let schemaRecord: SchemaRecord
  let state: CatalogState
  /// The place of the snapshot among the versions, and the writes that changed nothing, of which observers are notified.
  package let moment: Moment
  package let clusterSize: Int
  /// More elements than all collections together can have: 480 of them take 66 bytes at least.
  let mostElements: Int
  private let directories: ClassDirectories
  /// By class, once asked for.
  private let tails = Lock<[ClassID: TailRecord?]>([:])
  /// Leaves of last clusters with the rows of their tails.
  private let completedLeaves = Lock<[OwnedLeaf]>([])
  /// By class, for those of which most clusters are empty.
  private let sparseClusters = Lock<[ClassID: LiveClusters]>([:])

  /// - Parameter unchangedWrites: How many writes there were that changed nothing; to be asked for before the transaction begins.
  init(
    store: Store, transaction: ReadTransaction, schema: StoreSchema, record: SchemaRecord, state: CatalogState,
    unchangedWrites: UInt64
  ) {
    self.store = store
    moment = Moment(version: state.version, unchangedWrites: unchangedWrites)
    self.transaction = transaction
    self.schema = schema
    self.schemaRecord = record
    self.state = state
    self.clusterSize = store.clusterSize
    mostElements = store.environment.usedBytes * 8
    directories = ClassDirectories(
      schema.columnCounts, state, clusterSize: store.clusterSize, mostObjects: mostElements)
    store.hold(self)
  }

  /// The same version after writes that changed nothing.
  convenience init(_ other: Snapshot, unchangedWrites: UInt64) {
    self.init(
      store: other.store, transaction: other.transaction, schema: other.schema, record: other.schemaRecord,
      state: other.state, unchangedWrites: unchangedWrites)
  }

  deinit { store.forget(self) }

  /// The same version with classes that the store does not have, each without objects: for readers that may not make them.
  package func with(_ declarations: [ClassDeclaration]) throws -> Snapshot {
    guard declarations.contains(where: { schema[$0.name] == nil }) else { return self }
    let missing = declarations.filter { schema[$0.name] == nil }
    // What is stored stays as it is.
    let present = schema.classes.map { ClassDeclaration($0, in: schema) }
    let plan = try SchemaPlan(
      schemaRecord, present + missing, schemaVersion: schema.schemaVersion, version: state.version)
    let wider = StoreSchema(classes: plan.final.classes, schemaVersion: schema.schemaVersion)
    return Snapshot(
      store: store, transaction: transaction, schema: wider, record: schemaRecord, state: state,
      unchangedWrites: moment.unchangedWrites)
  }

  /// Returns true if the store has the class; false for one that `with` added.
  package func stores(_ classID: ClassID) -> Bool { schemaRecord.classes.contains { $0.id == classID } }

  package var version: UInt64 { state.version }

  /// The key the class's next object would get.
  package func nextObjectKey(of classID: ClassID) -> ObjectKey { ObjectKey(rawValue: state[classID].nextKey) }

  package func clusterCount(of classID: ClassID) throws -> Int {
    state.clusterCount(of: classID, clusterSize: clusterSize)
  }

  package func liveClusters(of classID: ClassID) throws -> LiveClusters {
    guard state.isSparse(classID, clusterSize: clusterSize, most: mostElements) else {
      return LiveClusters(all: try clusterCount(of: classID))
    }
    if let known = sparseClusters.withLock({ $0[classID] }) { return known }
    let found = try storageErrors(store.path) { LiveClusters(try storedClusters(of: classID)) }
    sparseClusters.withLock { $0[classID] = found }
    return found
  }

  /// The clusters that have anything stored, found by a seek for each of them.
  private func storedClusters(of classID: ClassID) throws -> [Int] {
    let bound = try clusterCount(of: classID)
    var result: [Int] = []
    let cursor = try transaction.cursor(store.tables.clusters)
    var next = 0
    while next < bound {
      let entry = try cursor.seek(KeyBytes(StoreLayout.leafKey(classID, .presence, cluster: next)))
      guard let word: UInt64 = entry?.key.loadBigEndian(0), word >> 48 == UInt64(classID.rawValue) else { break }
      let number = Int(UInt32(truncatingIfNeeded: word >> 16))
      guard number < bound else { break }
      result.append(number)
      next = number + 1
    }
    if result.last != bound - 1, try tail(of: classID, cluster: bound - 1) != nil { result.append(bound - 1) }
    return result
  }

  package func presence(_ classID: ClassID, cluster: Int) throws -> LeafView? {
    try leaf(classID, .presence, cluster: cluster)
  }

  package func leaf(_ classID: ClassID, _ column: ColumnID, cluster: Int) throws -> LeafView? {
    let bytes = try leafBytes(classID, column, cluster: cluster)
    return try bytes.map { try LeafView($0) }
  }

  func leafBytes(_ classID: ClassID, _ column: ColumnID, cluster: Int) throws -> ByteView? {
    guard let directory = directories.leaves(classID), directory.has(column) else {
      throw StorageError(.unknownProperty, "This version of the store has no column \(column.rawValue) there.")
    }
    return try directory.bytes(column, cluster: cluster) {
      let word = StoreLayout.leafKey(classID, column, cluster: cluster)
      let found: ByteView?
      do {
        found = try storageErrors(store.path) { try transaction.get(store.tables.clusters, KeyBytes(word)) }
      } catch let error as StorageError where error.code == .corrupted && store.isEncrypted {
        throw StorageError.damagedLeaf(classID, column, cluster: cluster, in: self.schema, path: store.path)
      }
      if let found, !store.verifiedLeaves.isIntact(leaf: found, key: word) {
        throw StorageError.damagedLeaf(classID, column, cluster: cluster, in: self.schema, path: store.path)
      }
      if let found, !fits(found, classID, column) {
        throw StorageError.damagedLeaf(
          classID, column, cluster: cluster, in: self.schema, path: store.path, "it does not fit its property")
      }
      let whole = try found.map { try expanded($0, classID, column, cluster: cluster, key: word) }
      guard let tail = try tail(of: classID, cluster: cluster) else { return whole }
      return try completed(whole, tail, classID, column, key: word)
    }
  }

  /// Returns true if a leaf is of its column's type and has no more slots than a cluster: its readers believe both.
  private func fits(_ leaf: ByteView, _ classID: ClassID, _ column: ColumnID) -> Bool {
    // What a sparse leaf holds is looked at when it is expanded.
    if SparseLeaf.isSparse(leaf) {
      return Int(leaf.load(12, as: UInt16.self)) <= clusterSize
        && schema.type(of: column, in: classID)?.rawValue == leaf.load(11, as: UInt8.self)
    }
    guard let view = try? LeafView(leaf), view.count <= clusterSize else { return false }
    guard column != .presence else { return view.type == nil }
    return schema.type(of: column, in: classID).map { $0 == view.type } ?? true
  }

  /// A leaf as readers see it; made where it is stored sparse, and kept as long as the version.
  private func expanded(
    _ stored: ByteView, _ classID: ClassID, _ column: ColumnID, cluster: Int, key: UInt64
  ) throws -> ByteView {
    guard SparseLeaf.isSparse(stored) else { return stored }
    do {
      let made = try store.expandedLeaves.leaf(stored, key: key, version: version)
      completedLeaves.withLock { $0.append(made) }
      return made.view
    } catch {
      throw StorageError.damagedLeaf(
        classID, column, cluster: cluster, in: schema, path: store.path, "\(error.message)")
    }
  }

  /// The newest rows of a class, if they are stored apart and belong to the cluster.
  func tail(of classID: ClassID, cluster: Int) throws -> TailRecord? {
    guard store.hasTails, cluster + 1 == (try clusterCount(of: classID)) else { return nil }
    if let known = tails.withLock({ $0[classID] }) { return known?.cluster == cluster ? known : nil }
    let key = StoreLayout.tailKey(classID)
    let bytes = try storageErrors(store.path) { try transaction.get(store.tables.catalog, KeyBytes(key)) }
    let found = try bytes.map { try TailRecord($0, key: key) }
    tails.withLock { $0[classID] = .some(found) }
    return found?.cluster == cluster ? found : nil
  }

  /// For what is saved of a damaged store: the newest rows of a class are these, whatever is stored.
  func setTail(_ tail: TailRecord?, of classID: ClassID) { tails.withLock { $0[classID] = .some(tail) } }

  /// For what is saved of a damaged store: these objects are in a cluster, whatever is stored.
  func setPresence(_ bits: Bitmap, _ classID: ClassID, cluster: Int) {
    let word = StoreLayout.leafKey(classID, .presence, cluster: cluster)
    let made = OwnedLeaf(EncodedLeaf.presence(bits, key: word))
    completedLeaves.withLock { $0.append(made) }
    directories.leaves(classID)?.set(.presence, cluster: cluster, made.view)
  }

  /// A leaf of the last cluster as readers see it; made once for a version, and kept as long as that.
  private func completed(
    _ stored: ByteView?, _ tail: TailRecord, _ classID: ClassID, _ column: ColumnID, key: UInt64
  ) throws -> ByteView? {
    let leaf = try stored.map { try LeafView($0) }
    let bytes: [UInt8]?
    if column == .presence {
      bytes = EncodedLeaf.presence(tail.presence(leaf, capacity: clusterSize), key: key)
    } else {
      guard let descriptor = schema[classID]?.column(column),
        let present = try presence(classID, cluster: tail.cluster)?.bitmap(capacity: clusterSize)
      else { return stored }
      bytes = try tail.completed(leaf, descriptor, key: key, present: present)
    }
    guard let bytes else { return stored }
    let made = OwnedLeaf(bytes)
    completedLeaves.withLock { $0.append(made) }
    return made.view
  }

  package func largeValue(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> [UInt8] {
    let bytes = try storageErrors(store.path) {
      try LargeValues.read(store.tables.large, classID, column, key) { try transaction.get($0, $1) }
    }
    let (cluster, slot) = locate(key)
    if let leaf = try leaf(classID, column, cluster: cluster), slot < leaf.count, let stub = leaf.largeStub(slot),
      stub.length != bytes.count || !LargeValues.isIntact(bytes, hash: stub.hash)
    {
      throw LargeValues.damage(key, schema[classID], column)
    }
    return bytes
  }

  /// Returns the value of a table under a key; an error of LMDB is one of the store.
  private func bytes(_ table: Table, _ key: KeyBytes) throws -> ByteView? {
    try storageErrors(store.path) { try transaction.get(table, key) }
  }

  package func list(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any ListReading {
    try store.listView(classID, column, key, schema: schema, limit: mostElements) { try self.bytes($0, $1) }
  }

  package func set(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any SetReading {
    try requireKind(.set, classID, column)
    return SetView(
      try store.listView(classID, column, key, schema: schema, limit: mostElements) { try self.bytes($0, $1) }
    )
  }

  package func map(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any MapReading {
    try requireKind(.map, classID, column)
    return try MapView(
      keys: store.mapKeysView(classID, column, key, limit: mostElements) { try self.bytes($0, $1) },
      values: store.listView(classID, column, key, schema: schema, limit: mostElements) {
        try self.bytes($0, $1)
      })
  }

  package func index(_ classID: ClassID, _ column: ColumnID) throws -> (any IndexReading)? {
    try indexView(classID, column)
  }

  func indexView(_ classID: ClassID, _ column: ColumnID) throws -> IndexView? {
    guard let descriptor = schema[classID]?.column(column), descriptor.hasIndex,
      let codec = IndexValue.codec(for: descriptor.type)
    else { return nil }
    return store.indexView(
      classID, descriptor, reader: self, list: blockList(classID, column, codec, work: IndexDirectory.seek)
    ) { try self.transaction.cursor($0) }
  }

  /// The blocks of an index that is used often.
  private func blockList(_ classID: ClassID, _ column: ColumnID, _ codec: PairCodec, work: Int) -> BlockList? {
    directories.index(classID, column)?.list(
      work: work,
      before: CachePolicy.blocksBeforeList(objects: Int(state[classID].nextKey), areSealed: store.isEncrypted)
    ) {
      try BlockList(pairReader(classID, column, codec, nil))
    }
  }

  /// The list of an index's blocks, if there is one and it can be searched by values: an encrypted store's index has hashes.
  private func plainList(_ classID: ClassID, _ column: ColumnID) -> BlockList? {
    store.trees.hash == nil ? directories.index(classID, column)?.list : nil
  }

  private func pairReader(
    _ classID: ClassID, _ column: ColumnID, _ codec: PairCodec, _ list: BlockList?
  ) -> PairReader {
    let tree = store.trees.tree(.index(classID, column), codec: codec)
    return PairReader(tree, verified: store.verifiedBlocks, list: list, mostCopies: PairBlockFormat.mostPairs) {
      [transaction, store] in
      try transaction.cursor(store.tables.indexes)
    }
  }

  package func indexedKey(
    _ classID: ClassID, _ column: ColumnID, equalTo value: StoredValue
  ) throws -> IndexedKey {
    guard let type = schema.indexedType(classID, column) else { return .noIndex }
    switch (value, type) {
    case (.int(let number), .int):
      let list = blockList(classID, column, .integer, work: IndexDirectory.seek)
      return IndexedKey(try pairReader(classID, column, .integer, list).firstKey(equalTo: IndexValue.word(number)))
    case (.string(let text), .string) where text.utf8.count <= PairLimits.valueBytes:
      if let list = directories.index(classID, column)?.list { return IndexedKey(try list.firstKey(equalTo: text)) }
      let list = blockList(classID, column, .bytes, work: IndexDirectory.seek)
      return IndexedKey(try pairReader(classID, column, .bytes, list).firstKey(equalTo: text))
    default: return IndexedKey(try index(classID, column)?.firstKey(equalTo: value))
    }
  }

  package func indexedCount(_ classID: ClassID, _ column: ColumnID, equalTo value: StoredValue) throws -> Int? {
    guard let type = schema.indexedType(classID, column) else { return nil }
    guard case .int(let number) = value, type == .int else {
      return try index(classID, column)?.count(equalTo: value)
    }
    if let list = plainList(classID, column) { return try list.count(equalTo: IndexValue.word(number)) }
    let list = blockList(classID, column, .integer, work: IndexDirectory.seek)
    let count = try pairReader(classID, column, .integer, list).count(equalTo: IndexValue.word(number))
    if list == nil { directories.index(classID, column)?.note(work: count / 480) }
    return count
  }

  package func index(_ classID: ClassID, composite id: UInt16) throws -> CompositeIndexView? {
    guard let entry = schema[classID], let index = entry.indexes.first(where: { $0.id == id }) else { return nil }
    return store.compositeView(classID, CompositeIndex(index, entry), reader: self) { try self.transaction.cursor($0) }
  }

  package func textIndex(_ classID: ClassID, _ column: ColumnID) throws -> TextIndexView? {
    guard let descriptor = schema[classID]?.column(column), descriptor.isFullText else { return nil }
    return store.textIndexView(classID, column) { try self.transaction.cursor($0) }
  }

  package func object(_ classID: ClassID, primaryKey: StoredValue) throws -> ObjectKey? {
    if case .int(let number) = primaryKey, let column = schema.primaryKey(of: classID), column.type == .int {
      return try object(classID, column.id, primaryKey: number)
    }
    let entry = try descriptor(classID)
    guard let column = entry.primaryKey else {
      throw StorageError(.unknownProperty, "Class '\(entry.name)' has no primary key.", className: entry.name)
    }
    try column.check(primaryKey, in: entry)
    return try indexView(classID, column.id)?.firstKey(equalTo: primaryKey)
  }

  /// The object with that integer primary key, without boxing it.
  package func object(_ classID: ClassID, _ column: ColumnID, primaryKey number: Int64) throws -> ObjectKey? {
    let word = IndexValue.word(number)
    if let list = directories.index(classID, column)?.list { return try list.onlyKey(equalTo: word) }
    let list = blockList(classID, column, .integer, work: IndexDirectory.seek)
    return try pairReader(classID, column, .integer, list).firstKey(equalTo: word)
  }

  package func backlinks(to target: ObjectLink, from origin: ClassID, _ column: ColumnID) throws -> [ObjectKey] {
    try store.backlinks(to: target, from: origin, column, mostLinks: mostElements) { try self.transaction.cursor($0) }
  }

  package func backlinks(to target: ClassID, from origin: ClassID, _ column: ColumnID) throws -> BacklinkView? {
    store.backlinkView(
      to: target, from: origin, column, mostLinks: mostElements, cursor: try transaction.cursor(store.tables.backlinks))
  }
}

extension StorageError {
  static func damagedLeaf(
    _ classID: ClassID, _ column: ColumnID, cluster: Int, in schema: StoreSchema, path: String,
    _ reason: String = "its checksum does not fit"
  ) -> StorageError {
    let entry = schema[classID]
    let property = column == .presence ? "(presence)" : entry?.column(column)?.name ?? "column \(column.rawValue)"
    return StorageError(
      .corrupted,
      "The leaf of \(entry?.name ?? "class \(classID.rawValue)").\(property), cluster \(cluster), of '\(path)' is "
        + "damaged: \(reason). Run `larder check`.", path: path, className: entry?.name,
      property: property)
  }
}
