import Foundation

/// The clock of this computer.
enum SystemClock {
  /// The time in milliseconds since 1970.
  static func milliseconds() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
