/// A moment, as seconds since 1970 and nanoseconds after them.
public struct SyncDate: Hashable, Sendable {
  /// Whole seconds since 1970, rounded down.
  public let seconds: Int64
  /// Nanoseconds after the seconds, below 1,000,000,000.
  public let nanoseconds: UInt32

  /// A moment; nil with nanoseconds that make a second or more.
  public init?(seconds: Int64, nanoseconds: UInt32) {
    guard nanoseconds < 1_000_000_000 else { return nil }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// A moment at a whole second.
  public init(seconds: Int64) {
    self.seconds = seconds
    nanoseconds = 0
  }
}

extension SyncDate: Comparable {
  public static func < (left: SyncDate, right: SyncDate) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
