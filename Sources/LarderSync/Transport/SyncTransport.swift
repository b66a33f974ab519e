/// The address that a connection leads to, with the options of the connection.
package struct SyncEndpoint: Hashable, Sendable {
  /// The address, with the scheme `ws` or `wss`.
  package var url: String
  /// More headers of the request that begins the connection.
  package var headers: [String: String]
  /// Certificates, as DER or PEM, that are trusted in place of the system's; empty for those.
  package var trustedCertificates: [[UInt8]]
  /// True if a connection without TLS may lead to another computer than this one.
  package var allowsPlainText: Bool

  package init(
    url: String, headers: [String: String] = [:], trustedCertificates: [[UInt8]] = [], allowsPlainText: Bool = false
  ) {
    self.url = url
    self.headers = headers
    self.trustedCertificates = trustedCertificates
    self.allowsPlainText = allowsPlainText
  }
}

/// A maker of connections to a server.
package protocol SyncTransport: Sendable {
  /// Connects. Cancelling the task gives up.
  ///
  /// - Throws: `TransportError`.
  func connect(_ endpoint: SyncEndpoint) async throws -> any SyncConnection
}

/// A connection that carries messages of bytes both ways. One task at a time sends, and one at a time receives.
package protocol SyncConnection: Sendable {
  /// Sends a message, and waits while too much is on its way.
  func send(_ bytes: [UInt8]) async throws

  /// The next message; nil when the connection has ended.
  func receive() async throws -> [UInt8]?

  /// Ends the connection once what was given to `send` is written.
  func close() async
}

/// The reason why there is no connection.
package enum TransportError: Error, Hashable, Sendable {
  /// The address is none of a server.
  case address(String)
  /// A connection without TLS to another computer, which the program has not allowed.
  case plainText(String)
  /// The server could not be reached, or the connection broke.
  case unreachable(String)
  /// The certificate of the server is not trusted, or TLS failed in another way.
  case tls(String)
  /// The server answered with a status of HTTP that is not a connection.
  case refused(status: Int)
  /// The connection is closed.
  case closed
  /// The package was built without the trait `Sync`.
  case unavailable
}
