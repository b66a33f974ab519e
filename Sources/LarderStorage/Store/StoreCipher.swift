import LarderCrypto
import LarderLMDB

/// Seals the values of one encrypted store, and hashes its indexes.
final class StoreCipher: ValueCipher {
  let overhead = ValueSealer.overhead
  /// Of values in indexes, of words, and of names of log consumers.
  let hash: KeyedHash
  /// The salt that the keys were made with, together with the user's key.
  let salt: [UInt8]
  private let sealer: ValueSealer
  private let catalog: Table
  private let path: String

  /// Transactions whose values are sealed with one key, as a power of two: with 2^16 values in each of them on average there are
  /// as many as random nonces bear.
  private static let transactionsPerKey: UInt64 = 16

  init(_ key: EncryptionKey, salt: [UInt8], catalog: Table, path: String) throws {
    self.path = path
    self.salt = salt
    self.catalog = catalog
    sealer = ValueSealer(key: try KeyDerivation.key(from: key, salt: salt, purpose: "larder values"))
    hash = try KeyedHash(key: try KeyDerivation.key(from: key, salt: salt, purpose: "larder indexes"))
  }

  private init(_ other: StoreCipher, catalog: Table, path: String) {
    (hash, salt, sealer, self.catalog, self.path) = (other.hash, other.salt, other.sealer, catalog, path)
  }

  /// The same cipher for another file.
  func moved(to catalog: Table, path: String) -> StoreCipher { StoreCipher(self, catalog: catalog, path: path) }

  func seals(_ table: Table, _ key: UnsafeRawBufferPointer) -> Bool {
    guard table == catalog, key.count == 8 else { return true }
    let word = UInt64(bigEndian: key.loadUnaligned(as: UInt64.self))
    return word != StoreLayout.identityWord && word != EncryptionRecord.word
  }

  func seal(
    _ value: UnsafeRawBufferPointer, _ table: Table, _ key: UnsafeRawBufferPointer, transaction: UInt64,
    into room: UnsafeMutableRawBufferPointer
  ) throws {
    try sealer.seal(
      value, table: table.name, key: key,
      keyNumber: UInt32(truncatingIfNeeded: transaction >> Self.transactionsPerKey), into: room)
  }

  func open(
    _ sealed: UnsafeRawBufferPointer, _ table: Table, _ key: UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer
  ) throws -> Bool {
    try sealer.open(sealed, table: table.name, key: key, into: room)
  }

  /// The value in clear; nil when it is not what was sealed for that table and key.
  func opened(_ value: ByteView, _ table: Table, _ key: ByteView) -> [UInt8]? {
    guard seals(table, key.buffer) else { return value.bytes }
    guard value.count >= overhead else { return nil }
    var clear = [UInt8](repeating: 0, count: value.count - overhead)
    let isRight = try? clear.withUnsafeMutableBytes { try open(value.buffer, table, key.buffer, into: $0) }
    return isRight == true ? clear : nil
  }

  /// The sealed form of a value in a file that is written from the beginning.
  func sealed(_ value: [UInt8], _ table: Table, _ key: ByteView) throws -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: value.count + overhead)
    try value.withUnsafeBytes { value in
      try sealed.withUnsafeMutableBytes { try seal(value, table, key.buffer, transaction: 0, into: $0) }
    }
    return sealed
  }

  func damage(_ table: Table) -> any Error {
    StorageError(
      .corrupted,
      "'\(path)' is damaged: a value of its table \(table.name) is not what was encrypted there. Run `larder check`, or "
        + "restore it from a copy.", path: path)
  }

  // MARK: - Proof of the key

  /// Seals the identity of the store for its seal record.
  func sealed(_ identity: CatalogIdentity) throws -> [UInt8] {
    let value = identity.encode()
    var sealed = [UInt8](repeating: 0, count: value.count + overhead)
    try EncryptionRecord.key.withBytes { key in
      try value.withUnsafeBytes { value in
        try sealed.withUnsafeMutableBytes {
          try sealer.seal(value, table: catalog.name, key: key, keyNumber: 0, into: $0)
        }
      }
    }
    return sealed
  }

  /// The identity that was sealed, encoded; nil when that was done with another key.
  func opened(_ sealed: [UInt8]) throws -> [UInt8]? {
    var value = [UInt8](repeating: 0, count: max(0, sealed.count - overhead))
    let isRight = try EncryptionRecord.key.withBytes { key in
      try sealed.withUnsafeBytes { sealed in
        try value.withUnsafeMutableBytes { try sealer.open(sealed, table: catalog.name, key: key, into: $0) }
      }
    }
    return isRight ? value : nil
  }
}
