import CCrypto
import Foundation

/// Encrypts pages as Realm does, for files that no sample has.
enum PageSealing {
  static let pageSize = 4_096

  /// An encrypted file with that content.
  static func file(_ content: [UInt8], key: Data) -> [UInt8] {
    var result: [UInt8] = []
    let pages = (content.count + pageSize - 1) / pageSize
    for page in 0..<pages {
      if page % 64 == 0 { result += [UInt8](repeating: 0, count: pageSize) }
      let start = page * pageSize
      var plain = Array(content[start..<min(content.count, start + pageSize)])
      plain += [UInt8](repeating: 0, count: pageSize - plain.count)
      let (sealed, entry) = seal(plain, page: page, vector: 1, key: key)
      result += sealed
      let entryOffset = page / 64 * 65 * pageSize + page % 64 * 64
      result.replaceSubrange(entryOffset..<entryOffset + 32, with: entry)
    }
    return result
  }

  /// A page's encrypted form, and its vector with its code.
  static func seal(_ plain: [UInt8], page: Int, vector: UInt32, key: Data) -> (page: [UInt8], entry: [UInt8]) {
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    let block = little(UInt64(vector), 4) + little(UInt64(page * pageSize), 8) + [0, 0, 0, 0]
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    var sealed = [UInt8](repeating: 0, count: plain.count + 16)
    var written: Int32 = 0
    EVP_CipherInit_ex(context, EVP_aes_256_cbc(), nil, Array(key.prefix(32)), block, 1)
    EVP_CIPHER_CTX_set_padding(context, 0)
    EVP_CipherUpdate(context, &sealed, &written, plain, Int32(plain.count))
    sealed.removeLast(16)
    var code = [UInt8](repeating: 0, count: 28)
    var length: UInt32 = 0
    let half = Array(key.suffix(32))
    HMAC(EVP_sha224(), half, Int32(half.count), sealed, sealed.count, &code, &length)
    return (sealed, little(UInt64(vector), 4) + code)
  }
}
