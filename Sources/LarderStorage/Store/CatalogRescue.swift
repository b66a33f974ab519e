import LarderCrypto
import LarderLMDB

/// Finds the catalog of a store again when its page is damaged: every commit writes it, so that older copies lie about in the file.
struct CatalogRescue {
  let path: String
  let key: EncryptionKey?

  private struct Copy {
    let page: UInt64
    var records: [(word: UInt64, value: [UInt8])] = []
    /// Of the state that is in it.
    var version: UInt64?
    var schema: SchemaRecord?

    func value(_ word: UInt64) -> [UInt8]? { records.first { $0.word == word }?.value }
  }

  private static let tail = StoreLayout.tailKey(ClassID(rawValue: 0)) >> 32
  private static let words = [
    StoreLayout.identityWord, StoreLayout.schemaWord, StoreLayout.stateWord, EncryptionRecord.word,
  ]

  /// Puts what is missing of the catalog into the copy, from the newest page that has it.
  ///
  /// - Returns: What was done, in a sentence; nil when nothing was missing.
  /// - Throws: `.corrupted` when nothing in the file says what the store is.
  func run(_ pages: borrowing PageRescue, _ copy: RescueCopy) throws -> String? {
    let needed = [StoreLayout.identityKey, StoreLayout.schemaKey, StoreLayout.stateKey]
    guard try needed.contains(where: { try copy.record($0) == nil }) else { return nil }
    let hasState = try copy.record(StoreLayout.stateKey) != nil
    var found = try copies(pages)
    for word in [StoreLayout.identityWord, EncryptionRecord.word] {
      guard let record = found.lazy.compactMap({ isSound(word, $0.value(word)) }).first else { continue }
      try take(word, record, copy)
    }
    try copy.flush()
    let cipher = try copy.cipher(key, path: path)
    for index in found.indices { judge(&found[index], cipher, copy) }
    found.sort { ($0.version ?? 0, $0.page) > ($1.version ?? 0, $1.page) }
    if let newest = found.first(where: { $0.schema != nil }) {
      for (word, value) in newest.records where word == StoreLayout.schemaWord { try take(word, value, copy) }
    }
    if let newest = found.first(where: { $0.version != nil }), !hasState {
      // The newest objects of classes are beside the state, and of the same version.
      for (word, value) in newest.records where word == StoreLayout.stateWord || word >> 32 == Self.tail {
        try take(word, value, copy)
      }
    }
    try copy.flush()
    guard try copy.record(StoreLayout.identityKey) != nil else {
      throw StorageError(
        .corrupted,
        "Nothing can be saved of '\(path)': no page that says what it holds is left. Restore it from a copy.",
        path: path)
    }
    let version = hasState ? nil : found.first?.version
    return "The catalog is damaged; "
      + (version.map { "that of version \($0), which the file still has, was taken." }
        ?? "an older copy of it was taken.")
  }

  private func copies(_ pages: borrowing PageRescue) throws -> [Copy] {
    var found: [Copy] = []
    func isOfCatalog(_ key: ByteView) -> Bool {
      guard key.count == 8 else { return false }
      let word: UInt64 = key.loadBigEndian(0)
      return Self.words.contains(word) || word >> 32 == Self.tail
    }
    try pages.readEveryLeaf(where: isOfCatalog) { page, key, value in
      guard isOfCatalog(key) else { return }
      if found.last?.page != page { found.append(Copy(page: page)) }
      found[found.count - 1].records.append((key.loadBigEndian(0), value.bytes))
    }
    return found
  }

  /// The record, when it is as it was written.
  private func isSound(_ word: UInt64, _ record: [UInt8]?) -> [UInt8]? {
    guard let record else { return nil }
    let isRead: ()? = try? record.withView { view in
      if word == StoreLayout.identityWord {
        _ = try CatalogIdentity(view, path: path)
      } else {
        _ = try EncryptionRecord(view, path: path)
      }
    }
    return isRead == nil ? nil : record
  }

  private func judge(_ found: inout Copy, _ cipher: StoreCipher?, _ copy: RescueCopy) {
    let catalog = copy.environment.table(StoreLayout.catalog)
    func read<R>(_ word: UInt64, _ body: (ByteView) throws -> R) -> R? {
      guard let value = found.value(word) else { return nil }
      return try? value.withView { view in
        guard let cipher else { return try body(view) }
        let key = withUnsafeBytes(of: word.bigEndian) { Array($0) }
        return try key.withView { key in
          guard let opened = cipher.opened(view, catalog, key) else { throw cipher.damage(catalog) }
          return try opened.withView(body)
        }
      }
    }
    found.version = read(StoreLayout.stateWord) { try CatalogState($0).version }
    found.schema = read(StoreLayout.schemaWord) { try SchemaRecord(CatalogSeal.open($0, StoreLayout.schemaWord)) }
  }

  private func take(_ word: UInt64, _ value: [UInt8], _ copy: RescueCopy) throws {
    let key = withUnsafeBytes(of: word.bigEndian) { Array($0) }
    try key.withView { key in try value.withView { try copy.take(StoreLayout.catalog, key, $0) } }
  }
}
