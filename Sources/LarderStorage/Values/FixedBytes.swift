import Foundation

/// The twelve bytes of an ObjectId, in their big-endian order.
public struct ObjectIdBytes: Hashable, Comparable, Sendable {
  /// Bytes 0-7 and 8-11, as big-endian numbers: comparing these compares the bytes.
  public var high: UInt64
  public var low: UInt32

  public init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  public static func < (lhs: ObjectIdBytes, rhs: ObjectIdBytes) -> Bool { (lhs.high, lhs.low) < (rhs.high, rhs.low) }
}

/// The sixteen bytes of an IEEE 754-2008 decimal128 in its binary-integer (BID) encoding.
public struct Decimal128Bits: Hashable, Sendable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public static let zero = Decimal128Bits(high: 0x3040_0000_0000_0000, low: 0)
}
