/// Whether a connection still says something. A value; times are milliseconds of a clock that only goes forward.
struct IdleWatch: Sendable {
  /// What is to be done.
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

  /// How often the clock should be looked at.
  var interval: Int64 { max(1, limit / 4) }

  /// Something came.
  mutating func hear(_ now: Int64) {
    heard = now
    hasPinged = false
  }

  /// What is to be done at a time.
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
