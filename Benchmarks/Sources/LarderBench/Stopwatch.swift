import Foundation

/// The time of some work: on the clock, and of processors in all threads of the process. Nanoseconds.
struct Spent {
  var wall = 0.0
  var processor = 0.0

  static func += (sum: inout Spent, other: Spent) {
    sum.wall += other.wall
    sum.processor += other.processor
  }
}

/// Measures from its making to `read()`.
struct Stopwatch {
  private let processor: Double
  private let start: ContinuousClock.Instant

  init() {
    processor = Self.processorTime()
    start = .now
  }

  func read() -> Spent {
    let wall = start.duration(to: .now) / .nanoseconds(1)
    return Spent(wall: wall, processor: max(0, Self.processorTime() - processor - Self.ownTime))
  }

  /// The time of reading the clocks itself, which counts where something short is measured many times.
  private static let ownTime: Double =
    (0..<1_000).map { _ in
      let before = processorTime()
      let start = ContinuousClock.now
      withExtendedLifetime(start.duration(to: .now)) {}
      return processorTime() - before
    }.min() ?? 0

  static func measure(_ work: () throws -> Void) rethrows -> Spent {
    let watch = Stopwatch()
    try work()
    return watch.read()
  }

  /// Returns the processor time of all threads of the process, as `getrusage` does, by a clock that counts nanoseconds and not microseconds.
  static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// Waits for what a peer has left to other threads and to the main queue, so that it is counted for that peer and does not fall into
/// what is measured next.
enum Background {
  /// Less than this in one look is what the look itself costs.
  private static let quiet = 150_000.0
  /// Looks in a row that find nothing: between two pieces of work a thread may wait for the disk.
  private static let quietLooks = 2
  private static let longest = 10.0

  /// - Returns: The processor time of that work.
  static func finish() -> Double {
    let deadline = Date(timeIntervalSinceNow: longest)
    var (total, calm) = (0.0, 0)
    while calm < quietLooks, Date() < deadline {
      let spent = Stopwatch.measure {
        Thread.sleep(forTimeInterval: 0.001)
        _ = RunLoop.main.run(mode: .default, before: Date())
      }
      if spent.processor < quiet {
        calm += 1
      } else {
        calm = 0
        total += spent.processor
      }
    }
    return total
  }
}
