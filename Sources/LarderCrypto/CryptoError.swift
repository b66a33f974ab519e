/// A call of libcrypto that failed. None does in a process that has memory left and a libcrypto with AES and SHA-2.
struct CryptoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The C function.
  package let operation: String

  init(_ operation: String) { self.operation = operation }

  package var description: String { "\(operation) of libcrypto failed" }
}

/// The one road from a result of libcrypto, 1 when all went well, to a Swift error.
@inline(__always)
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws {
  if result != 1 { throw CryptoError(operation()) }
}
