import Foundation
import LarderCrypto
import Testing

@Suite struct RealmPageCipherTests {
  /// A key whose first half is that of the examples in NIST SP 800-38A, its second half 32 to 63.
  private func cipher() throws -> RealmPageCipher {
    let half: [UInt8] = [
      0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81, 0x1f, 0x35, 0x2c,
      0x07,
      0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4,
    ]
    return RealmPageCipher(key: try #require(EncryptionKey(half + [UInt8](32..<64))))
  }

  private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

  /// F.2.6 of NIST SP 800-38A, CBC-AES256.Decrypt.
  @Test func pagesOpenAsThePublishedExampleDoes() throws {
    let sealed: [UInt8] = [
      0xf5, 0x8c, 0x4c, 0x04, 0xd6, 0xe5, 0xf1, 0xba, 0x77, 0x9e, 0xab, 0xfb, 0x5f, 0x7b, 0xfb, 0xd6, 0x9c, 0xfc, 0x4e,
      0x96,
      0x7e, 0xdb, 0x80, 0x8d, 0x67, 0x9f, 0x77, 0x7b, 0xc6, 0x70, 0x2c, 0x7d,
    ]
    #expect(
      hex(try cipher().open(sealed, vector: [UInt8](0..<16)))
        == "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
  }

  /// Computed with Python's `hmac` and SHA-224.
  @Test func codesAreThoseOfHMAC() throws {
    #expect(
      hex(try cipher().code(of: [UInt8](repeating: 7, count: 4_096)))
        == "527d0a0e41bb71fb33a8916f2edb6a1bfa502dbdb6f75f97ccc0ba20")
  }

  @Test func aCipherShowsNoKey() throws {
    var text = "\(try cipher())"
    dump(try cipher(), to: &text)
    #expect(!text.contains("96") && !text.contains("60"))
  }
}
