import Foundation
import LarderCrypto
import LarderLMDB

/// Works on the file of a store that no program has open.
extension Store {
  /// Returns true if this process has the store at a path open.
  package static func isOpen(_ path: String) -> Bool { StoreRegistry.shared.openStore(path) != nil }

  /// The store at a path that this process has open; nil when it has none.
  package static func opened(_ path: String) -> Store? { StoreRegistry.shared.openStore(path) }

  /// Returns the options with which this process has the store at a path open; nil when it has not.
  package static func openOptions(_ path: String) -> StoreOptions? { StoreRegistry.shared.openStore(path)?.options }

  /// Removes the file of a store; the lock file beside it stays. False when there is none.
  ///
  /// - Throws: `.alreadyOpen` when it is open, in this process or another; then nothing is removed.
  @discardableResult
  package static func remove(_ path: String) throws -> Bool {
    do {
      try storageErrors(path) { try Environment.withExclusiveUse(of: path) { try $0.removeData() } }
      return true
    } catch let error as StorageError where error.code == .notFound {
      return false
    }
  }

  /// Gives the file of a store another path of the same file system, where there is none.
  ///
  /// - Throws: `.notFound`, `.fileExists`, `.alreadyOpen` when it is open, in this process or another; then it is where it was.
  package static func move(_ path: String, to target: String) throws {
    guard !FileManager.default.fileExists(atPath: target) else {
      throw StorageError(.fileExists, "'\(target)' already exists.", path: target)
    }
    try storageErrors(path) { try Environment.withExclusiveUse(of: path) { try $0.moveData(to: target) } }
  }

  /// Writes the file of a store again without free space, in its place: the same store, with its log and its versions, without any
  /// value that was deleted or overwritten (`CopyRewriter`).
  ///
  /// A power cut or a kill leaves the old file or the new one. Needs as much free space on the disk as the store has data.
  /// - Parameter key: What the store is encrypted with. Without it an encrypted store gets no smaller than its free space, and its
  ///   leaves keep what they hold.
  /// - Throws: `.alreadyOpen` when it is open, in this process or another; what opening, reading and writing throw. Then it is as it
  ///   was.
  package static func compact(_ path: String, key: EncryptionKey? = nil) throws {
    let cipher = try key.flatMap { try Self.cipher(of: path, $0) }
    let rewriter = CopyRewriter(try? identity(of: path, key))
    try storageErrors(path) {
      try Environment.withExclusiveUse(of: path) { use in
        try use.compact { table, key, value in
          guard CopyRewriter.tables.contains(table.name) else { return .kept }
          guard let cipher else { return rewriter.rewritten(table.name, key, value).map { .changed($0) } ?? .kept }
          // What does not open is damage, which stays where it is.
          guard let opened = cipher.opened(value, table, key) else { return .kept }
          let changed = opened.withView { rewriter.rewritten(table.name, key, $0) }
          return try changed.map { .changed(try cipher.sealed($0, table, key)) } ?? .kept
        }
      }
    }
  }

  /// Returns the cipher that seals the values of a store; the store is closed again.
  private static func cipher(of path: String, _ key: EncryptionKey) throws -> StoreCipher? {
    try openForReading(path, key).cipher
  }

  /// Returns the identity that a store states; the store is closed again.
  private static func identity(of path: String, _ key: EncryptionKey?) throws -> CatalogIdentity {
    try openForReading(path, key).identity
  }

  private static func openForReading(_ path: String, _ key: EncryptionKey?) throws -> Store {
    var options = StoreOptions()
    options.readOnly = true
    options.encryptionKey = key
    return try Store.open(path: path, options: options)
  }

  /// Copies a store to a path where there is none: `copy(to:)`, or the file itself when it was never open beside it.
  ///
  /// The copy speaks with a voice of its own: it gets another incarnation (L-2). An encrypted store has an encrypted copy.
  /// - Parameter key: What the store is encrypted with.
  /// - Throws: `.notFound`, `.fileExists`, what opening throws.
  package static func copy(from source: String, to path: String, key: EncryptionKey? = nil) throws {
    let source = canonicalPath(source)
    guard !FileManager.default.fileExists(atPath: source + "-lock") else {
      var reading = StoreOptions()
      reading.readOnly = true
      // The same settings as what has it open here.
      var options = openOptions(source) ?? reading
      options.encryptionKey = key
      let store = try Store.open(path: source, options: options)
      return try store.snapshot().copy(to: path)
    }
    // Without a lock file no program has it open, and the folder need not be one that may be written.
    try storageErrors(path) {
      let copy = StoreCopy(to: path)
      try copy.make { temporary in
        try copyFile(source, temporary)
        var options = StoreOptions()
        options.durability = .none
        options.encryptionKey = key
        let store = try Store.open(path: temporary, options: options)
        try store.environment.write { transaction in
          try store.put(store.identity.copied, in: transaction)
        }
      }
    }
  }

  private static let copyPortion = 4 << 20

  /// Writes what is in a file to another, which is empty.
  private static func copyFile(_ source: String, _ target: String) throws {
    do {
      let (input, output) = (
        try FileHandle(forReadingFrom: URL(fileURLWithPath: source)),
        try FileHandle(forWritingTo: URL(fileURLWithPath: target))
      )
      while let part = try input.read(upToCount: copyPortion), !part.isEmpty { try output.write(contentsOf: part) }
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
      throw StorageError(.notFound, "There is no store at '\(source)', or no folder for '\(target)'.", path: source)
    } catch let error as CocoaError {
      let code: StorageError.Code =
        switch error.code {
        case .fileWriteOutOfSpace: .outOfDiskSpace
        case .fileReadNoPermission, .fileWriteNoPermission: .permissionDenied
        default: .fileAccess
        }
      throw StorageError(code, "Cannot copy '\(source)' to '\(target)': \(error.localizedDescription)", path: source)
    }
  }

  /// Bytes of the file, and those of them that hold data of the newest version.
  package func space() throws -> (total: Int, used: Int) {
    try storageErrors(path) {
      let transaction = try environment.beginRead()
      let pageSize = try transaction.statistics(tables.catalog).pageSize
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let total = (attributes?[.size] as? NSNumber)?.intValue ?? 0
      return (total, max(0, total - (try transaction.freePages()) * pageSize))
    }
  }
}

extension CatalogIdentity {
  /// The identity of a second file of the store.
  var copied: CatalogIdentity {
    var result = self
    repeat { result.incarnation = UInt64.random(in: 1...UInt64.max) } while result.incarnation == incarnation
    return result
  }
}
