import Testing

@testable import LarderSyncServer

/// The exchange before the messages, over real sockets.
@Suite struct NetworkUpgradeTests {
  @Test("a device connects, and messages go both ways in order")
  func echo() async throws {
    let server = try await ListenerFixture()
    let peer = try await RawPeer(port: server.port)
    let head = try await peer.upgrade()
    #expect(head.hasPrefix("HTTP/1.1 101 "))
    #expect(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    #expect(head.lowercased().contains("sec-websocket-protocol: larder-sync.1\r\n"))
    for number in 0..<100 { peer.sendFrame([UInt8(number), 1]) }
    for number in 0..<100 { #expect(try await peer.frame() == RawPeer.Frame(opcode: 2, bytes: [UInt8(number), 1])) }
    peer.close()
    try await eventually("the end of the session") {
      server.sessions.sessions.first?.isDisconnected == true ? true : nil
    }
  }

  @Test("another path, subprotocol, version or method is refused with a status, and the connection ends")
  func refusals() async throws {
    let server = try await ListenerFixture()
    func status(_ request: String) async throws -> String {
      let peer = try await RawPeer(port: server.port)
      peer.send(request)
      let head = try await peer.head()
      try await peer.ended()
      return String(head.prefix(12))
    }
    #expect(try await status(RawPeer.request("/")) == "HTTP/1.1 404")
    #expect(try await status(RawPeer.request("/larder/sync/10")) == "HTTP/1.1 404")
    #expect(try await status(RawPeer.request(subprotocol: "chat")) == "HTTP/1.1 400")
    #expect(try await status(RawPeer.request(version: "8")) == "HTTP/1.1 426")
    #expect(try await status("GET /larder/sync/1 HTTP/1.1\r\nHost: a\r\n\r\n") == "HTTP/1.1 426")
    #expect(try await status("POST /larder/sync/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n") == "HTTP/1.1 405")
    #expect(try await status("nonsense\r\n\r\n") == "HTTP/1.1 400")
    #expect(server.sessions.sessions.isEmpty)
  }

  @Test("a header that does not end is cut off")
  func largeHeader() async throws {
    let server = try await ListenerFixture()
    let peer = try await RawPeer(port: server.port)
    peer.send("GET /larder/sync/1 HTTP/1.1\r\nX: " + String(repeating: "a", count: 400_000))
    try await peer.ended()
  }

  @Test("a connection that does not get to its first message in time is closed, wherever it stays")
  func slowHandshake() async throws {
    var limits = ConnectionLimits.patient
    limits.handshakeMilliseconds = 8_000
    let server = try await ListenerFixture(limits)
    let silent = try await RawPeer(port: server.port)
    let half = try await RawPeer(port: server.port)
    half.send("GET /larder/sync/1 HT")
    let upgraded = try await server.peer()
    upgraded.send(Array(RawPeer.frame([1, 2, 3]).dropLast()))
    for peer in [silent, half, upgraded] { try await peer.ended() }
    #expect(server.problems("handshake_timeout") == 3)
    #expect(server.sessions.sessions.allSatisfy { $0.messages.isEmpty })
  }

  @Test("a connection that has said something is not held to the time of the handshake")
  func afterHandshake() async throws {
    var limits = ConnectionLimits.patient
    limits.handshakeMilliseconds = 8_000
    let server = try await ListenerFixture(limits)
    let peer = try await server.peer()
    peer.sendFrame([1])
    #expect(try await peer.frame().bytes == [1])
    let other = try await RawPeer(port: server.port)
    try await other.ended()
    peer.sendFrame([2])
    #expect(try await peer.frame().bytes == [2])
  }

  @Test("connections above the limit are closed, and there is room again when others end")
  func tooMany() async throws {
    var limits = ConnectionLimits.patient
    limits.connectionsPerAddress = 2
    let server = try await ListenerFixture(limits)
    let first = try await server.peer()
    let second = try await server.peer()
    let third = try await RawPeer(port: server.port)
    try await third.ended()
    #expect(server.problems("address") == 1)
    first.close()
    let fourth = try await eventually("room for another connection") { try? await server.peer() }
    fourth.sendFrame([4])
    #expect(try await fourth.frame().bytes == [4])
    second.sendFrame([2])
    #expect(try await second.frame().bytes == [2])
  }

  @Test("without TLS a server listens on this computer only")
  func plain() {
    for host in ["0.0.0.0", "::", "192.0.2.1", "127.example.org"] {
      let configuration = ListenerConfiguration(address: ListenAddress(host: host, port: 0))
      #expect(throws: ListenerError.plainText(configuration.address)) {
        try SyncListener(configuration, sessions: EchoSessions())
      }
    }
  }
}
