import Foundation
import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// The server on a real port.
@Suite("Connections of devices", .timeLimit(.minutes(5)))
struct ListenerTests {
  private static let secret = Array("a secret of the tests that is long enough".utf8)

  /// Runs a body while a server serves.
  private func withServer(
    _ change: @Sendable (inout ListenerConfiguration) -> Void = { _ in },
    _ body: @Sendable (_ port: Int, _ hub: SyncHub) async throws -> Void
  ) async throws {
    let store = try await Backend.memory.make()
    let verifier = JWTVerifier(keys: try await TokenKeys(developmentSecret: Self.secret))
    let tenants = StoredTenants(store: store.store, isDevelopment: true)
    let hub = SyncHub(
      store: store.store, hints: InProcessHintBus(), verifier: verifier,
      configuration: HubConfiguration(tenants: tenants))
    var configuration = ListenerConfiguration(address: ListenAddress(host: "127.0.0.1", port: 0))
    configuration.limits.closeMilliseconds = 200
    change(&configuration)
    let listener = try SyncListener(configuration, sessions: hub, logger: .quiet)
    let (ports, port) = AsyncStream<Int>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await listener.run { port.yield($0.port) } }
      for await number in ports {
        try await body(number, hub)
        break
      }
      group.cancelAll()
      while let result = await group.nextResult() {
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
      }
    }
  }

  private func status(_ answer: [UInt8]) -> String {
    String(String(decoding: answer, as: UTF8.self).prefix { $0 != "\r\n" })
  }

  @Test("A request for another path, or without the subprotocol, is refused with a status")
  func otherRequests() async throws {
    try await withServer { port, _ in
      let elsewhere = try await RawConnection(port: port).exchange([WebSocketBytes.upgrade(path: "/")])
      #expect(status(elsewhere) == "HTTP/1.1 404 Not Found")
      let bare = try await RawConnection(port: port).exchange([WebSocketBytes.upgrade(subprotocol: nil)])
      #expect(status(bare) == "HTTP/1.1 400 Bad Request")
      let plain = try await RawConnection(port: port).exchange([
        Array("GET /larder/sync/1 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      ])
      #expect(status(plain) == "HTTP/1.1 426 Upgrade Required")
    }
  }

  @Test("A device that greets with a token is welcomed, in whatever pieces its bytes come")
  func welcome() async throws {
    try await withServer { port, hub in
      let token = try await TokenSigner(secret: Self.secret).token(
        subject: "anna", tenant: "acme", expires: Int64(Date().timeIntervalSince1970) + 60)
      let hello = Hello(
        tenant: "", token: SyncText(token), agent: "tests", credential: nil, incarnation: 1, schemaFingerprint: 0,
        position: SyncPosition(epoch: 0, cursor: nil, view: nil, retained: RetainedCommits(first: 1, nonces: [])),
        expands: false)
      let message = SyncFrame(.hello(hello)).encoded()
      var frames: [[UInt8]] = []
      for (index, part) in stride(from: 0, to: message.count, by: 100).enumerated() {
        let end = min(part + 100, message.count)
        frames.append(
          WebSocketBytes.frame(index == 0 ? 2 : 0, Array(message[part..<end]), isLast: end == message.count))
      }
      let bytes = frames.flatMap { $0 }.map { [$0] }
      let answer = try await RawConnection(port: port).exchange([WebSocketBytes.upgrade()] + bytes) {
        !WebSocketBytes.frames($0).isEmpty
      }
      #expect(String(decoding: answer, as: UTF8.self).contains("larder-sync.1"))
      let first = try #require(WebSocketBytes.frames(answer).first)
      #expect(first.opcode == 2)
      var buffer = FrameBuffer()
      buffer.append(first.payload)
      guard case .welcome? = try buffer.next()?.message else {
        Issue.record("the answer is no welcome: \(first.payload)")
        return
      }
      #expect(hub.metrics.sentBytes > 0)
    }
  }

  @Test(
    "Frames that break the protocol of WebSocket end the connection with the code for it",
    arguments: [
      (WebSocketBytes.frame(1, Array("text".utf8)), 1003),
      (WebSocketBytes.frame(0, [1]), 1002),
      (WebSocketBytes.frame(2, [1], isMasked: false), 1002),
    ])
  func brokenFrames(_ frame: [UInt8], _ code: Int) async throws {
    try await withServer { port, _ in
      let answer = try await RawConnection(port: port).exchange([WebSocketBytes.upgrade(), frame])
      let last = try #require(WebSocketBytes.frames(answer).last)
      #expect(last.opcode == 8)
      #expect(Int(last.payload[0]) << 8 | Int(last.payload[1]) == code)
    }
  }

  @Test("A frame or a message that is too large is not waited for")
  func tooLarge() async throws {
    try await withServer { port, _ in
      let frame = try await RawConnection(port: port).exchange([
        WebSocketBytes.upgrade(), WebSocketBytes.head(2, promising: 1 << 40),
      ])
      #expect(!WebSocketBytes.frames(frame).contains { $0.opcode == 2 })
    }
    try await withServer({ $0.limits.messageBytes = 100 }) { port, _ in
      let parts = [
        WebSocketBytes.frame(2, [UInt8](repeating: 1, count: 60), isLast: false),
        WebSocketBytes.frame(0, [UInt8](repeating: 1, count: 60)),
      ]
      let message = try await RawConnection(port: port).exchange([WebSocketBytes.upgrade()] + parts)
      #expect(WebSocketBytes.frames(message).last?.payload.prefix(2) == [3, 241])
    }
  }

  @Test("A ping is answered with its bytes, and a close with a close")
  func pingAndClose() async throws {
    try await withServer { port, _ in
      let answer = try await RawConnection(port: port).exchange([
        WebSocketBytes.upgrade(), WebSocketBytes.frame(9, [7, 8]), WebSocketBytes.frame(8, [3, 232]),
      ])
      let frames = WebSocketBytes.frames(answer)
      #expect(frames.first?.opcode == 10)
      #expect(frames.first?.payload == [7, 8])
      #expect(frames.last?.opcode == 8)
    }
  }

  @Test("A connection that does not become a WebSocket in time is closed")
  func slowHandshake() async throws {
    try await withServer({ $0.limits.handshakeMilliseconds = 300 }) { port, _ in
      let answer = try await RawConnection(port: port).exchange([Array("GET /larder".utf8)])
      #expect(answer.isEmpty)
    }
  }

  @Test("More connections from one address than allowed are closed, and there is room again afterwards")
  func tooMany() async throws {
    try await withServer({ $0.limits.connectionsPerAddress = 1 }) { port, _ in
      let first = try await RawConnection(port: port)
      let answer = try await RawConnection(port: port).exchange([WebSocketBytes.upgrade(path: "/")])
      #expect(answer.isEmpty)
      #expect(status(try await first.exchange([WebSocketBytes.upgrade(path: "/")])) == "HTTP/1.1 404 Not Found")
      var later: [UInt8] = []
      for _ in 0..<200 where later.isEmpty {
        later = try await RawConnection(port: port).exchange([WebSocketBytes.upgrade(path: "/")])
        if later.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
      }
      #expect(status(later) == "HTTP/1.1 404 Not Found")
    }
  }

  @Test("Without TLS only addresses of this computer are listened on")
  func plainText() async throws {
    let configuration = ListenerConfiguration(address: ListenAddress(host: "0.0.0.0", port: 0))
    let hub = SyncHub(
      store: try await Backend.memory.make().store, hints: InProcessHintBus(),
      verifier: JWTVerifier(keys: try await TokenKeys(developmentSecret: Self.secret)),
      configuration: HubConfiguration(
        tenants: StoredTenants(store: try await Backend.memory.make().store, isDevelopment: true)))
    #expect(throws: ListenerError.plainText(configuration.address)) { try SyncListener(configuration, sessions: hub) }
  }
}
