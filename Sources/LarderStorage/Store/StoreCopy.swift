import Foundation
import LarderLMDB

/// A copy of a store in the making: it appears under its name when it is complete and on the disk.
struct StoreCopy {
  private let path: String
  private let temporary: String

  /// Bytes that are copied in one transaction of the copy.
  private static let portion = 32 << 20

  init(to path: String) {
    self.path = path
    temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier).\(UInt32.random(in: 0...UInt32.max)).copying"
  }

  /// Lets `body` make the file under a temporary name, and gives it its name. Nothing is left behind when that fails.
  func make(_ body: (_ temporary: String) throws -> Void) throws {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StorageError(.fileExists, "'\(path)' already exists.", path: path)
    }
    defer {
      for file in [temporary, temporary + "-lock"] { try? FileManager.default.removeItem(atPath: file) }
    }
    try body(temporary)
    try Environment.publish(temporary, as: path)
  }

  /// Copies every table of a store at one version, entry by entry, so that the copy has no free space.
  ///
  /// - Parameters:
  ///   - catalog: Records of the catalog that are other than in the source.
  ///   - left: Tables that are not copied.
  func make(
    from source: some LogSource, of store: Store, catalog: [(key: KeyBytes, value: [UInt8])] = [],
    leaving left: Set<Table> = []
  ) throws {
    let unknown = try store.environment.tableNames().filter { !StoreLayout.tables.contains($0) }
    guard unknown.isEmpty else {
      throw StorageError(
        .unknownFeature,
        "'\(store.path)' has tables that this version of Larder does not know (\(unknown)): it cannot be "
          + "copied. Use a newer version.", path: store.path)
    }
    try make { temporary in
      var options = EnvironmentOptions(tables: StoreLayout.tables)
      options.durability = .none
      let target = try Environment.open(path: temporary, options: options)
      for table in store.tables.all where !left.contains(table) {
        try copy(table, from: source, to: target, target.table(table.name))
      }
      // Features may have come since the store was opened.
      let identity =
        try source.get(store.tables.catalog, StoreLayout.identityKey).map { try CatalogIdentity($0, path: store.path) }
        ?? store.identity
      try target.write { transaction in
        let table = target.table(StoreLayout.catalog)
        try transaction.put(table, StoreLayout.identityKey, identity.copied.encode())
        for record in catalog { try transaction.put(table, record.key, record.value) }
      }
    }
  }

  private func copy(_ table: Table, from source: some LogSource, to target: Environment, _ copied: Table) throws {
    let cursor = try source.logCursor(table)
    var entry = try cursor.first()
    while entry != nil {
      let transaction = try target.beginWrite()
      var bytes = 0
      while let found = entry, bytes < Self.portion {
        try transaction.put(copied, KeyBytes(bytes: found.key.buffer), found.value.buffer, append: true)
        bytes += found.key.count + found.value.count
        entry = try cursor.next()
      }
      try transaction.commit()
    }
  }
}

extension Snapshot {
  /// Writes a copy of this version to a new file, without free space, while others read and write. The user alone may read it.
  ///
  /// It keeps versions, schema version, log and consumers, and gets another incarnation (L-2).
  /// - Throws: `.fileExists`, `.notFound` for a missing folder, `.outOfDiskSpace`. Then nothing is left behind.
  package func copy(to path: String) throws {
    try storageErrors(path) { try StoreCopy(to: path).make(from: transaction, of: store) }
  }
}
