/// The twelve bytes of an ObjectId.
public struct SyncObjectID: Hashable, Sendable {
  /// Bytes 0-7 as a big-endian number.
  public let high: UInt64
  /// Bytes 8-11 as a big-endian number.
  public let low: UInt32

  /// The ObjectId of 12 bytes that are given as two big-endian numbers.
  public init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }
}

extension SyncObjectID: Comparable {
  public static func < (left: SyncObjectID, right: SyncObjectID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
