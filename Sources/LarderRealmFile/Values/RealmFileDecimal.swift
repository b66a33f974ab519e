/// A decimal number in the binary form of IEEE 754 decimal128 (BID), as Realm keeps it; narrower stored forms are widened.
public struct RealmFileDecimal: Hashable, Sendable {
  /// Bits 64 to 127.
  public let high: UInt64
  /// Bits 0 to 63.
  public let low: UInt64

  /// A number of the two words.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
