import LarderCrypto
import LarderLMDB

/// The file of a store written again under another key, or under none.
///
/// Values are opened and sealed one after the other. What is hashed with keys of the file, indexes and the names of log consumers, is
/// left out at first, and made from the values and the consumers when these are there.
private final class KeyChange {
  private let path: String
  /// The cipher that seals the values; nil in a plain store.
  private let cipher: StoreCipher?
  private let key: EncryptionKey?
  private let newCipher: StoreCipher?
  private let rewriter: CopyRewriter
  private var identity: CatalogIdentity?
  private var consumers: [LogConsumer] = []

  /// - Parameter store: The store as it is; it is open for this only.
  init(_ store: Store, key: EncryptionKey?) throws {
    path = store.path
    cipher = store.cipher
    self.key = key
    rewriter = CopyRewriter(store.identity)
    newCipher = try key.map {
      try StoreCipher($0, salt: try EncryptionRecord.freshSalt(), catalog: store.tables.catalog, path: store.path)
    }
  }

  /// Returns the change of an entry.
  func change(of table: Table, _ entryKey: ByteView, _ value: ByteView) throws -> CompactCopy.Change {
    guard StoreLayout.allTables.contains(table.name) else {
      throw StorageError(
        .unknownFeature,
        "'\(path)' has a table that this version of Larder does not know (\(table.name)): it cannot get another key. "
          + "Use a newer version.", path: path)
    }
    if table.name == StoreLayout.catalog,
      let word = entryKey.count == 8 ? entryKey.loadBigEndian(0, as: UInt64.self) : nil
    {
      if word == EncryptionRecord.word { return .left }
      if word == StoreLayout.identityWord {
        identity = try CatalogIdentity(value, path: path)
        return .left
      }
    }
    if table.name == StoreLayout.indexes { return .left }
    guard let opened = cipher.map({ $0.opened(value, table, entryKey) }) ?? value.bytes else { throw damage(table) }
    if table.name == StoreLayout.cursors {
      consumers.append(try opened.withView { try LogConsumer(decoding: $0) })
      return .left
    }
    // Of deleted values nothing is to be found under the new key either. The log stays as it is: its consumers go on.
    let kept = table.name == StoreLayout.log ? nil : opened.withView { rewriter.rewritten(table.name, entryKey, $0) }
    let clear = kept ?? opened
    return .changed(try newCipher.map { try $0.sealed(clear, table, entryKey) } ?? clear)
  }

  /// Adds to the new file what the store is, how it is sealed, its indexes and its consumers.
  func complete(_ temporary: String) throws {
    try identify(temporary)
    var options = StoreOptions()
    options.durability = .none
    options.encryptionKey = key
    let store = try Store.open(path: temporary, options: options)
    try IndexCopy(reader: try store.snapshot(), trees: store.trees).write(to: store.environment)
    let (log, found) = (store.log, consumers)
    try store.environment.write { transaction in for consumer in found { try log.register(consumer, in: transaction) } }
  }

  private func identify(_ temporary: String) throws {
    guard var identity else {
      throw StorageError(.corrupted, "The catalog of '\(path)' has no identity record.", path: path)
    }
    identity.incompatible &= ~FeatureBits.sealed
    if newCipher != nil { identity.incompatible |= FeatureBits.sealed }
    var options = StoreLayout.environmentOptions
    options.durability = .none
    let target = try Environment.open(path: temporary, options: options)
    let catalog = StoreTables(target).catalog
    let record = identity
    let sealing = newCipher?.moved(to: catalog, path: path)
    try target.write { try record.put(catalog, sealing, in: $0) }
  }

  private func damage(_ table: Table) -> StorageError {
    StorageError(
      .corrupted,
      "'\(path)' is damaged: a value of its table \(table.name) is not what was encrypted there, and cannot get another key. "
        + "Run `larder repair`, or restore it from a copy.", path: path)
  }
}

extension Store {
  /// Encrypts the store at a path, decrypts it, or gives it another key, in its place: the same store, with the keys of its objects, its
  /// identity, its versions, its log and its consumers. Values that were deleted or overwritten are left out.
  ///
  /// A power cut or a kill leaves the old file or the new one. Needs as much free space on the disk as the store has data. The blocks
  /// that the old file had on the disk, and older copies of it, are not wiped.
  /// - Parameters:
  ///   - key: What the store is encrypted with; nil when it is plain.
  ///   - newKey: What it is to be encrypted with; nil makes it plain. The same key again begins with a fresh salt.
  /// - Throws: `.alreadyOpen` when it is open, in this process or another; `.wrongKey`; `.corrupted` when a value or page is
  ///   damaged; what opening, reading and writing throw. Then it is as it was.
  package static func rekey(_ path: String, from key: EncryptionKey?, to newKey: EncryptionKey?) throws {
    let change = try Self.keyChange(path, key, newKey)
    try storageErrors(path) {
      try Environment.withExclusiveUse(of: path) { use in
        try use.compact(rewriting: change.change, completing: change.complete)
      }
    }
  }

  /// Opens the store once, so that a wrong key and damaged pages are reported before anything is written, and closes it again.
  private static func keyChange(_ path: String, _ key: EncryptionKey?, _ newKey: EncryptionKey?) throws -> KeyChange {
    var options = StoreOptions()
    options.readOnly = true
    options.walksPages = true
    options.encryptionKey = key
    let store = try Store.open(path: path, options: options)
    _ = try store.snapshot()
    return try KeyChange(store, key: newKey)
  }
}
