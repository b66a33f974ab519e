/// Detects that a connection has become silent. A value; times are milliseconds of a clock that only goes forward.
struct IdleWatch: Sendable {
  /// The next action for the connection.
  enum Verdict: Hashable, Sendable {
    case nothing, ping, close
  }

  private let limit: Int64
  private var heard: Int64
  private var hasPinged = false

  init(_ limits: ConnectionLimits, now: Int64) {
    limit = max(1, limits.idleMilliseconds)
    heard = now
  }

  /// The interval at which the clock should be read.
  var interval: Int64 { max(1, limit / 4) }

  /// Something came.
  mutating func hear(_ now: Int64) {
    heard = now
    hasPinged = false
  }

  /// Returns the action for a time.
  ///
  /// - Parameter isReading: Whether the server waits for bytes. While it does not read, silence says nothing.
  mutating func tick(_ now: Int64, isReading: Bool) -> Verdict {
    guard isReading else {
      hear(now)
      return .nothing
    }
    if now - heard >= limit { return .close }
    guard !hasPinged, now - heard >= limit / 2 else { return .nothing }
    hasPinged = true
    return .ping
  }
}
