import Foundation
import LarderStorage

/// The form of dates in a column of a SQLite file, which knows no dates.
package enum SQLiteDateForm: String, CaseIterable, Sendable {
  /// Seconds since 1970, with a fraction or not.
  case unix
  /// Milliseconds since 1970.
  case unixms
  /// Text such as 2013-01-31 10:00:00.
  case iso
  /// Days since noon of 24 November 4714 BC.
  case julian

  /// The instant of a number; nil beyond what there is.
  func date(_ number: Double) -> Timestamp? {
    switch self {
    case .unix: Self.instant(number)
    case .unixms: Self.instant(number / 1000)
    // A double has room for a tenth of a millisecond here: SQLite rounds to whole ones.
    case .julian: Self.instant(((number - 2_440_587.5) * 86_400_000).rounded() / 1000)
    case .iso: nil
    }
  }

  func date(_ number: Int64) -> Timestamp? {
    switch self {
    case .unix: return Timestamp(seconds: number)
    case .unixms:
      let (seconds, rest) = number.quotientAndRemainder(dividingBy: 1000)
      return rest < 0
        ? Timestamp(seconds: seconds - 1, nanoseconds: UInt32(rest + 1000) * 1_000_000)
        : Timestamp(seconds: seconds, nanoseconds: UInt32(rest) * 1_000_000)
    case .julian: return date(Double(number))
    case .iso: return nil
    }
  }

  private static func instant(_ seconds: Double) -> Timestamp? {
    guard seconds.isFinite, seconds.magnitude < 1e15 else { return nil }
    let whole = seconds.rounded(.down)
    let nanoseconds = ((seconds - whole) * 1e9).rounded()
    return nanoseconds >= 1e9
      ? Timestamp(seconds: Int64(whole) + 1) : Timestamp(seconds: Int64(whole), nanoseconds: UInt32(nanoseconds))
  }
}
