#if Sync
  import LarderSync
  import NIOCore
  import NIOPosix
  import NIOSSL
  import NIOWebSocket
  import Testing

  /// Real sockets on this computer.
  @Suite("Connections by WebSocket", .timeLimit(.minutes(10)))
  struct NIOTransportTests {
    private func connect(_ server: WebSocketServer) async throws -> any SyncConnection {
      try await NIOTransport().connect(SyncEndpoint(url: server.url()))
    }

    @Test("Messages of all sizes go there and back, in their order")
    func echo() async throws {
      let server = try await WebSocketServer()
      let connection = try await connect(server)
      let messages = [0, 1, 125, 126, 65_535, 65_536, 3_000_000].map { size in (0..<size).map { UInt8($0 % 251) } }
      for message in messages { try await connection.send(message) }
      for message in messages { #expect(try await connection.receive() == message) }
      await connection.close()
      #expect(try await connection.receive() == nil)
    }

    @Test("A message in several frames arrives whole, with a ping between them")
    func fragments() async throws {
      let server = try await WebSocketServer { message in
        [
          WebSocketFrame(fin: false, opcode: .binary, data: ByteBuffer(bytes: message)),
          WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(bytes: [7])),
          WebSocketFrame(fin: false, opcode: .continuation, data: ByteBuffer(bytes: [1, 2])),
          WebSocketFrame(fin: true, opcode: .continuation, data: ByteBuffer(bytes: [3])),
        ]
      }
      let connection = try await connect(server)
      try await connection.send([9])
      #expect(try await connection.receive() == [9, 1, 2, 3])
      #expect(try await connection.receive() == Array("ponged ".utf8) + [7])
    }

    @Test("The end of the connection by the server is an end, and sending after it an error")
    func serverCloses() async throws {
      let server = try await WebSocketServer { _ in
        [WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(bytes: [3, 232]))]
      }
      let connection = try await connect(server)
      try await connection.send([1])
      #expect(try await connection.receive() == nil)
      await #expect(throws: TransportError.closed) { try await connection.send([2]) }
    }

    @Test(
      "What is no message of synchronisation is an error",
      arguments: [WebSocketOpcode.text, .continuation])
    func noMessage(_ opcode: WebSocketOpcode) async throws {
      let server = try await WebSocketServer(greeting: [
        WebSocketFrame(fin: true, opcode: opcode, data: ByteBuffer(string: "hello"))
      ])
      let connection = try await connect(server)
      await #expect {
        _ = try await connection.receive()
      } throws: { error in
        if case .unreachable(let text)? = error as? TransportError { text.contains("no message") } else { false }
      }
    }

    @Test("An answer that is no connection has its status")
    func status() async throws {
      let server = try await WebSocketServer(path: "/elsewhere")
      await #expect(throws: TransportError.refused(status: 404)) { _ = try await connect(server) }
    }

    @Test("A port where nobody listens is unreachable, and the error names it")
    func nobody() async throws {
      let free = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
      let port = free.localAddress?.port ?? 0
      try await free.close()
      await #expect {
        _ = try await NIOTransport().connect(SyncEndpoint(url: "ws://127.0.0.1:\(port)/"))
      } throws: { error in
        if case .unreachable(let text)? = error as? TransportError { text.contains("\(port)") } else { false }
      }
    }

    @Test("Another computer needs TLS, unless the program allows to go without")
    func plainText() async throws {
      await #expect {
        _ = try await NIOTransport().connect(SyncEndpoint(url: "ws://192.0.2.1/larder/sync/1"))
      } throws: { error in
        if case .plainText? = error as? TransportError { true } else { false }
      }
    }

    @Test("A server that never answers is given up when the task is cancelled")
    func silence() async throws {
      let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0).get()
      let port = silent.localAddress?.port ?? 0
      let task = Task { try await NIOTransport().connect(SyncEndpoint(url: "ws://127.0.0.1:\(port)/")) }
      try await Task.sleep(for: .milliseconds(50))
      task.cancel()
      await #expect(throws: CancellationError.self) { _ = try await task.value }
      try await silent.close()
    }

    @Test("A task that waits for a message ends when it is cancelled")
    func cancelledReceive() async throws {
      let server = try await WebSocketServer()
      let connection = try await connect(server)
      let task = Task { try await connection.receive() }
      try await Task.sleep(for: .milliseconds(20))
      task.cancel()
      #expect(try await task.value == nil)
    }

    @Test("TLS with a certificate that the program trusts, by name and by address")
    func trusted() async throws {
      let certificate = try TestCertificate.local
      let server = try await WebSocketServer(tls: certificate.server)
      for host in ["localhost", "127.0.0.1"] {
        let endpoint = SyncEndpoint(url: server.url("wss", host: host), trustedCertificates: [certificate.pem])
        let connection = try await NIOTransport().connect(endpoint)
        try await connection.send([1, 2, 3])
        #expect(try await connection.receive() == [1, 2, 3])
        await connection.close()
      }
    }

    @Test("A certificate that is not trusted, or for another name, is an error of TLS", arguments: [true, false])
    func untrusted(_ isTrusted: Bool) async throws {
      let certificate = try TestCertificate.foreign
      let server = try await WebSocketServer(tls: certificate.server)
      let endpoint = SyncEndpoint(
        url: server.url("wss", host: "localhost"), trustedCertificates: isTrusted ? [certificate.pem] : [])
      await #expect {
        _ = try await NIOTransport().connect(endpoint)
      } throws: { error in
        if case .tls? = error as? TransportError { true } else { false }
      }
    }

    @Test("A server that speaks no TLS from 1.2 on is not connected to", arguments: [TLSVersion.tlsv11, .tlsv12])
    func versions(_ newest: TLSVersion) async throws {
      let certificate = try TestCertificate.local(upTo: newest)
      let server = try await WebSocketServer(tls: certificate.server)
      let endpoint = SyncEndpoint(
        url: server.url("wss", host: "localhost"), trustedCertificates: [certificate.pem])
      guard newest == .tlsv11 else {
        await (try NIOTransport().connect(endpoint)).close()
        return
      }
      await #expect {
        _ = try await NIOTransport().connect(endpoint)
      } throws: { error in
        if case .tls? = error as? TransportError { true } else { false }
      }
    }

    @Test("Trusted certificates that are none are an error of TLS, before anything is sent")
    func noCertificate() async throws {
      let endpoint = SyncEndpoint(url: "wss://localhost:1/", trustedCertificates: [[1, 2, 3]])
      await #expect {
        _ = try await NIOTransport().connect(endpoint)
      } throws: { error in
        if case .tls? = error as? TransportError { true } else { false }
      }
    }
  }
#endif
