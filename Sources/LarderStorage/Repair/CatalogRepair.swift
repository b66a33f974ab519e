import LarderCrypto
import LarderLMDB

/// Finds the catalog of a store again when its page is damaged: every commit writes it, so that older copies are scattered in the file.
struct CatalogRepair {
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

  /// The outcome of the repair of the catalog.
  struct Outcome {
    /// In sentences; empty when nothing was missing or damaged.
    var notes: [String] = []
    /// The version of an older catalog that was taken, and what of it.
    var older: (version: UInt64, what: String)?
  }

  private static let tail = StoreLayout.tailKey(ClassID(rawValue: 0)) >> 32
  private static let words = [
    StoreLayout.identityWord, StoreLayout.schemaWord, StoreLayout.stateWord, EncryptionRecord.word,
  ]

  /// Puts what is missing of the catalog into the copy, from the newest page that has it, and corrects what is damaged there.
  ///
  /// - Throws: `.corrupted` when nothing in the file says what the store is.
  func run(_ pages: borrowing PageRepair, _ copy: RepairCopy) throws -> Outcome {
    let hasState = try copy.record(StoreLayout.stateKey) != nil
    var corrected: [String] = []
    var damaged: [UInt64: [UInt8]] = [:]
    for (word, name) in [(StoreLayout.identityWord, "identity"), (StoreLayout.schemaWord, "schema")] {
      guard let record = try copy.record(KeyBytes(word)), try !isSound(word, record, copy) else { continue }
      try copy.remove(StoreLayout.catalog, KeyBytes(word))
      if let right = CatalogSeal.corrected(record, word) {
        try take(word, right, copy)
        corrected.append("The \(name) record of the catalog had one changed byte, which its checksum tells.")
      } else {
        damaged[word] = record
      }
    }
    try copy.flush()
    let needed = [StoreLayout.identityKey, StoreLayout.schemaKey, StoreLayout.stateKey]
    guard try needed.contains(where: { try copy.record($0) == nil }) else { return Outcome(notes: corrected) }
    var found = try copies(pages)
    for word in [StoreLayout.identityWord, EncryptionRecord.word] {
      guard let record = found.lazy.compactMap({ isRead(word, $0.value(word)) }).first else { continue }
      try take(word, record, copy)
    }
    try copy.flush()
    let cipher = try copy.cipher(key, path: path)
    for index in found.indices { judge(&found[index], cipher, copy) }
    found.sort { ($0.version ?? 0, $0.page) > ($1.version ?? 0, $1.page) }
    let lacksSchema = try copy.record(StoreLayout.schemaKey) == nil
    let schemas = found.compactMap { $0.schema == nil ? nil : $0.value(StoreLayout.schemaWord) }
    if let schema = Self.likest(damaged[StoreLayout.schemaWord], schemas) ?? damaged[StoreLayout.schemaWord] {
      try take(StoreLayout.schemaWord, schema, copy)
    }
    if let newest = found.first(where: { $0.version != nil }), !hasState {
      // The newest objects of classes are beside the state, and of the same version.
      for (word, value) in newest.records where word == StoreLayout.stateWord || word >> 32 == Self.tail {
        try take(word, value, copy)
      }
      try takeParts(of: newest, found, cipher, copy)
    }
    try copy.flush()
    guard try copy.record(StoreLayout.identityKey) != nil else {
      throw StorageError(
        .corrupted,
        "Nothing can be saved of '\(path)': no page that says what it holds is left. Restore it from a copy.",
        path: path)
    }
    return Outcome(
      notes: corrected + [note(hasState ? nil : found.first?.version)],
      older: try older(found, hasState, lacksSchema ? damaged[StoreLayout.schemaWord] : nil, lacksSchema, cipher, copy))
  }

  /// Takes the records of the state's parts that its version reads, from whatever pages have them. What is missing is counted again.
  private func takeParts(of newest: Copy, _ found: [Copy], _ cipher: StoreCipher?, _ copy: RepairCopy) throws {
    let state = newest.value(StoreLayout.stateWord).flatMap { record in
      opened(StoreLayout.stateWord, record, cipher, copy) { try CatalogState(headOf: $0) }
    }
    for (part, version) in (state?.parts ?? []).enumerated() {
      let word = StoreLayout.statePartWord(part)
      func isRight(_ record: [UInt8]) -> Bool {
        opened(word, record, cipher, copy) { try CatalogState.version(ofPart: part, $0) } == version
      }
      if let present = try copy.record(KeyBytes(word)) {
        if isRight(present) { continue }
        try copy.remove(StoreLayout.catalog, KeyBytes(word))
        try copy.flush()
      }
      guard let record = found.lazy.compactMap({ $0.value(word) }).first(where: isRight) else { continue }
      try take(word, record, copy)
    }
  }

  private func note(_ version: UInt64?) -> String {
    "The catalog is damaged; "
      + (version.map { "that of version \($0), which the file still has, was taken." }
        ?? "an older copy of it was taken.")
  }

  /// Returns what was taken of an older version and may differ from what was lost.
  private func older(
    _ found: [Copy], _ hasState: Bool, _ damaged: [UInt8]?, _ lacksSchema: Bool, _ cipher: StoreCipher?,
    _ copy: RepairCopy
  ) throws -> (version: UInt64, what: String)? {
    if !hasState {
      return found.first?.version.map { ($0, "its counters, its schema, and objects that were stored beside them") }
    }
    // A schema that is like the damaged one was recognised by it; another is right when it was not written since.
    guard lacksSchema, damaged == nil, let version = found.first(where: { $0.schema != nil })?.version else {
      return nil
    }
    let state = try copy.record(StoreLayout.stateKey).flatMap { record in
      opened(StoreLayout.stateWord, record, cipher, copy) { try CatalogState(headOf: $0) }
    }
    return (state?.schemaVersionStamp ?? .max) <= version ? nil : (version, "its schema")
  }

  /// The first of the copies that are so like a damaged record that they say the same; without one just the first.
  private static func likest(_ damaged: [UInt8]?, _ copies: [[UInt8]]) -> [UInt8]? {
    guard let damaged else { return copies.first }
    return copies.map { copy in
      (copy, copy.count == damaged.count ? zip(copy, damaged).count { $0 != $1 } : Int.max)
    }.filter { $0.1 <= mostDamage }.min { $0.1 < $1.1 }?.0
  }

  /// Bytes of a record that may be damaged for it to be recognised by the others.
  private static let mostDamage = 128

  /// Returns true if a record of the copy is as it was written.
  private func isSound(_ word: UInt64, _ record: [UInt8], _ copy: RepairCopy) throws -> Bool {
    guard word == StoreLayout.schemaWord else { return isRead(word, record) != nil }
    // Sealed, it cannot be corrected, but older copies may be sound. Without the key there is no telling.
    let isSealed = try copy.record(EncryptionRecord.key) != nil
    guard let cipher = try copy.cipher(key, path: path) else { return isSealed || schema(record, nil, copy) != nil }
    return schema(record, cipher, copy) != nil
  }

  private func copies(_ pages: borrowing PageRepair) throws -> [Copy] {
    var found: [Copy] = []
    func isOfCatalog(_ key: ByteView) -> Bool {
      guard key.count == 8 else { return false }
      let word: UInt64 = key.loadBigEndian(0)
      return Self.words.contains(word) || word >> 32 == Self.tail || StoreLayout.isStatePart(word)
    }
    try pages.readEveryLeaf(where: isOfCatalog) { page, key, value in
      guard isOfCatalog(key) else { return }
      if found.last?.page != page { found.append(Copy(page: page)) }
      found[found.count - 1].records.append((key.loadBigEndian(0), value.bytes))
    }
    return found
  }

  /// The record, when it is as it was written.
  private func isRead(_ word: UInt64, _ record: [UInt8]?) -> [UInt8]? {
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

  private func judge(_ found: inout Copy, _ cipher: StoreCipher?, _ copy: RepairCopy) {
    found.version = found.value(StoreLayout.stateWord).flatMap { state in
      opened(StoreLayout.stateWord, state, cipher, copy) { try CatalogState(headOf: $0).version }
    }
    found.schema = found.value(StoreLayout.schemaWord).flatMap { schema($0, cipher, copy) }
  }

  private func schema(_ record: [UInt8], _ cipher: StoreCipher?, _ copy: RepairCopy) -> SchemaRecord? {
    opened(StoreLayout.schemaWord, record, cipher, copy) {
      try SchemaRecord(CatalogSeal.open($0, StoreLayout.schemaWord))
    }
  }

  private func opened<R>(
    _ word: UInt64, _ record: [UInt8], _ cipher: StoreCipher?, _ copy: RepairCopy, _ body: (ByteView) throws -> R
  ) -> R? {
    let catalog = copy.environment.table(StoreLayout.catalog)
    return try? record.withView { view in
      guard let cipher else { return try body(view) }
      let key = withUnsafeBytes(of: word.bigEndian) { Array($0) }
      return try key.withView { key in
        guard let opened = cipher.opened(view, catalog, key) else { throw cipher.damage(catalog) }
        return try opened.withView(body)
      }
    }
  }

  private func take(_ word: UInt64, _ value: [UInt8], _ copy: RepairCopy) throws {
    let key = withUnsafeBytes(of: word.bigEndian) { Array($0) }
    try key.withView { key in try value.withView { try copy.take(StoreLayout.catalog, key, $0) } }
  }
}
