import LarderStorage

extension EncryptionKey {
  /// A key for tests; the same number gives the same key.
  package static func test(_ number: UInt8 = 1) -> EncryptionKey {
    guard let key = EncryptionKey((0..<64).map { UInt8(truncatingIfNeeded: $0 &* 3 &+ Int(number)) }) else {
      preconditionFailure("64 bytes are a key")
    }
    return key
  }
}
