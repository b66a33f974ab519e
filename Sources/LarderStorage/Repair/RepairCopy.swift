import LarderCrypto
import LarderLMDB

/// The file that sound entries are copied into.
final class RepairCopy {
  let environment: Environment
  private(set) var saved: [String: Int] = [:]
  private var waiting: [(table: Table, key: KeyBytes, value: [UInt8])] = []
  private var bytes = 0

  /// Bytes that are written in one transaction.
  private static let portion = 16 << 20

  init(_ environment: Environment) { self.environment = environment }

  /// Takes an entry, unless there is one under its key. One that no store has is left out: its size is damaged.
  func take(_ table: String, _ key: ByteView, _ value: ByteView) throws {
    guard StoreLayout.allTables.contains(table), value.count <= SizeLimits.value else { return }
    waiting.append((try self.table(table), KeyBytes(bytes: key.buffer), value.bytes))
    bytes += key.count + value.count
    if bytes > Self.portion { try flush() }
  }

  /// A table of the copy; those of synchronisation are made when something is found for one of them.
  private func table(_ name: String) throws -> Table {
    guard StoreLayout.syncTables.contains(name) else { return environment.table(name) }
    if let known = environment.optionalTable(name) { return known }
    let made = try environment.write { try $0.makeOptionalTables() }
    return made.first { $0.name == name } ?? environment.table(StoreLayout.log)
  }

  /// Removes an entry that was taken.
  func remove(_ table: String, _ key: KeyBytes) throws {
    _ = try environment.write { try $0.delete(environment.table(table), key) }
  }

  func flush() throws {
    guard !waiting.isEmpty else { return }
    let counts = try environment.write { transaction in
      var counts: [String: Int] = [:]
      for entry in waiting where try entry.value.withUnsafeBytes({ try transaction.insert(entry.table, entry.key, $0) })
      {
        counts[entry.table.name, default: 0] += 1
      }
      return counts
    }
    saved.merge(counts) { $0 + $1 }
    waiting = []
    bytes = 0
  }

  /// The newest version of which there is a record in the log.
  func newestLogged() throws -> UInt64? {
    guard let last = try environment.beginRead().cursor(environment.table(StoreLayout.log)).last(), last.key.count == 8
    else { return nil }
    return last.key.loadBigEndian(0)
  }

  /// A record of the catalog, sealed or not.
  func record(_ key: KeyBytes) throws -> [UInt8]? {
    try environment.beginRead().get(environment.table(StoreLayout.catalog), key)?.bytes
  }

  /// Reads what the catalog says of classes and their objects; nil without a schema that can be read.
  func readCatalog(
    _ cipher: StoreCipher?, path: String
  ) throws -> (schema: SchemaRecord, state: CatalogState, clusterSize: Int)? {
    func opened(_ key: KeyBytes) throws -> [UInt8]? {
      guard let bytes = try record(key), let cipher else { return try record(key) }
      let table = environment.table(StoreLayout.catalog)
      return key.withBytes { key in
        bytes.withView { cipher.opened($0, table, ByteView(base: key.baseAddress!, count: key.count)) }
      }
    }
    guard let identity = try record(StoreLayout.identityKey)?.withView({ try? CatalogIdentity($0, path: path) }),
      let schema = try opened(StoreLayout.schemaKey)?.withView({
        try? SchemaRecord(CatalogSeal.open($0, StoreLayout.schemaWord))
      })
    else { return nil }
    let state = try opened(StoreLayout.stateKey)?.withView { head in
      try? CatalogState(head) { try opened(KeyBytes($0)) }
    }
    return (schema, state ?? CatalogState(), Int(identity.clusterSize))
  }

  /// Returns the cipher that seals the values; nil in a plain store, and when the key is not right.
  func cipher(_ key: EncryptionKey?, path: String) throws -> StoreCipher? {
    guard let key, let record = try record(EncryptionRecord.key),
      let seal = try? record.withView({ try EncryptionRecord($0, path: path) })
    else { return nil }
    return try StoreCipher(key, salt: seal.salt, catalog: environment.table(StoreLayout.catalog), path: path)
  }
}
