import LarderSyncProtocol

/// The actions that an exchange wants from its caller.
struct ExchangeOutput: Sendable {
  /// Frames to send, in order.
  var frames: [[UInt8]] = []
  /// The events to report to observers.
  var events: [EngineEvent] = []
  /// Waits that have ended.
  var endedWaits: [Int] = []
  /// True if the server has answered the greeting.
  var isWelcomed = false
  /// The failure that ends the session; nil while it goes on.
  var end: SyncFailure?
  /// The time when the server will not accept the token any more, in milliseconds since 1970.
  var tokenEnd: UInt64?
  /// The failure with which the server asks to be sent again later what it has not confirmed; nil when it does not.
  var stall: SyncFailure?
  /// True if the session made progress that a later one need not make again.
  var hasProgressed = false
}
