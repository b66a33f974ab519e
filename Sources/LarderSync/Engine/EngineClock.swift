import Foundation
import LarderStorage

/// Time and chance, which tests replace.
package struct EngineClock: Sendable {
  /// Time that never goes back, since some beginning.
  package var now: @Sendable () -> Duration
  /// Milliseconds since 1970.
  package var date: @Sendable () -> UInt64
  /// Waits; throws when the task is cancelled.
  package var sleep: @Sendable (Duration) async throws -> Void
  /// A number from 0 up to 1.
  package var chance: @Sendable () -> Double

  package init(
    now: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> UInt64,
    sleep: @escaping @Sendable (Duration) async throws -> Void, chance: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.date = date
    self.sleep = sleep
    self.chance = chance
  }

  /// The computer's.
  package static let system = EngineClock(
    now: { ContinuousClock.now - start }, date: { WallClock.milliseconds() },
    sleep: { try await Task.sleep(for: $0, clock: .continuous) }, chance: { Double.random(in: 0..<1) })

  private static let start = ContinuousClock.now
}
