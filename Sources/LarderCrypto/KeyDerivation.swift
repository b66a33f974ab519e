import CCrypto
import Foundation

/// HKDF with SHA-256 (RFC 5869): from one secret, keys that tell nothing of each other.
package enum KeyDerivation {
  /// Bytes of every key that is made.
  package static let keyLength = 32

  /// A key for a purpose. The same secret, salt and purpose give the same key.
  package static func key(from secret: EncryptionKey, salt: [UInt8], purpose: String) throws -> [UInt8] {
    try expand(try authenticate(secret.bytes, key: salt), Array(purpose.utf8))
  }

  /// A further key made of a key.
  static func key(from key: [UInt8], purpose: String, number: UInt32) throws -> [UInt8] {
    try expand(key, Array(purpose.utf8) + withUnsafeBytes(of: number.bigEndian) { Array($0) })
  }

  /// The first block of HKDF's output, which is all of a key of 32 bytes.
  private static func expand(_ key: [UInt8], _ purpose: [UInt8]) throws -> [UInt8] {
    try authenticate(purpose + [1], key: key)
  }

  /// HMAC-SHA256 in one call.
  static func authenticate(_ bytes: [UInt8], key: [UInt8]) throws -> [UInt8] {
    try Libcrypto.prepare()
    var result = [UInt8](repeating: 0, count: keyLength)
    var length: UInt32 = 0
    guard HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &result, &length) != nil else {
      throw CryptoError("HMAC")
    }
    return result
  }

  /// Bytes that cannot be foretold.
  package static func randomBytes(_ count: Int) throws -> [UInt8] {
    try Libcrypto.prepare()
    var result = [UInt8](repeating: 0, count: count)
    try check(RAND_bytes(&result, Int32(count)), "RAND_bytes")
    return result
  }
}
