import Foundation
import LarderStorage

/// The patience of calls that cannot throw, while no reader slot of the store is free: another process may have taken them all for a moment.
enum ReaderPatience {
  /// Seconds. Long enough for a process that starts, reads and ends.
  private static let limit = 10.0
  /// Seconds between two attempts, at most.
  private static let longestPause = 0.05

  /// Calls again while a reader slot is missing, for ten seconds at most. Misuse with the message of what is thrown otherwise.
  ///
  /// - Parameter body: Has done nothing when it throws.
  static func orMisuse<Result>(_ body: () throws -> Result) -> Result {
    do {
      return try retrying(body)
    } catch {
      misuse("\(error)")
    }
  }

  /// The same, throwing what is thrown otherwise.
  static func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + .seconds(limit)
    var pause = 0.000_5
    while true {
      do {
        return try body()
      } catch let error as StorageError where error.code == .readersExhausted && ContinuousClock.now < end {
        Thread.sleep(forTimeInterval: pause)
        pause = min(2 * pause, longestPause)
      }
    }
  }
}
