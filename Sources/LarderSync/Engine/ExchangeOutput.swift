import LarderSyncProtocol

/// What an exchange wants done by what runs it.
struct ExchangeOutput: Sendable {
  /// Frames to send, in order.
  var frames: [[UInt8]] = []
  /// What to tell observers.
  var events: [EngineEvent] = []
  /// Waits that have ended.
  var endedWaits: [Int] = []
  /// Whether the server has answered the greeting.
  var isWelcomed = false
  /// Why the session is over; nil while it goes on.
  var end: SyncFailure?
  /// When the server will not accept the token any more, in milliseconds since 1970.
  var tokenEnd: UInt64?
  /// Why the server wants to be sent again later what it has not confirmed; nil when it does not.
  var stall: SyncFailure?
  /// Whether something went further that a later session need not do again.
  var hasProgressed = false
}
