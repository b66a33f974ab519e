import CCrypto
import Foundation

/// Decrypts and authenticates single pages of Realm's encrypted files: AES-256-CBC and HMAC-SHA-224.
///
/// The first half of the 64 bytes decrypts and the second half authenticates, so that a code says nothing of whether the first half is right. Safe
/// for any number of threads.
package struct RealmPageCipher: Sendable, CustomReflectable, CustomStringConvertible {
  /// Bytes of an authentication code.
  package static let codeLength = 28
  /// Bytes of an initialization vector, and what a page is a multiple of.
  package static let blockLength = 16

  private let key: EncryptionKey

  /// - Parameter key: The key of the file.
  package init(key: EncryptionKey) { self.key = key }

  /// The code of a page in its encrypted form.
  package func code(of page: [UInt8]) throws -> [UInt8] {
    try Libcrypto.prepare()
    var result = [UInt8](repeating: 0, count: Self.codeLength)
    var length: UInt32 = 0
    let half = Array(key.bytes[32...])
    guard HMAC(EVP_sha224(), half, Int32(half.count), page, page.count, &result, &length) != nil else {
      throw CryptoError("HMAC")
    }
    return result
  }

  /// The plain form of a page.
  ///
  /// - Parameters:
  ///   - page: Some whole blocks.
  ///   - vector: One block.
  package func open(_ page: [UInt8], vector: [UInt8]) throws -> [UInt8] {
    precondition(page.count % Self.blockLength == 0 && vector.count == Self.blockLength, "no whole blocks")
    try Libcrypto.prepare()
    guard let context = EVP_CIPHER_CTX_new() else { throw CryptoError("EVP_CIPHER_CTX_new") }
    defer { EVP_CIPHER_CTX_free(context) }
    try check(
      EVP_CipherInit_ex(context, EVP_aes_256_cbc(), nil, Array(key.bytes[..<32]), vector, 0), "EVP_CipherInit_ex")
    // Pages are whole blocks: a last block may end in anything.
    try check(EVP_CIPHER_CTX_set_padding(context, 0), "EVP_CIPHER_CTX_set_padding")
    // libcrypto may write one block more than it was given.
    var result = [UInt8](repeating: 0, count: page.count + Self.blockLength)
    var written: Int32 = 0
    try check(EVP_CipherUpdate(context, &result, &written, page, Int32(page.count)), "EVP_CipherUpdate")
    result.removeLast(result.count - page.count)
    return result
  }

  package var description: String { "a cipher whose key is not shown" }
  /// Shows no key.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
