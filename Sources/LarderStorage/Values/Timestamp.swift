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
  ///
  /// Splits the time since Foundation's own reference date: since 1970 a `Double` has half the resolution for dates of today.
  public init(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    if interval.magnitude < 0x1p62 {
      self.init(near: interval)
    } else {
      self.init(far: interval)
    }
  }

  /// Of a time that whole seconds of 64 bits can count, without calls: an object with a date is made with one.
  @inline(__always)
  private init(near interval: Double) {
    // Conversions cut towards zero; both differences are exact.
    var whole = Int64(interval)
    if Double(whole) > interval { whole -= 1 }
    let exact = (interval - Double(whole)) * 1e9
    var nanoseconds = Int64(exact)
    if exact - Double(nanoseconds) >= 0.5 { nanoseconds += 1 }
    let isNext = nanoseconds >= 1_000_000_000
    self.init(
      seconds: whole + Self.referenceDate + (isNext ? 1 : 0),
      nanoseconds: isNext ? 0 : UInt32(truncatingIfNeeded: nanoseconds))
  }

  @inline(never)
  private init(far interval: Double) {
    let floor = interval.rounded(.down)
    guard let whole = Int64(exactly: floor) else {
      self.init(seconds: interval < 0 ? .min : .max)
      return
    }
    let nanoseconds = ((interval - floor) * 1e9).rounded()
    let carry: Int64 = nanoseconds >= 1e9 ? 1 : 0
    let (seconds, isBeyond) = whole.addingReportingOverflow(Self.referenceDate + carry)
    self.init(seconds: isBeyond ? .max : seconds, nanoseconds: carry == 1 || isBeyond ? 0 : UInt32(nanoseconds))
  }

  /// The Foundation date nearest to the instant. A date that is the nearest one to some nanosecond comes back as it was stored.
  @inlinable @inline(__always)
  public var date: Date {
    // Seconds since 1970 that 64 bits cannot count from 2001 are 292 billion years ago, where a `Double` knows no single seconds.
    let (whole, isBeyond) = seconds.subtractingReportingOverflow(Self.referenceDate)
    let interval: Double
    if isBeyond {
      interval = Double(seconds)
    } else if whole.magnitude < 1 << 23 {
      // A `Double` tells nanoseconds apart here, and holds their number: the quotient is rounded once.
      interval = Double(whole &* 1_000_000_000 &+ Int64(nanoseconds)) / 1e9
    } else {
      interval = Double(whole) + Double(nanoseconds) * 1e-9
    }
    return Date(timeIntervalSinceReferenceDate: interval)
  }

  /// Foundation's reference date, the first second of 2001, in seconds since 1970.
  @inlinable static var referenceDate: Int64 { 978_307_200 }

  @inlinable
  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    (lhs.seconds, lhs.nanoseconds) < (rhs.seconds, rhs.nanoseconds)
  }
}
