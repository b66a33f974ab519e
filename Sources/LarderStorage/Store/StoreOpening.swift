import LarderCrypto
import LarderLMDB

/// From an open environment to a store of which is known what it is: made if it is new, refused if this build or this key is not
/// for it.
struct StoreOpening {
  let path: String
  let environment: Environment
  let options: StoreOptions
  let tables: StoreTables

  init(path: String, environment: Environment, options: StoreOptions) {
    self.path = path
    self.environment = environment
    self.options = options
    tables = StoreTables(environment)
  }

  /// Returns the identity of the store and the cipher that seals it; from now on its environment seals and opens values.
  func identify() throws -> (CatalogIdentity, StoreCipher?) {
    let reading = try environment.beginRead()
    if let found = try reading.get(tables.catalog, StoreLayout.identityKey) {
      return try known(found, in: reading)
    }
    guard !options.readOnly else { throw StorageError(.notADatabase, "'\(path)' is an empty store.", path: path) }
    let transaction = try environment.beginWrite()
    defer { transaction.abort() }
    // Another process may have been first.
    if let found = try transaction.get(tables.catalog, StoreLayout.identityKey) {
      return try known(found, in: transaction)
    }
    let made = try create(in: transaction)
    try transaction.commit()
    return made
  }

  private func create(in transaction: WriteTransaction) throws -> (CatalogIdentity, StoreCipher?) {
    var identity = CatalogIdentity(clusterSize: options.clusterSize)
    var cipher: StoreCipher?
    if let key = options.encryptionKey {
      let made = try StoreCipher(key, salt: try EncryptionRecord.freshSalt(), catalog: tables.catalog, path: path)
      identity.incompatible |= FeatureBits.sealed
      environment.seal(with: made)
      transaction.adoptSealing()
      cipher = made
    }
    try identity.put(tables.catalog, cipher, in: transaction)
    let schema = CatalogSeal.seal(SchemaRecord().encode(), StoreLayout.schemaWord)
    try transaction.put(tables.catalog, StoreLayout.schemaKey, schema)
    try transaction.put(tables.catalog, StoreLayout.stateKey, CatalogState().encode())
    try ChangeLog(environment).setOwnOrigin(
      Origin(high: identity.storeID.high, low: identity.storeID.low), in: transaction)
    return (identity, cipher)
  }

  private func known(_ record: ByteView, in source: some LogSource) throws -> (CatalogIdentity, StoreCipher?) {
    let identity = try CatalogIdentity(record, path: path)
    try checkFeatures(identity)
    let cipher = try cipher(of: identity, in: source)
    if let cipher { environment.seal(with: cipher) }
    return (identity, cipher)
  }

  /// The cipher of the store, its key proven; nil for a plain store.
  private func cipher(of identity: CatalogIdentity, in source: some LogSource) throws -> StoreCipher? {
    let record = try source.get(tables.catalog, EncryptionRecord.key)
    guard identity.incompatible & FeatureBits.sealed != 0, let record else {
      guard identity.incompatible & FeatureBits.sealed == 0, record == nil else {
        throw StorageError(
          .corrupted, "The catalog of '\(path)' contradicts itself about encryption. Restore it from a copy.",
          path: path)
      }
      guard options.encryptionKey == nil else {
        throw StorageError(.wrongKey, "'\(path)' is not encrypted: open it without an encryption key.", path: path)
      }
      return nil
    }
    let seal = try EncryptionRecord(record, path: path)
    guard let key = options.encryptionKey else {
      throw StorageError(
        .wrongKey, "'\(path)' is encrypted: it cannot be opened without its encryption key.", path: path)
    }
    let cipher = try StoreCipher(key, salt: seal.salt, catalog: tables.catalog, path: path)
    guard let proven = try cipher.opened(seal.proof) else {
      throw StorageError(
        .wrongKey, "'\(path)' cannot be decrypted with this key: it was encrypted with another one.", path: path)
    }
    guard proven == identity.encode() else {
      throw StorageError(
        .corrupted, "The identity of '\(path)' is not the one that was sealed. Restore it from a copy.", path: path)
    }
    return cipher
  }

  /// Refuses what this build must not open, or must not write (L-24).
  private func checkFeatures(_ identity: CatalogIdentity) throws {
    let unknown = try environment.tableNames().filter { !StoreLayout.allTables.contains($0) }
    let features = FeatureBits(
      compatible: identity.compatible, readOnlyCompatible: identity.readOnlyCompatible,
      incompatible: identity.incompatible)
    let access = features.access(unknownTables: unknown)
    if access == .readWrite || (access == .readOnly && options.readOnly) { return }
    throw StorageError(
      .unknownFeature,
      "'\(path)' uses features this version of Larder does not know "
        + "(incompatible \(String(identity.incompatible, radix: 16)), read-only "
        + "\(String(identity.readOnlyCompatible, radix: 16)), tables \(unknown)). Use a newer version"
        + (access == .readOnly ? ", or open it read-only." : "."), path: path)
  }
}

extension CatalogIdentity {
  /// Writes the record, and beside it the proof that an encrypted store keeps of it.
  func put(_ catalog: Table, _ cipher: StoreCipher?, in transaction: WriteTransaction) throws {
    try transaction.put(catalog, StoreLayout.identityKey, encode())
    if let cipher { try transaction.put(catalog, EncryptionRecord.key, try EncryptionRecord(cipher, self).encode()) }
  }
}
