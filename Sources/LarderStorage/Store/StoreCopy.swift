import Foundation
import LarderLMDB

/// A copy of a store in the making: it appears under its name when it is complete and on the disk.
struct StoreCopy {
  private let path: String

  /// Bytes that are copied in one transaction of the copy.
  private static let portion = 32 << 20

  init(to path: String) { self.path = path }

  /// Lets `body` fill a new file under a temporary name, and gives it its name. Nothing is left behind when that fails.
  func make(_ body: (_ temporary: String) throws -> Void) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StorageError(.fileExists, "'\(path)' already exists.", path: path)
    }
    let file = try UnfinishedFile(for: path)
    try body(file.path)
    try file.publish(as: path)
  }

  /// Copies every table of a store at one version, entry by entry, so that the copy has no free space and no value that was deleted or
  /// overwritten (`CopyRewriter`).
  ///
  /// Where the copy has another key than the store, indexes and names of log consumers are made again: both are hashed with keys of
  /// the file.
  /// - Parameters:
  ///   - reader: The same version as `source`.
  ///   - catalog: Records of the catalog that are other than in the source.
  ///   - left: Tables that are not copied.
  func make(
    from source: some LogSource, _ reader: any StoreReader, of store: Store, key: CopyKey,
    catalog: [(key: KeyBytes, value: [UInt8])] = [], leaving left: Set<Table> = []
  ) throws {
    let unknown = try store.environment.tableNames().filter { !StoreLayout.allTables.contains($0) }
    guard unknown.isEmpty else {
      throw StorageError(
        .unknownFeature,
        "'\(store.path)' has tables that this version of Larder does not know (\(unknown)): it cannot be "
          + "copied. Use a newer version.", path: store.path)
    }
    try make { temporary in
      var options = StoreLayout.environmentOptions
      options.durability = .none
      let target = try Environment.open(path: temporary, options: options)
      let tables = StoreTables(target)
      let cipher = try cipher(key, of: store, catalog: tables.catalog)
      if let cipher { target.seal(with: cipher) }
      let isAnew = key.differs(from: store.options)
      let anew: Set<Table> = isAnew ? [store.tables.indexes, store.tables.cursors] : []
      // Features may have come since the store was opened.
      var identity =
        try source.get(store.tables.catalog, StoreLayout.identityKey).map { try CatalogIdentity($0, path: store.path) }
        ?? store.identity
      for (from, to) in try pairs(store, tables, target, reader) where !left.contains(from) && !anew.contains(from) {
        try copy(from, CopyRewriter(identity), from: source, to: target, to)
      }
      if isAnew {
        try IndexCopy(reader: reader, trees: PairTrees(tables, cipher: cipher)).write(to: target)
        if !left.contains(store.tables.cursors) {
          let consumers = try store.log.consumers(in: source)
          let log = ChangeLog(target, names: cipher?.hash)
          try target.write { transaction in for consumer in consumers { try log.register(consumer, in: transaction) } }
        }
      }
      identity.incompatible &= ~FeatureBits.sealed
      if cipher != nil { identity.incompatible |= FeatureBits.sealed }
      try target.write { transaction in
        try identity.copied.put(tables.catalog, cipher, in: transaction)
        for record in catalog { try transaction.put(tables.catalog, record.key, record.value) }
      }
    }
  }

  /// Each table of the store with that of the copy; those of synchronisation too where the version has them.
  private func pairs(
    _ store: Store, _ tables: StoreTables, _ target: Environment, _ reader: any StoreReader
  ) throws -> [(Table, Table)] {
    let common = Array(zip(store.tables.all, tables.all))
    guard reader.schema.hasSync, let from = StoreTables.Sync(store.environment),
      let to = StoreTables.Sync(try target.write { try $0.makeOptionalTables() })
    else { return common }
    return common + zip(from.all, to.all)
  }

  private func cipher(_ key: CopyKey, of store: Store, catalog: Table) throws -> StoreCipher? {
    guard key.differs(from: store.options) else { return store.cipher?.moved(to: catalog, path: path) }
    guard case .key(let key?) = key else { return nil }
    return try StoreCipher(key, salt: try EncryptionRecord.freshSalt(), catalog: catalog, path: path)
  }

  private func copy(
    _ table: Table, _ rewriter: CopyRewriter, from source: some LogSource, to target: Environment, _ copied: Table
  ) throws {
    let cursor = try source.walkingCursor(table)
    var entry = try cursor.first()
    while entry != nil {
      let transaction = try target.beginWrite()
      var bytes = 0
      while let found = entry, bytes < Self.portion {
        // What a file is, and how it is sealed, is written at the end.
        if table.name != StoreLayout.catalog || !Self.isOfTheFile(found.key) {
          let key = KeyBytes(bytes: found.key.buffer)
          if let changed = rewriter.rewritten(table.name, found.key, found.value) {
            try transaction.put(copied, key, changed, append: true)
          } else {
            try transaction.put(copied, key, found.value.buffer, append: true)
          }
        }
        bytes += found.key.count + found.value.count
        entry = try cursor.next()
      }
      try transaction.commit()
    }
  }

  private static func isOfTheFile(_ key: ByteView) -> Bool {
    let word = key.count == 8 ? key.loadBigEndian(0, as: UInt64.self) : 0
    return word == StoreLayout.identityWord || word == EncryptionRecord.word
  }
}

extension Snapshot {
  /// Writes a copy of this version to a new file, without free space, while others read and write. The user alone may read it.
  ///
  /// It keeps versions, schema version, log and consumers, and gets another incarnation (L-2). With another key than the store has,
  /// indexes are rebuilt, which takes longer.
  /// - Throws: `.fileExists`, `.notFound` for a missing folder, `.outOfDiskSpace`. Then nothing is left behind.
  package func copy(to path: String, key: CopyKey = .unchanged) throws {
    try storageErrors(path) { try StoreCopy(to: path).make(from: transaction, self, of: store, key: key) }
  }
}
