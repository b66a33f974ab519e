import CCrypto

/// The library before its first use: every way to it goes through `prepare()`.
///
/// Left to itself libcrypto registers a function that frees its tables when the process ends. Threads of a program run on while functions
/// that were registered with `atexit` are called: one that seals or opens a value then reads freed memory, and the program ends by a signal
/// instead of with its status.
package enum Libcrypto {
  // `OPENSSL_INIT_NO_ATEXIT` of <openssl/crypto.h>.
  private static let isPrepared = OPENSSL_init_crypto(0x0008_0000, nil) == 1

  /// Makes libcrypto ready, once in the process. Costs a comparison after that.
  @inline(__always)
  package static func prepare() throws {
    if !isPrepared { throw CryptoError("OPENSSL_init_crypto") }
  }
}
