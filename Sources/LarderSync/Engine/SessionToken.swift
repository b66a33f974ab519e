import LarderSyncProtocol

/// The tenant and the end of a session's token, as the device knows them. A value without clock.
///
/// The validity of the token is counted from the server's time at the welcome: the clock of the device may be wrong.
struct SessionToken: Hashable, Sendable {
  /// The tenant that the token names; nil for one that names none.
  let tenant: String?
  /// The time when the server will not accept the token any more, in milliseconds since 1970; nil as long as it has not said so.
  private(set) var end: UInt64?
  private var serverTime: UInt64 = 0
  private var welcomed = Duration.zero

  /// Before it is asked again, so that a source whose tokens are nearly over is not asked without a pause.
  private static let least = Duration.seconds(1)
  /// Times of tokens are as long as their issuers want; those of sleeping are not.
  private static let most: UInt64 = 365 * 24 * 60 * 60 * 1_000

  init(tenant: String?) { self.tenant = tenant }

  /// The server has welcomed the device, and said which time it has.
  mutating func welcome(_ time: SyncTime, at now: Duration) {
    serverTime = time.milliseconds
    welcomed = now
  }

  /// The server accepts the token until a time, in milliseconds since 1970.
  mutating func accept(until end: UInt64) { self.end = end }

  /// Returns the time until another token is asked for: until four fifths of what is left of this one's life are over (Y-56).
  func renewal(at now: Duration) -> Duration? {
    guard let end else { return nil }
    let left = Duration.milliseconds(Int64(min(end - min(end, serverTime), Self.most))) - (now - welcomed)
    return max(Self.least, left * 4 / 5)
  }
}
