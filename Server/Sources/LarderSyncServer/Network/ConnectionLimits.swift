/// The limits of what connections may take of a server, before it is known who they are and after.
public struct ConnectionLimits: Hashable, Sendable {
  /// Connections in all.
  public var connections = 20_000
  /// Connections of one address, which for IPv6 is the network of 64 bits; 0 for no limit, as a server after a proxy needs it.
  public var connectionsPerAddress = 2_000
  /// A connection whose first message is not complete after so many milliseconds is closed, however far TLS and HTTP got.
  public var handshakeMilliseconds: Int64 = 15_000
  /// The bytes up to the end of the first message, those of HTTP included.
  public var handshakeBytes = 320 << 10
  /// The bytes of a message, in one frame of WebSocket or several.
  public var messageBytes = 17 << 20
  /// The bytes that are read of a connection in a second, averaged; so many may come at once as well.
  public var bytesPerSecond = 8 << 20
  /// The bytes of messages that may wait for their session: with so many, nothing more is read.
  public var waitingBytes = 1 << 20
  /// A connection that says nothing for so many milliseconds is closed; after half of them it gets a ping.
  public var idleMilliseconds: Int64 = 120_000
  /// The time that the other side may take to read what is left and to close as well, in milliseconds.
  public var closeMilliseconds: Int64 = 10_000

  /// The usual limits.
  public init() {}
}
