#if Sync
  import LarderSync
  import LarderSyncProtocol

  /// A connection to a server over which a test sends what bytes it wants.
  struct RawDevice {
    private let connection: any SyncConnection

    init(_ server: ServerProcess) async throws {
      connection = try await NIOTransport().connect(SyncEndpoint(url: server.url + "/larder/sync/1"))
    }

    func send(_ bytes: [UInt8]) async throws { try await connection.send(bytes) }

    func send(_ message: SyncMessage, site: SiteID? = nil) async throws {
      try await send(SyncFrame(message).encoded(site: site))
    }

    /// The greeting of a device that has nothing yet.
    static func hello(
      _ token: String, oldest: ProtocolVersion = .current, newest: ProtocolVersion = .current
    ) -> SyncMessage {
      .hello(
        Hello(
          oldest: oldest, newest: newest, tenant: "geo", token: SyncText(token), agent: "test", credential: nil,
          incarnation: 1, schemaFingerprint: 1,
          position: SyncPosition(
            epoch: 0, cursor: nil, view: nil, retained: RetainedCommits(first: 1, nonces: [])), expands: false))
    }

    /// The next message of the server that is neither a question whether the device is there nor about its token; nil when it has ended the
    /// connection.
    func receive(site: SiteID? = nil) async throws -> SyncMessage? {
      while let bytes = try await connection.receive() {
        let message = try SyncFrame(decoding: bytes, site: site).message
        switch message {
        case .ping, .authenticated: continue
        default: return message
        }
      }
      return nil
    }

    /// Returns the outcome of a conversation, and begins another one when it came to nothing and took so long that the server may have given up
    /// waiting, as it may beside tests that compute on all threads.
    static func conversation<Value: Sendable>(
      isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value?
    ) async throws -> Value? {
      for _ in 0..<50 {
        let start = ContinuousClock.now
        do {
          if let value = try await body() { return value }
        } catch let error as TransportError {
          guard ContinuousClock.now - start > .seconds(10) else { throw error }
        }
        guard ContinuousClock.now - start > .seconds(10) else { return nil }
      }
      return try await body()
    }

    /// Greets, and returns the server's answer.
    func welcome(_ token: String) async throws -> Welcome? {
      try await send(Self.hello(token))
      guard case .welcome(let welcome) = try await receive() else { return nil }
      return welcome
    }

    /// Returns the failure that the server sends before it ends the connection, which it has to.
    func failure() async throws -> SyncFailure? {
      var found: SyncFailure?
      while let message = try await receive() { if case .failure(let failure) = message { found = failure } }
      return found
    }
  }
#endif
