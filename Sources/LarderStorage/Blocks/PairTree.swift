import LarderCrypto
import LarderLMDB

/// Sorted (value, object key) pairs in packed blocks, under one prefix of an LMDB table: an index, or the backlinks of
/// one link column.
///
/// A description only: it holds no state, and may be used by any thread. Reads go through `PairReader`, writes through
/// `apply`. The key of a block is its first pair (`docs/file-format.md`), so a lookup is one seek.
package struct PairTree: Hashable, Sendable {
  package let table: Table
  /// The word that begins every key of the tree; its low byte is zero, and takes the partition.
  package let prefix: UInt64
  /// The packing of pairs: as what they are, or as the bytes of hashes.
  package let codec: PairCodec
  package let limits: PairLimits
  /// Hashes values before they are stored, in an encrypted store: then the tree finds equal values, and its order says nothing.
  package let hash: KeyedHash?
  /// The form in which callers give the values.
  let valueCodec: PairCodec

  package init(
    table: Table, prefix: UInt64, codec: PairCodec, limits: PairLimits = PairLimits(), hash: KeyedHash? = nil
  ) {
    precondition(prefix & 0xFF == 0, "the low byte of a pair tree's prefix belongs to the partition")
    precondition(limits.bytes <= 0xFFFF && limits.pairs <= 0xFFFF, "block offsets have sixteen bits")
    self.table = table
    self.prefix = prefix
    self.codec = hash == nil ? codec : .bytes
    self.limits = limits
    self.hash = hash
    valueCodec = codec
  }

  /// True if pairs are in the order of their values.
  package var isOrdered: Bool { hash == nil }

  /// The index tree of a column, in the table `indexes`; nil when its type has no order to index by.
  package static func index(
    table: Table, _ classID: ClassID, _ column: ColumnID, type: ColumnType, limits: PairLimits = PairLimits()
  ) -> PairTree? {
    guard let codec = IndexValue.codec(for: type) else { return nil }
    return PairTree(table: table, prefix: StoreLayout.columnWord(classID, column), codec: codec, limits: limits)
  }

  /// The tree of backlinks to objects of `target` through one link column, in the table `backlinks`: value = key of the
  /// target object, key = object that holds the link, once for each link.
  package static func backlinks(
    table: Table, target: ClassID, origin: ClassID, _ column: ColumnID, limits: PairLimits = PairLimits()
  ) -> PairTree {
    let prefix = UInt64(target.rawValue) << 48 | UInt64(origin.rawValue) << 32 | UInt64(column.rawValue) << 16
    return PairTree(table: table, prefix: prefix, codec: .integer, limits: limits)
  }

  /// The two parts of a tree; nulls sort first. Raw values are part of the file format.
  enum Partition: UInt64, CaseIterable {
    case nulls = 0
    case values = 1
  }

  func word(_ partition: Partition) -> UInt64 { prefix | partition.rawValue }

  /// Nulls have no value to pack, so their blocks are those of equal integers.
  func codec(_ partition: Partition) -> PairCodec { partition == .nulls ? .integer : codec }

  @inline(__always)
  func contains(_ key: ByteView, _ partition: Partition) -> Bool {
    key.count >= 8 && key.loadBigEndian(0, as: UInt64.self) == word(partition)
  }

  /// The key of the block whose first pair has this value (a word, or bytes in a tree of strings) and object key.
  func blockKey(_ partition: Partition, word: UInt64, bytes: UnsafeRawBufferPointer, key: UInt64) -> KeyBytes {
    guard codec(partition) == .bytes else { return KeyBytes(self.word(partition), word, key) }
    var result = seekKey(partition, word: word, bytes: bytes)
    result.append(UInt16(0))
    result.pad()
    result.append(key)
    return result
  }

  /// A key not above the keys of blocks that begin with this value, and above those that begin with a lower one.
  func seekKey(_ partition: Partition, word: UInt64, bytes: UnsafeRawBufferPointer) -> KeyBytes {
    var result = KeyBytes(self.word(partition))
    guard codec(partition) == .bytes else { return KeyBytes(self.word(partition), word) }
    for byte in bytes {
      result.append(byte: byte)
      // Zero bytes are escaped, so that the end of a string (two zeros) sorts before every longer one.
      if byte == 0 { result.append(byte: 0xFF) }
    }
    return result
  }

  /// A block's bytes are not those that were written.
  var damage: StorageError {
    StorageError(
      .corrupted, "A block of table \(table.name) does not match its checksum. Run `larder check` on the store.")
  }

  /// Adds and removes pairs. Consumes the changes, but keeps their storage for the next ones.
  ///
  /// - Throws: `.corrupted` when a block is damaged or a pair to remove is missing; errors of LMDB.
  /// - Complexity: O(n log n) to sort unsorted changes, plus reading and writing each touched block once.
  package func apply(_ changes: inout PairChanges, in transaction: WriteTransaction) throws {
    precondition(changes.codec == valueCodec, "changes for a pair tree of another codec")
    changes.normalize()
    guard let hash else {
      try write(changes, in: transaction)
      return changes.removeAll()
    }
    var hashed = try changes.hashed(by: hash, in: prefix)
    changes.removeAll()
    hashed.normalize()
    try write(hashed, in: transaction)
  }

  private func write(_ changes: PairChanges, in transaction: WriteTransaction) throws {
    var writer = try PairTreeWriter(tree: self, transaction: transaction, arena: changes.arena)
    try writer.apply(changes.nulls, .nulls)
    try writer.apply(changes.values, .values)
  }

  /// A value as the tree stores it: cut when it is too long, and hashed in an encrypted store.
  func stored(_ value: IndexValue) throws -> IndexValue {
    guard let hashed = try hashed(value) else { return value.cut }
    return .bytes(hashed.withBytes { Array($0) })
  }

  /// The hash of a value in an encrypted store; nil for null, and in a plain store.
  func hashed(_ value: IndexValue) throws -> HashedValue? {
    guard let hash else { return nil }
    switch value.cut {
    case .null: return nil
    case .integer(let word): return try hash.value(of: word, in: prefix)
    case .bytes(let bytes): return try bytes.withUnsafeBytes { try hash.value(of: $0, in: prefix) }
    }
  }

  /// Removes every pair. O(blocks).
  package func removeAll(in transaction: WriteTransaction) throws {
    let cursor = try transaction.cursor(table)
    var entry = try cursor.seek(KeyBytes(prefix))
    while let found = entry, found.key.count >= 8, found.key.loadBigEndian(0, as: UInt64.self) & ~0xFF == prefix {
      try cursor.delete()
      entry = try cursor.current()
      if entry == nil { entry = try cursor.seek(KeyBytes(prefix)) }
    }
  }
}
