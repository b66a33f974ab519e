#if Sync
  import LarderLocks
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOSSL
  import NIOWebSocket

  /// One attempt to connect, which can be given up.
  final class ConnectionAttempt: Sendable {
    private enum Outcome: Sendable {
      case connected(NIOSyncConnection)
      case refused(EventLoopFuture<Int>)
    }

    private struct State {
      var channel: (any Channel)?
      var isGivenUp = false
      /// The first error of TLS: what comes of it later tells less.
      var tlsError: TransportError?
    }

    private let address: EndpointAddress
    private let headers: [String: String]
    private let tls: NIOSSLContext?
    private let state = Lock(State())

    /// - Throws: `TransportError.tls` for certificates that are none.
    init(_ address: EndpointAddress, _ endpoint: SyncEndpoint) throws {
      self.address = address
      headers = endpoint.headers
      tls = address.isEncrypted ? try Self.context(endpoint.trustedCertificates) : nil
    }

    private static func context(_ trusted: [[UInt8]]) throws -> NIOSSLContext {
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      do {
        if !trusted.isEmpty {
          configuration.trustRoots = .certificates(try trusted.flatMap { try certificates($0) })
        }
        return try NIOSSLContext(configuration: configuration)
      } catch {
        throw TransportError.tls("the trusted certificates cannot be read: \(error)")
      }
    }

    private static func certificates(_ bytes: [UInt8]) throws -> [NIOSSLCertificate] {
      bytes.starts(with: Array("-----BEGIN".utf8))
        ? try NIOSSLCertificate.fromPEMBytes(bytes) : [try NIOSSLCertificate(bytes: bytes, format: .der)]
    }

    /// - Throws: `TransportError`, or `CancellationError` when it was given up.
    func run(on group: any EventLoopGroup) async throws -> NIOSyncConnection {
      do {
        let upgrade = try await ClientBootstrap(group: group)
          .channelOption(.autoRead, value: true)
          .channelOption(.socketOption(.so_keepalive), value: 1)
          .connect(host: address.host, port: address.port) { self.begin($0) }
        switch try await upgrade.get() {
        case .connected(let connection): return connection
        case .refused(let status): throw TransportError.refused(status: try await status.get())
        }
      } catch {
        close()
        let (isGivenUp, tlsError) = state.withLock { ($0.isGivenUp, $0.tlsError) }
        if isGivenUp { throw CancellationError() }
        throw tlsError ?? NIOTransport.translated(error)
      }
    }

    /// Ends the attempt, from any thread.
    func giveUp() {
      state.withLock { $0.isGivenUp = true }
      close()
    }

    private func close() { state.withLock { $0.channel }?.close(promise: nil) }

    private func begin(_ channel: any Channel) -> EventLoopFuture<EventLoopFuture<Outcome>> {
      let isGivenUp = state.withLock { state in
        state.channel = channel
        return state.isGivenUp
      }
      return channel.eventLoop.makeCompletedFuture {
        if isGivenUp { throw CancellationError() }
        if let tls {
          let handler = try NIOSSLClientHandler(context: tls, serverHostname: address.isNumeric ? nil : address.host)
          try channel.pipeline.syncOperations.addHandler(handler)
          try channel.pipeline.syncOperations.addHandler(TLSErrorObserver { [weak self] in self?.note($0) })
        }
        let upgrade = NIOTypedHTTPClientUpgradeConfiguration(
          upgradeRequestHead: request, upgraders: [upgrader],
          notUpgradingCompletionHandler: { channel in
            channel.eventLoop.makeCompletedFuture {
              let status = channel.eventLoop.makePromise(of: Int.self)
              try channel.pipeline.syncOperations.addHandler(RefusalReader(status))
              return Outcome.refused(status.futureResult)
            }
          })
        var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
        // A server may send its first frame together with its answer.
        pipeline.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
      }
    }

    private func note(_ error: any Error) {
      state.withLock { state in
        if state.tlsError == nil, case .tls(let text) = NIOTransport.translated(error) { state.tlsError = .tls(text) }
      }
    }

    private var request: HTTPRequestHead {
      var fields = HTTPHeaders()
      fields.add(name: "Host", value: address.hostHeader)
      fields.add(name: "Sec-WebSocket-Protocol", value: "larder-sync.1")
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields.replaceOrAdd(name: name, value: value) }
      return HTTPRequestHead(version: .http1_1, method: .GET, uri: address.target, headers: fields)
    }

    private var upgrader: NIOTypedWebSocketClientUpgrader<Outcome> {
      NIOTypedWebSocketClientUpgrader(maxFrameSize: WebSocketHandler.messageLimit) { channel, _ in
        channel.setOption(.autoRead, value: false).flatMapThrowing {
          let handler = WebSocketHandler()
          try channel.pipeline.syncOperations.addHandler(handler)
          return .connected(try NIOSyncConnection(channel: channel, handler: handler))
        }
      }
    }
  }

  /// Sees errors of TLS on their way.
  private final class TLSErrorObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let note: (any Error) -> Void

    init(_ note: @escaping (any Error) -> Void) { self.note = note }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      note(error)
      context.fireErrorCaught(error)
    }
  }

  /// Takes the status of an answer that is not a connection.
  private final class RefusalReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let status: EventLoopPromise<Int>

    init(_ status: EventLoopPromise<Int>) { self.status = status }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .head(let head) = unwrapInboundIn(data) {
        status.succeed(Int(head.status.code))
        context.close(promise: nil)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      status.fail(ChannelError.eof)
      context.fireChannelInactive()
    }
  }
#endif
