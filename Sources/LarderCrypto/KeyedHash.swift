import CCrypto

/// HMAC-SHA256 cut to 16 bytes: who has not the key learns of a value only whether it is the same as another.
///
/// What the key makes of the state of SHA-256 is computed once, and copied for each value: a short value costs two blocks of the function, no
/// allocation and no lock. Safe for any number of threads.
package final class KeyedHash: @unchecked Sendable {
  // Unchecked: the pointer never changes, and what it points to is only read.
  /// Bytes of a hash.
  package static let length = 16
  /// Bytes that SHA-256 takes at a time; a longer key would have to be hashed first.
  private static let blockSize = 64

  /// The state after the inner key, and after the outer one.
  private let states: UnsafeMutablePointer<SHA256_CTX>

  /// - Parameter key: 32 bytes; 64 at most.
  package init(key: [UInt8]) throws {
    precondition(key.count <= Self.blockSize, "a key of HMAC that is longer than a block")
    try Libcrypto.prepare()
    states = .allocate(capacity: 2)
    states.initialize(repeating: SHA256_CTX(), count: 2)
    // The key's block for either state: other bits of it are turned.
    for (number, pad) in [UInt8(0x36), 0x5C].enumerated() {
      var block = [UInt8](repeating: pad, count: Self.blockSize)
      for (index, byte) in key.enumerated() { block[index] ^= byte }
      defer { OPENSSL_cleanse(&block, Self.blockSize) }
      try check(SHA256_Init(states + number), "SHA256_Init")
      try check(SHA256_Update(states + number, block, Self.blockSize), "SHA256_Update")
    }
  }

  deinit {
    OPENSSL_cleanse(states, 2 * MemoryLayout<SHA256_CTX>.stride)
    states.deallocate()
  }

  /// The hash of a value in a place, such as the index it belongs to: equal values have other hashes elsewhere.
  package func value(of value: UnsafeRawBufferPointer, in place: UInt64) throws -> HashedValue {
    var state = states[0]
    try withUnsafeBytes(of: place.bigEndian) { try Self.update(&state, $0) }
    try Self.update(&state, value)
    var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    try withUnsafeMutableBytes(of: &digest) { digest in
      try Self.finish(&state, into: digest)
      state = states[1]
      try Self.update(&state, UnsafeRawBufferPointer(digest))
      try Self.finish(&state, into: digest)
    }
    return HashedValue(high: UInt64(bigEndian: digest.0), low: UInt64(bigEndian: digest.1))
  }

  /// The hash of a number.
  @inline(__always)
  package func value(of word: UInt64, in place: UInt64) throws -> HashedValue {
    try withUnsafeBytes(of: word.bigEndian) { try value(of: $0, in: place) }
  }

  /// Returns `value(of:in:)` as an array.
  package func bytes(of value: UnsafeRawBufferPointer, in place: UInt64) throws -> [UInt8] {
    try self.value(of: value, in: place).withBytes { Array($0) }
  }

  /// The hash of a number, as an array.
  package func bytes(of word: UInt64, in place: UInt64) throws -> [UInt8] {
    try value(of: word, in: place).withBytes { Array($0) }
  }

  private static func update(_ state: inout SHA256_CTX, _ bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count > 0 else { return }
    try check(SHA256_Update(&state, bytes.baseAddress, bytes.count), "SHA256_Update")
  }

  private static func finish(_ state: inout SHA256_CTX, into digest: UnsafeMutableRawBufferPointer) throws {
    try check(SHA256_Final(digest.baseAddress?.assumingMemoryBound(to: UInt8.self), &state), "SHA256_Final")
  }
}

extension KeyedHash: Hashable {
  package static func == (lhs: KeyedHash, rhs: KeyedHash) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
