import LarderCrypto
import LarderLMDB

/// The catalog's record of how an encrypted store is sealed. Like the identity it is in clear, so that a wrong key is distinguished from damage.
struct EncryptionRecord {
  /// Its key in the catalog: "sealing".
  static let word: UInt64 = 0x7365_616C_696E_6700
  static let key = KeyBytes(word)
  /// AES-256-GCM, keys by HKDF-SHA256, indexes by HMAC-SHA256: the only way there is.
  private static let algorithms: UInt32 = 1
  private static let saltSize = 32

  let salt: [UInt8]
  /// The store's identity, sealed.
  let proof: [UInt8]

  init(_ cipher: StoreCipher, _ identity: CatalogIdentity) throws {
    salt = cipher.salt
    proof = try cipher.sealed(identity)
  }

  static func freshSalt() throws -> [UInt8] { try KeyDerivation.randomBytes(saltSize) }

  func encode() -> [UInt8] {
    var record = RecordWriter()
    record.append(Self.algorithms)
    record.append(UInt32(0))
    let rest = record.padded() + salt + proof
    let checksum = rest.withUnsafeBytes { Checksum64.hash($0, seed: Self.word) }
    return withUnsafeBytes(of: checksum.littleEndian) { Array($0) } + rest
  }

  /// Reads the record; throws `.corrupted` when it is not as it was written.
  init(_ view: ByteView, path: String) throws {
    func damage(_ what: String) -> StorageError {
      StorageError(
        .corrupted,
        "The record of '\(path)' that tells how it is encrypted is damaged: \(what). Restore it from a copy.",
        path: path)
    }
    guard view.count > 16 + Self.saltSize else { throw damage("it has \(view.count) bytes") }
    let rest = view.slice(8, view.count - 8)
    guard Checksum64.hash(rest.buffer, seed: Self.word) == view.load(0) else {
      throw damage("its checksum does not fit")
    }
    let algorithms: UInt32 = rest.load(0)
    guard algorithms == Self.algorithms else {
      throw StorageError(
        .unknownFeature,
        "'\(path)' is encrypted in a way (\(algorithms)) that this version of Larder does not know. Use a newer version.",
        path: path)
    }
    salt = rest.slice(8, Self.saltSize).bytes
    proof = rest.slice(8 + Self.saltSize, rest.count - 8 - Self.saltSize).bytes
  }
}
