import CCrypto
import Foundation
import LarderLocks

/// Encrypts values and proves where they belong: AES-256-GCM with a random nonce for each.
///
/// A sealed value is 12 bytes of nonce, the number of its key (u32, little-endian), the encrypted bytes, and 16 bytes of tag. It opens only
/// under the table and the key that it was sealed for. Keys are made of one by number, so that none seals more values than random
/// nonces bear. Safe for any number of threads.
package final class ValueSealer: Sendable {
  /// Bytes that a sealed value has more than the value.
  package static let overhead = headerSize + tagSize
  static let headerSize = 16
  private static let nonceSize = 12
  private static let tagSize = 16
  /// No more idle contexts are kept.
  private static let mostIdle = 64

  private let key: [UInt8]
  private let idle = Lock<[Purpose: [CipherContext]]>([:])

  private struct Purpose: Hashable {
    var number: UInt32
    var isSealing: Bool
  }

  /// - Parameter key: 32 bytes.
  package init(key: [UInt8]) { self.key = key }

  /// Random bytes that are never given twice with one key.
  private static func writeNonce(to start: UnsafeMutableRawPointer) throws {
    try Libcrypto.prepare()
    try check(RAND_bytes(start.assumingMemoryBound(to: UInt8.self), Int32(nonceSize)), "RAND_bytes")
  }

  /// Writes the sealed form of a value, which is `overhead` bytes longer.
  ///
  /// - Parameters:
  ///   - keyNumber: Which key; 2^32 values at most may be sealed with one.
  ///   - room: Just as many bytes as the sealed value has.
  package func seal(
    _ value: UnsafeRawBufferPointer, table: String, key: UnsafeRawBufferPointer, keyNumber: UInt32,
    into room: UnsafeMutableRawBufferPointer
  ) throws {
    precondition(room.count == value.count + Self.overhead, "no room for a sealed value")
    guard let start = room.baseAddress else { return }
    try Self.writeNonce(to: start)
    start.storeBytes(of: keyNumber.littleEndian, toByteOffset: Self.nonceSize, as: UInt32.self)
    try withContext(Purpose(number: keyNumber, isSealing: true)) { context in
      try context.begin(nonce: start, table: table, key: key)
      try context.run(value, to: start + Self.headerSize)
      try check(EVP_CipherFinal_ex(context.pointer, context.scratch, &context.written), "EVP_CipherFinal_ex")
      try check(
        EVP_CIPHER_CTX_ctrl(
          context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), start + room.count - Self.tagSize),
        "EVP_CIPHER_CTX_ctrl")
    }
  }

  /// Writes the value that was sealed; false, with nothing of use in `room`, when it was not sealed with this key for that place.
  ///
  /// - Parameter room: Just as many bytes as the value has.
  package func open(
    _ sealed: UnsafeRawBufferPointer, table: String, key: UnsafeRawBufferPointer,
    into room: UnsafeMutableRawBufferPointer
  ) throws -> Bool {
    guard sealed.count >= Self.overhead, let start = sealed.baseAddress else { return false }
    precondition(room.count == sealed.count - Self.overhead, "no room for an opened value")
    let number = UInt32(littleEndian: sealed.loadUnaligned(fromByteOffset: Self.nonceSize, as: UInt32.self))
    return try withContext(Purpose(number: number, isSealing: false)) { context in
      try context.begin(nonce: start, table: table, key: key)
      let value = UnsafeRawBufferPointer(rebasing: sealed[Self.headerSize..<sealed.count - Self.tagSize])
      if let target = room.baseAddress { try context.run(value, to: target) }
      let tag = UnsafeMutableRawPointer(mutating: start + sealed.count - Self.tagSize)
      try check(
        EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), tag), "EVP_CIPHER_CTX_ctrl")
      if EVP_CipherFinal_ex(context.pointer, context.scratch, &context.written) == 1 { return true }
      OPENSSL_cleanse(room.baseAddress, room.count)
      return false
    }
  }

  private func withContext<R>(_ purpose: Purpose, _ body: (CipherContext) throws -> R) throws -> R {
    let context = try idle.withLock { $0[purpose]?.popLast() } ?? makeContext(purpose)
    defer {
      idle.withLock { idle in
        if idle.count > Self.mostIdle { idle = [:] }
        idle[purpose, default: []].append(context)
      }
    }
    return try body(context)
  }

  private func makeContext(_ purpose: Purpose) throws -> CipherContext {
    let key = try KeyDerivation.key(from: key, purpose: "larder value", number: purpose.number)
    return try CipherContext(key: key, isSealing: purpose.isSealing)
  }
}

/// libcrypto's state of AES-256-GCM under one key, for one use at a time.
private final class CipherContext: @unchecked Sendable {
  // Unchecked: the pool hands it to one thread at a time.
  let pointer: OpaquePointer
  private let isSealing: Int32
  /// The number of bytes that libcrypto reports as written, and the target of calls that write none.
  var written: Int32 = 0
  let scratch: UnsafeMutablePointer<UInt8>

  init(key: [UInt8], isSealing: Bool) throws {
    try Libcrypto.prepare()
    guard let pointer = EVP_CIPHER_CTX_new() else { throw CryptoError("EVP_CIPHER_CTX_new") }
    self.pointer = pointer
    self.isSealing = isSealing ? 1 : 0
    scratch = .allocate(capacity: 16)
    try check(EVP_CipherInit_ex(pointer, EVP_aes_256_gcm(), nil, key, nil, self.isSealing), "EVP_CipherInit_ex")
  }

  deinit {
    EVP_CIPHER_CTX_free(pointer)
    scratch.deallocate()
  }

  /// Begins a value: its nonce, and what it is bound to.
  func begin(nonce: UnsafeRawPointer, table: String, key: UnsafeRawBufferPointer) throws {
    let nonce = nonce.assumingMemoryBound(to: UInt8.self)
    try check(EVP_CipherInit_ex(pointer, nil, nil, nil, nonce, isSealing), "EVP_CipherInit_ex")
    var table = table
    try table.withUTF8 { try bind(UnsafeRawBufferPointer($0)) }
    // No name of a table has a zero byte.
    try withUnsafeBytes(of: UInt8(0)) { try bind($0) }
    try bind(key)
  }

  private func bind(_ bytes: UnsafeRawBufferPointer) throws {
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    try check(EVP_CipherUpdate(pointer, nil, &written, start, Int32(bytes.count)), "EVP_CipherUpdate")
  }

  func run(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) throws {
    guard bytes.count > 0 else { return }
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    try check(
      EVP_CipherUpdate(pointer, target.assumingMemoryBound(to: UInt8.self), &written, start, Int32(bytes.count)),
      "EVP_CipherUpdate")
  }
}

extension ValueSealer: CustomReflectable, CustomStringConvertible {
  /// Shows no key: `dump` of anything that holds a sealer ends here.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
  package var description: String { "a sealer whose key is not shown" }
}
