/// The number of bytes that a connection may still send. A value; times are milliseconds of a clock that only goes forward.
struct InboundAllowance: Sendable {
  private let perSecond: Double
  private var left: Double
  private var time: Int64
  /// Bytes that are left up to the end of the first message; nil after it.
  private var leftOfHandshake: Int?

  init(_ limits: ConnectionLimits, now: Int64) {
    perSecond = Double(max(1, limits.bytesPerSecond))
    left = perSecond
    time = now
    leftOfHandshake = limits.handshakeBytes
  }

  /// Takes bytes that came; false when they are more than a connection may send before its first message is complete.
  mutating func take(_ bytes: Int, now: Int64) -> Bool {
    refill(now)
    left -= Double(bytes)
    guard let handshake = leftOfHandshake else { return true }
    leftOfHandshake = handshake - bytes
    return bytes <= handshake
  }

  /// The first message is complete.
  mutating func endHandshake() { leftOfHandshake = nil }

  /// Returns the number of milliseconds for which nothing should be read; nil for none.
  mutating func pause(now: Int64) -> Int64? {
    refill(now)
    guard left < 0 else { return nil }
    return max(1, Int64((-left / perSecond * 1000).rounded(.up)))
  }

  private mutating func refill(_ now: Int64) {
    left = min(perSecond, left + perSecond * Double(max(0, now - time)) / 1000)
    time = max(time, now)
  }
}
