/// A hybrid time: 48 bits of Unix milliseconds over 16 bits of a counter, so that times of one site strictly ascend whatever its clock does.
public struct SyncTime: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The time of a clock's reading in milliseconds since 1970, of which 48 bits count, and a counter.
  public init(milliseconds: UInt64, counter: UInt16 = 0) {
    rawValue = milliseconds << 16 | UInt64(counter)
  }

  /// Milliseconds since 1970.
  public var milliseconds: UInt64 { rawValue >> 16 }
  /// The counter that distinguishes times of one millisecond.
  public var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }
}

extension SyncTime: Comparable {
  public static func < (left: SyncTime, right: SyncTime) -> Bool { left.rawValue < right.rawValue }
}
