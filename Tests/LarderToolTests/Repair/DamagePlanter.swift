import LarderLMDB
import Testing

@testable import LarderStorage

/// Writes wrong things into a store, below everything that would refuse them, each with the checksum that it should have.
final class DamagePlanter {
  let store: Store
  let transaction: WriteTransaction
  let schema: StoreSchema
  var tables: StoreTables { store.tables }

  /// Opens a store; `commit` keeps what is written.
  init(_ path: String) throws {
    var options = StoreOptions()
    options.durability = .none
    options.mapSize = 1 << 32
    store = try Store.open(path: path, options: options)
    schema = try store.snapshot().schema
    transaction = try store.environment.beginWrite()
  }

  func entry(_ name: String) throws -> ClassDescriptor { try #require(schema[name]) }

  /// "Class.property", or "Class" for the bits that say which objects there are.
  func place(_ name: String) throws -> (entry: ClassDescriptor, column: ColumnDescriptor) {
    let parts = name.split(separator: ".").map(String.init)
    let entry = try entry(parts[0])
    return (entry, try #require(entry.column(named: parts[1])))
  }

  private func bytes(_ table: Table, _ key: KeyBytes) throws -> [UInt8] {
    Array(try #require(try transaction.get(table, key)).buffer)
  }

  // MARK: - Leaves

  private func leafWord(_ name: String, _ cluster: Int) throws -> UInt64 {
    guard name.contains(".") else { return StoreLayout.leafKey(try entry(name).id, .presence, cluster: cluster) }
    let (entry, column) = try place(name)
    return StoreLayout.leafKey(entry.id, column.id, cluster: cluster)
  }

  /// Changes the bytes of a leaf, and its checksum with them unless told otherwise.
  func leaf(_ name: String, _ cluster: Int, seals: Bool = true, _ edit: (inout [UInt8]) -> Void) throws {
    let word = try leafWord(name, cluster)
    var leaf = try bytes(tables.clusters, KeyBytes(word))
    edit(&leaf)
    if seals { Self.seal(&leaf, word) }
    try transaction.put(tables.clusters, KeyBytes(word), leaf)
  }

  /// Changes the values of a leaf.
  func values(
    _ name: String, _ cluster: Int, isOptional: Bool? = nil, _ edit: (ColumnBuffer) throws -> Void
  ) throws {
    let word = try leafWord(name, cluster)
    let (_, column) = try place(name)
    let view = try LeafView(try #require(try transaction.get(tables.clusters, KeyBytes(word))))
    let buffer = ColumnBuffer(
      decoding: view, capacity: SoundStore.clusterSize, isOptional: isOptional ?? column.isOptional)
    try edit(buffer)
    try transaction.put(tables.clusters, KeyBytes(word), buffer.encode(key: word).bytes)
  }

  func presence(_ name: String, _ cluster: Int, _ edit: (inout Bitmap) -> Void) throws {
    let word = try leafWord(name, cluster)
    let view = try LeafView(try #require(try transaction.get(tables.clusters, KeyBytes(word))))
    var bits = view.bitmap(capacity: SoundStore.clusterSize)
    edit(&bits)
    try transaction.put(tables.clusters, KeyBytes(word), EncodedLeaf.presence(bits, key: word))
  }

  func removeLeaf(_ name: String, _ cluster: Int) throws {
    #expect(try transaction.delete(tables.clusters, KeyBytes(try leafWord(name, cluster))))
  }

  func copyLeaf(_ name: String, _ cluster: Int, to target: UInt64) throws {
    var leaf = try bytes(tables.clusters, KeyBytes(try leafWord(name, cluster)))
    Self.seal(&leaf, target)
    try transaction.put(tables.clusters, KeyBytes(target), leaf)
  }

  static func seal(_ bytes: inout [UInt8], _ seed: UInt64) {
    let sum = bytes[8...].withUnsafeBytes { Checksum64.hash($0, seed: seed) }
    withUnsafeBytes(of: sum.littleEndian) { bytes.replaceSubrange(0..<8, with: $0) }
  }

  // MARK: - Pairs

  /// Adds and removes entries of an index or of backlinks.
  func pairs(_ id: PairTreeID, _ codec: PairCodec, _ edit: (inout PairChanges) -> Void) throws {
    var changes = PairChanges(codec: codec)
    edit(&changes)
    try store.tree(id, codec: codec).apply(&changes, in: transaction)
  }

  func index(_ name: String, _ edit: (inout PairChanges) -> Void) throws {
    let (entry, column) = try place(name)
    try pairs(.index(entry.id, column.id), try #require(IndexValue.codec(for: column.type)), edit)
  }

  /// The backlinks from a property.
  func backlinks(_ name: String, _ edit: (inout PairChanges) -> Void) throws {
    let (entry, column) = try place(name)
    try pairs(.backlinks(try #require(column.target), entry.id, column.id), .integer, edit)
  }

  /// Changes the first block of a tree.
  func block(_ id: PairTreeID, _ codec: PairCodec, seals: Bool = true, _ edit: (inout [UInt8]) -> Void) throws {
    let tree = store.tree(id, codec: codec)
    let word = tree.word(.values)
    let found = try #require(try transaction.cursor(tree.table).seek(KeyBytes(word)))
    let key = KeyBytes(bytes: found.key.buffer)
    var block = Array(found.value.buffer)
    edit(&block)
    if seals { Self.seal(&block, word) }
    try transaction.put(tree.table, key, block)
  }

  // MARK: - Collections

  func tree(_ name: String, _ key: UInt64, keys: Bool = false) throws -> ListTree {
    let (entry, column) = try place(name)
    let key = ObjectKey(rawValue: key)
    return keys
      ? ListTree.keys(table: tables.collections, entry.id, column.id, key)
      : ListTree(table: tables.collections, entry.id, column, key)
  }

  func chunk(
    _ name: String, _ key: UInt64, _ number: UInt32 = 0, keys: Bool = false, seals: Bool = true,
    _ edit: (inout [UInt8]) -> Void
  ) throws {
    let tree = try tree(name, key, keys: keys)
    var chunk = try bytes(tree.table, tree.key(number))
    edit(&chunk)
    if seals { Self.seal(&chunk, tree.seed(number)) }
    try transaction.put(tree.table, tree.key(number), chunk)
  }

  /// Changes the elements of a chunk that is a leaf.
  func elements(
    _ name: String, _ key: UInt64, _ number: UInt32 = 0, keys: Bool = false, _ edit: (ColumnBuffer) -> Void
  ) throws {
    let tree = try tree(name, key, keys: keys)
    let view = try LeafView(try #require(try transaction.get(tree.table, tree.key(number))))
    let buffer = ColumnBuffer(decoding: view, capacity: 512, isOptional: tree.isOptional)
    edit(buffer)
    try transaction.put(tree.table, tree.key(number), buffer.encode(key: tree.seed(number)).bytes)
  }

  func removeChunk(_ name: String, _ key: UInt64, _ number: UInt32, part: Int? = nil) throws {
    let tree = try tree(name, key, keys: false)
    #expect(try transaction.delete(tree.table, part.map { tree.partKey(number, $0) } ?? tree.key(number)))
  }

  func addPart(_ name: String, _ key: UInt64, _ part: Int) throws {
    let tree = try tree(name, key, keys: false)
    try transaction.put(tree.table, tree.partKey(0, part), [UInt8](repeating: 7, count: 64))
  }

  func copyChunk(_ name: String, _ key: UInt64, _ number: UInt32, to other: UInt32, of target: UInt64) throws {
    let (source, tree) = (try tree(name, key, keys: false), try tree(name, target, keys: false))
    var chunk = try bytes(source.table, source.key(number))
    Self.seal(&chunk, tree.seed(other))
    try transaction.put(tree.table, tree.key(other), chunk)
  }

  // MARK: - Large values

  func largeKey(_ name: String, _ key: UInt64, _ part: Int) throws -> KeyBytes {
    let (entry, column) = try place(name)
    return KeyBytes(StoreLayout.columnWord(entry.id, column.id), key, UInt64(part))
  }

  func large(_ name: String, _ key: UInt64, _ part: Int, _ edit: (inout [UInt8]) -> Void) throws {
    let word = try largeKey(name, key, part)
    var value = try bytes(tables.large, word)
    edit(&value)
    try transaction.put(tables.large, word, value)
  }

  /// Puts an entry under another key.
  func move(_ table: Table, _ key: KeyBytes, to other: KeyBytes) throws {
    try transaction.put(table, other, try bytes(table, key))
    try transaction.delete(table, key)
  }

  // MARK: - Catalog

  func state(_ edit: (inout CatalogState) throws -> Void) throws {
    var state = try CatalogState(try #require(try transaction.get(tables.catalog, StoreLayout.stateKey)))
    try edit(&state)
    try transaction.put(tables.catalog, StoreLayout.stateKey, state.encode())
  }

  func schema(_ edit: (inout SchemaRecord) throws -> Void) throws {
    let stored = try #require(try transaction.get(tables.catalog, StoreLayout.schemaKey))
    var record = try SchemaRecord(CatalogSeal.open(stored, StoreLayout.schemaWord))
    try edit(&record)
    let sealed = CatalogSeal.seal(record.encode(), StoreLayout.schemaWord)
    try transaction.put(tables.catalog, StoreLayout.schemaKey, sealed)
  }

  func catalog(_ key: KeyBytes, _ edit: (inout [UInt8]) -> Void) throws {
    var record = try bytes(tables.catalog, key)
    edit(&record)
    try transaction.put(tables.catalog, key, record)
  }

  // MARK: - Tails

  /// Writes the tail of a class again.
  func tail(
    _ name: String, cluster: Int? = nil, slots: Range<Int>? = nil,
    _ edit: (inout [(id: ColumnID, bytes: [UInt8])]) -> Void = { _ in }
  ) throws {
    let key = StoreLayout.tailKey(try entry(name).id)
    let tail = try TailRecord(try #require(try transaction.get(tables.catalog, KeyBytes(key))), key: key)
    var leaves = tail.columns.map { (id: $0.id, bytes: Array($0.leaf.bytes.buffer)) }
    edit(&leaves)
    let record = TailRecord.encode(
      cluster: cluster ?? tail.cluster, slots: slots ?? tail.slots, leaves: leaves, key: key)
    try transaction.put(tables.catalog, KeyBytes(key), record)
  }

  // MARK: - Log

  func logRecord(_ version: UInt64, as other: UInt64? = nil, _ edit: (inout CommitRecord) -> Void) throws {
    let stored = try #require(try transaction.get(tables.log, KeyBytes(version)))
    var record = try CommitRecord(decoding: stored, version: version)
    edit(&record)
    try transaction.put(tables.log, KeyBytes(other ?? version), record.encoded(version: other ?? version))
  }

  func commit() throws { try transaction.commit() }
}
