/// The times that an engine waits.
package struct EngineTimeouts: Hashable, Sendable {
  /// The time for a connection and the server's answer to the greeting.
  package var connect = Duration.seconds(30)
  /// Silence after which a ping is sent, if the server does not want it earlier.
  package var ping = Duration.seconds(15)
  /// Silence after which the connection is given up, if the server does not do it earlier.
  package var silence = Duration.seconds(30)
  /// The least time between two attempts to connect, which doubles with each failure.
  package var leastBackOff = Duration.seconds(1)
  /// The longest time between two attempts to connect.
  package var mostBackOff = Duration.seconds(60)

  package init() {}
}

/// The configuration that a program gives an engine.
package struct EngineConfiguration: Sendable {
  /// The address of the server with the path of synchronisation.
  package var url: String
  /// The set of data; empty for the one that the token names.
  package var tenant: String
  /// The set of data that a token names; nil for one that names none.
  package var tenantOfToken: @Sendable (String) -> String?
  /// The name of the program, for the server's log.
  package var agent: String
  /// The source of tokens.
  package var tokens: any TokenSource
  /// The maker of connections.
  package var transport: any SyncTransport
  /// Time and chance.
  package var clock: EngineClock
  /// More headers of the request that begins a connection; asked at each one.
  package var headers: @Sendable () -> [String: String]
  /// Certificates that are trusted in place of the system's.
  package var trustedCertificates: [[UInt8]]
  /// True if a connection without TLS may lead to another computer.
  package var allowsPlainText: Bool
  /// True if parts of a bootstrap become visible before all of it is there (Y-19).
  package var appliesProgressively: Bool
  /// True if the engine tells the server at the beginning of each session which classes the store has (Y-49). A server in development mode takes them
  /// over; another one answers which it does not have.
  package var pushesSchema: Bool
  /// The times that the engine waits.
  package var timeouts: EngineTimeouts
  /// The handling of a state that does not fit the server's any more.
  package var reset = ResetPlan()

  package init(
    url: String, tenant: String = "", agent: String = "", tokens: any TokenSource, transport: any SyncTransport,
    clock: EngineClock = .system
  ) {
    self.url = url
    self.tenant = tenant
    self.agent = agent
    self.tokens = tokens
    self.transport = transport
    self.clock = clock
    tenantOfToken = { _ in nil }
    headers = { [:] }
    trustedCertificates = []
    allowsPlainText = false
    appliesProgressively = false
    pushesSchema = true
    timeouts = EngineTimeouts()
  }
}
