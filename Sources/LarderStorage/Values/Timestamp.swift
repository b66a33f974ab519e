import Foundation

/// An instant to the nanosecond: floor seconds since 1970 and nanoseconds in 0..<1,000,000,000.
public struct Timestamp: Hashable, Comparable, Sendable {
  public var seconds: Int64
  public var nanoseconds: UInt32

  @inlinable
  public init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The instant nearest to a Foundation date; dates beyond the range of 64-bit seconds are clamped.
  public init(_ date: Date) {
    let interval = date.timeIntervalSince1970
    let floor = interval.rounded(.down)
    guard floor > -9.2e18, floor < 9.2e18 else {
      self.init(seconds: floor < 0 ? .min : .max)
      return
    }
    let nanoseconds = ((interval - floor) * 1e9).rounded()
    if nanoseconds >= 1e9 {
      self.init(seconds: Int64(floor) + 1)
    } else {
      self.init(seconds: Int64(floor), nanoseconds: UInt32(nanoseconds))
    }
  }

  /// The instant as a Foundation date, to the precision of a `Double`.
  public var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9) }

  @inlinable
  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
  }
}
