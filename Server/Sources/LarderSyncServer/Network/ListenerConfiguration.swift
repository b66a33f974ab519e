/// How devices reach a server.
public struct ListenerConfiguration: Sendable {
  /// Where it listens.
  public var address: ListenAddress
  /// What TLS is done with; nil for none, which is accepted on addresses of this computer only.
  public var tls: TLSIdentity?
  /// At most so many connections at once.
  public var mostConnections: Int
  /// At most so many connections from one address at once.
  public var mostPerAddress: Int
  /// A connection that is not a WebSocket after so many seconds is closed.
  public var handshakeSeconds: Int
  /// At most so many bytes in one message.
  public var mostMessageBytes: Int

  /// A configuration with the usual limits: 20,000 connections, 2,000 from one address, 10 seconds, 17 MiB.
  public init(address: ListenAddress, tls: TLSIdentity? = nil) {
    self.address = address
    self.tls = tls
    mostConnections = 20_000
    mostPerAddress = 2_000
    handshakeSeconds = 10
    mostMessageBytes = 17 << 20
  }
}
