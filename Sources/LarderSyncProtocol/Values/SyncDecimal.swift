/// The bits of an IEEE 754-2008 decimal128 in its binary-integer encoding. Equal bits are equal values here; 1.0 and 1.00 are two values.
public struct SyncDecimal: Hashable, Sendable {
  /// The upper 64 bits: sign, exponent, the top of the significand.
  public let high: UInt64
  /// The lower 64 bits.
  public let low: UInt64

  /// A decimal of its bits. Every bit pattern that is not a number becomes the same one.
  public init(high: UInt64, low: UInt64) {
    let isNaN = high & Self.notANumber == Self.notANumber
    self.high = isNaN ? Self.notANumber : high
    self.low = isNaN ? 0 : low
  }

  private static let notANumber: UInt64 = 0x7C00_0000_0000_0000
}
