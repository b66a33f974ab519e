import CCrypto
import Foundation
import LarderLocks

/// HMAC-SHA256 cut to 16 bytes: who has not the key learns of a value only whether it is the same as another.
///
/// Safe for any number of threads.
package final class KeyedHash: Sendable {
  /// Bytes of a hash.
  package static let length = 16

  private let template: HashContext
  private let idle = Lock<[HashContext]>([])

  /// - Parameter key: 32 bytes.
  package init(key: [UInt8]) throws { template = try HashContext(key: key) }

  /// The hash of a value in a place, such as the index it belongs to: equal values have other hashes elsewhere.
  package func bytes(of value: UnsafeRawBufferPointer, in place: UInt64) throws -> [UInt8] {
    let context = try idle.withLock { $0.popLast() } ?? template.copy()
    defer { idle.withLock { $0.append(context) } }
    return try context.hash(place, value)
  }

  /// The hash of a number.
  package func bytes(of word: UInt64, in place: UInt64) throws -> [UInt8] {
    try withUnsafeBytes(of: word.bigEndian) { try bytes(of: $0, in: place) }
  }
}

extension KeyedHash: Hashable {
  package static func == (lhs: KeyedHash, rhs: KeyedHash) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// libcrypto's state of HMAC-SHA256 under one key, for one use at a time.
private final class HashContext: @unchecked Sendable {
  // Unchecked: the pool hands it to one thread at a time, and the template is only copied.
  private let pointer: OpaquePointer

  init(key: [UInt8]) throws {
    guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { throw CryptoError("EVP_MAC_fetch") }
    defer { EVP_MAC_free(algorithm) }
    guard let pointer = EVP_MAC_CTX_new(algorithm) else { throw CryptoError("EVP_MAC_CTX_new") }
    self.pointer = pointer
    try CryptoParameters([OSSL_MAC_PARAM_DIGEST: "SHA256"]).withParameters {
      try check(EVP_MAC_init(pointer, key, key.count, $0), "EVP_MAC_init")
    }
  }

  private init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_MAC_CTX_free(pointer) }

  func copy() throws -> HashContext {
    guard let copied = EVP_MAC_CTX_dup(pointer) else { throw CryptoError("EVP_MAC_CTX_dup") }
    return HashContext(copied)
  }

  func hash(_ place: UInt64, _ value: UnsafeRawBufferPointer) throws -> [UInt8] {
    try withUnsafeBytes(of: place.bigEndian) { try update($0) }
    try update(value)
    var result = [UInt8](repeating: 0, count: 32)
    var length = 0
    try check(EVP_MAC_final(pointer, &result, &length, result.count), "EVP_MAC_final")
    // Ready for the next value, with the key it has.
    try check(EVP_MAC_init(pointer, nil, 0, nil), "EVP_MAC_init")
    result.removeLast(result.count - KeyedHash.length)
    return result
  }

  private func update(_ bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count > 0 else { return }
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    try check(EVP_MAC_update(pointer, start, bytes.count), "EVP_MAC_update")
  }
}
