import Foundation
import LarderCrypto
import Testing

@Suite struct KeyTests {
  @Test func aKeyHas64BytesAndIsNotShown() throws {
    #expect(EncryptionKey([UInt8](repeating: 1, count: 63)) == nil)
    #expect(EncryptionKey([UInt8](repeating: 1, count: 65)) == nil)
    let key = try #require(EncryptionKey([UInt8](repeating: 0xAB, count: 64)))
    var text = "\(key) \(String(reflecting: key)) "
    dump(key, to: &text)
    #expect(!text.contains("171") && !text.lowercased().contains("ab"))
  }

  @Test func keysDifferBySecretSaltAndPurpose() throws {
    let secret = try #require(EncryptionKey([UInt8](0..<64)))
    let other = try #require(EncryptionKey([UInt8](1..<65)))
    let keys = [
      try KeyDerivation.key(from: secret, salt: [1], purpose: "a"),
      try KeyDerivation.key(from: secret, salt: [1], purpose: "b"),
      try KeyDerivation.key(from: secret, salt: [2], purpose: "a"),
      try KeyDerivation.key(from: other, salt: [1], purpose: "a"),
    ]
    #expect(Set(keys).count == 4 && keys.allSatisfy { $0.count == 32 })
    #expect(try KeyDerivation.key(from: secret, salt: [1], purpose: "a") == keys[0])
  }

  /// Computed with Python's `hmac`: extract with the salt, expand with purpose and 01.
  @Test func keysAreThoseOfHKDF() throws {
    let secret = try #require(EncryptionKey([UInt8](0..<64)))
    let key = try KeyDerivation.key(from: secret, salt: [UInt8](repeating: 7, count: 32), purpose: "larder values")
    #expect(
      key.map { String(format: "%02x", $0) }.joined()
        == "39fd900559d3e31040c027b8d5ec1af233fd9be8ffa658b79b9ef0dc27a16f97")
  }

  @Test func hashesAreThoseOfHMACAndNeverMixUp() throws {
    let hash = try KeyedHash(key: [UInt8](0..<32))
    func hex(_ text: String, _ place: UInt64) throws -> String {
      try Array(text.utf8).withUnsafeBytes { try hash.bytes(of: $0, in: place) }
        .map { String(format: "%02x", $0) }.joined()
    }
    for _ in 0..<3 {
      #expect(try hex("Aachen", 5) == "e0d71abd58fc1c5325170186c82a42af")
      #expect(try hex("Aachen", 6) != "e0d71abd58fc1c5325170186c82a42af")
      #expect(try hex("", 5) == "1d38b971592b55805513013616251d3c")
    }
  }
}
