/// The number and duration of repeated attempts at a transaction.
public struct RetryPolicy: Hashable, Sendable {
  /// The largest number of attempts when other transactions are in the way.
  public var conflicts: Int
  /// The time for which new connections are tried when one was lost.
  public var connectionTime: Duration
  /// The first pause; each following one is twice as long, up to `longestPause`, and then a random part of it.
  public var firstPause: Duration
  public var longestPause: Duration

  public init(
    conflicts: Int = 20, connectionTime: Duration = .seconds(10), firstPause: Duration = .milliseconds(2),
    longestPause: Duration = .milliseconds(500)
  ) {
    self.conflicts = conflicts
    self.connectionTime = connectionTime
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// The pause before an attempt; the first after a failure is attempt 1.
  func pause(before attempt: Int) -> Duration {
    var longest = firstPause
    for _ in 1..<max(1, min(attempt, 20)) where longest < longestPause { longest = longest * 2 }
    return min(longest, longestPause) * Double.random(in: 0.5...1)
  }
}
