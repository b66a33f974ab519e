import Foundation

/// The system's clock in whole numbers, whatever it says: a clock may be set to any time.
package enum WallClock {
  /// Milliseconds since 1970; 0 before that, and no more than 63 bits hold.
  package static func milliseconds(_ date: Date = Date()) -> UInt64 {
    let milliseconds = date.timeIntervalSince1970 * 1_000
    return milliseconds > 0 ? UInt64(min(milliseconds, 0x1p62)) : 0
  }

  /// Seconds since 1970 without their fraction, as far as 64 bits hold them.
  package static func seconds(_ date: Date = Date()) -> Int64 {
    let seconds = date.timeIntervalSince1970.rounded(.towardZero)
    return Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max)
  }
}
