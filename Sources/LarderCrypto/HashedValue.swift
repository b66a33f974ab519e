/// The hash of a value, as `KeyedHash` makes it: 16 bytes as two words that compare like them.
package struct HashedValue: Hashable, Sendable {
  /// The first eight bytes.
  package var high: UInt64
  /// The last eight bytes.
  package var low: UInt64

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Calls `body` with the bytes, which are there until it returns.
  @inline(__always)
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
  }
}
