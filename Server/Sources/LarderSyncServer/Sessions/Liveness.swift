import LarderSyncProtocol

/// Detects that the other side no longer answers, or does not take what it is sent. A value.
struct Liveness: Sendable {
  /// The state of the connection, or the next action for it.
  enum Verdict: Hashable, Sendable {
    case nothing, ping
    /// Nothing was heard for too long.
    case silent
    /// Nothing was taken for too long.
    case slow
  }

  private let ping: Int64
  private let silence: Int64
  private let slowest: Int64
  private var heard: Int64
  private var pinged: Int64
  private var written = 0
  private var took: Int64

  /// - Parameter slowest: milliseconds without a byte taken while some wait.
  init(_ limits: SessionLimits, slowest: Int64, now: Int64) {
    ping = Int64(limits.pingSeconds) * 1000
    silence = Int64(limits.silenceSeconds) * 1000
    self.slowest = slowest
    heard = now
    pinged = now
    took = now
  }

  /// Something came.
  mutating func hear(_ now: Int64) { heard = max(heard, now) }

  /// Returns the verdict for a time, when so many bytes were handed over in all and so many of them wait to be written.
  mutating func tick(_ now: Int64, handed: Int, unwritten: Int) -> Verdict {
    if unwritten == 0 || handed - unwritten > written { took = now }
    written = handed - unwritten
    if now - heard >= silence { return .silent }
    if now - took >= slowest { return .slow }
    guard now - max(heard, pinged) >= ping else { return .nothing }
    pinged = now
    return .ping
  }
}
