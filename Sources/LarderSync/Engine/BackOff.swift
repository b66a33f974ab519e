/// The waits between attempts: longer with each failure, and not the same for all devices of a server.
struct BackOff: Hashable, Sendable {
  let least: Duration
  let most: Duration
  /// Failures since the last success.
  private(set) var failures = 0

  init(least: Duration, most: Duration) {
    self.least = least
    self.most = most
  }

  /// The time to wait after one more failure: between the half and the whole of a time that doubles up to the longest.
  ///
  /// - Parameter chance: A number from 0 up to 1.
  mutating func next(_ chance: Double) -> Duration {
    let longest = min(most, least * Double(1 << min(failures, 20)))
    failures += 1
    return longest * (0.5 + chance / 2)
  }

  mutating func reset() { failures = 0 }
}
