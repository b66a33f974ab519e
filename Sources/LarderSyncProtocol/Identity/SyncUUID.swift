/// The sixteen bytes of a UUID.
public struct SyncUUID: Hashable, Sendable {
  /// Bytes 0-7 as a big-endian number.
  public let high: UInt64
  /// Bytes 8-15 as a big-endian number.
  public let low: UInt64

  /// The UUID of 16 bytes that are given as two big-endian numbers.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

extension SyncUUID: Comparable {
  public static func < (left: SyncUUID, right: SyncUUID) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
