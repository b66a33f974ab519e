#if Sync
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL
  import NIOWebSocket
  import TestSupport

  /// A WebSocket server on this computer, which answers as a script says.
  final class WebSocketServer: Sendable {
    /// The answer of the server to a message: frames to send.
    typealias Script = @Sendable ([UInt8]) -> [WebSocketFrame]

    private let channel: any Channel
    let port: Int

    /// - Parameter greeting: Frames that are sent at the beginning of each connection.
    init(
      tls: NIOSSLContext? = nil, path: String = "/larder/sync/1", greeting: [WebSocketFrame] = [],
      script: @escaping Script = { [WebSocketServer.binary($0)] }
    ) async throws {
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
            let upgrader = NIOWebSocketServerUpgrader(
              maxFrameSize: 64 << 20,
              shouldUpgrade: { channel, head in
                channel.eventLoop.makeSucceededFuture(head.uri == path ? HTTPHeaders() : nil)
              },
              upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                  try channel.pipeline.syncOperations.addHandler(ScriptHandler(greeting, script))
                }
              })
            let refusal = NotFound()
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
              withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { $0.pipeline.syncOperations.removeHandler(refusal, promise: nil) }
              ))
            try channel.pipeline.syncOperations.addHandler(refusal)
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      self.channel = channel
      port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    func url(_ scheme: String = "ws", host: String = "127.0.0.1") -> String {
      "\(scheme)://\(host):\(port)/larder/sync/1"
    }

    static func binary(_ bytes: [UInt8]) -> WebSocketFrame {
      WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: bytes))
    }
  }

  private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let greeting: [WebSocketFrame]
    private let script: WebSocketServer.Script

    init(_ greeting: [WebSocketFrame], _ script: @escaping WebSocketServer.Script) {
      self.greeting = greeting
      self.script = script
    }

    func handlerAdded(context: ChannelHandlerContext) { send(greeting, context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      let bytes = Array(frame.unmaskedData.readableBytesView)
      switch frame.opcode {
      case .binary: send(script(bytes), context)
      case .pong: send([WebSocketServer.binary(Array("ponged ".utf8) + bytes)], context)
      default: context.close(promise: nil)
      }
    }

    private func send(_ frames: [WebSocketFrame], _ context: ChannelHandlerContext) {
      for frame in frames { context.write(wrapOutboundOut(frame), promise: nil) }
      context.flush()
    }
  }

  private final class NotFound: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .end = unwrapInboundIn(data) else { return }
      let head = HTTPResponseHead(version: .http1_1, status: .notFound, headers: ["Content-Length": "0"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  /// A certificate of Fixtures/certificates.
  struct TestCertificate {
    let pem: [UInt8]
    let server: NIOSSLContext

    /// For `localhost` and 127.0.0.1.
    static var local: TestCertificate { get throws { try TestCertificate("localhost") } }

    /// For another computer.
    static var foreign: TestCertificate { get throws { try TestCertificate("example.org") } }

    /// For `localhost`, with a server that speaks no newer version of TLS than one.
    static func local(upTo version: TLSVersion) throws -> TestCertificate { try TestCertificate("localhost", version) }

    private init(_ name: String, _ newest: TLSVersion? = nil) throws {
      let path = "\(fixtures)/certificates/\(name)"
      pem = Array(try Data(contentsOf: URL(fileURLWithPath: path + ".pem")))
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMBytes(pem).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: path + ".key.pem", format: .pem)))
      configuration.maximumTLSVersion = newest
      server = try NIOSSLContext(configuration: configuration)
    }
  }
#endif
