import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket
import Synchronization

/// Waits for devices on a port, and gives each connection a session of the hub.
public final class SyncListener: Sendable {
  /// The path that devices ask for.
  public static let path = "/larder/sync/1"
  /// The protocol within WebSocket.
  public static let subprotocol = "larder-sync.1"

  private enum Upgrade: Sendable {
    case socket(DeviceConnection.Socket)
    case none
  }

  private let configuration: ListenerConfiguration
  private let hub: SyncHub
  private let logger: Logger
  private let counts: Mutex<ConnectionCounts>

  /// A listener that does not listen yet.
  ///
  /// - Throws: `ListenerError.plainText` when the configuration has no TLS and an address that other computers reach.
  public init(
    _ configuration: ListenerConfiguration, hub: SyncHub, logger: Logger = Logger(label: "larder-sync.network")
  ) throws(ListenerError) {
    guard configuration.tls != nil || configuration.address.isLoopback else {
      throw .plainText(configuration.address)
    }
    self.configuration = configuration
    self.hub = hub
    self.logger = logger
    counts = Mutex(
      ConnectionCounts(most: configuration.mostConnections, mostPerAddress: configuration.mostPerAddress))
  }

  /// Connections that are open now, whatever they have become.
  public var openConnections: Int { counts.withLock { $0.total } }

  /// Connections that were closed because there were too many.
  public var refusedConnections: UInt64 { counts.withLock { $0.refused } }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter ready: Called with the address when connections are accepted.
  /// - Throws: `ListenerError.address`.
  public func run(ready: @Sendable (ListenAddress) -> Void) async throws {
    let server: NIOAsyncChannel<EventLoopFuture<Upgrade>, Never>
    do {
      server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 1024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .bind(host: configuration.address.host, port: configuration.address.port) { self.begin($0) }
    } catch {
      throw ListenerError.address(configuration.address, "\(error)")
    }
    let port = server.channel.localAddress?.port ?? configuration.address.port
    ready(ListenAddress(host: configuration.address.host, port: port))
    try await server.executeThenClose { connections in
      try await withThrowingDiscardingTaskGroup { group in
        for try await connection in connections {
          group.addTask { await self.serve(connection) }
        }
      }
    }
  }

  private func serve(_ connection: EventLoopFuture<Upgrade>) async {
    do {
      guard case .socket(let socket) = try await connection.get() else { return }
      let peer = socket.channel.remoteAddress?.description ?? "unknown"
      var device = DeviceConnection(socket, hub: hub, peer: peer, limit: configuration.mostMessageBytes)
      await device.run()
    } catch {
      logger.debug("a connection did not become one of a device", metadata: ["reason": "\(error)"])
    }
  }

  // MARK: - The beginning of a connection, on its event loop

  private func begin(_ channel: any Channel) -> EventLoopFuture<EventLoopFuture<Upgrade>> {
    let address = channel.remoteAddress?.ipAddress ?? ""
    guard counts.withLock({ $0.admit(address) }) else {
      channel.close(promise: nil)
      return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
    }
    channel.closeFuture.whenComplete { [self] _ in counts.withLock { $0.release(address) } }
    let deadline = channel.eventLoop.scheduleTask(in: .seconds(Int64(configuration.handshakeSeconds))) {
      channel.close(promise: nil)
    }
    return channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      if let tls = configuration.tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls.context)) }
      // A request that no upgrader takes is handed on without its head.
      let status = NIOLoopBoundBox(HTTPResponseStatus.upgradeRequired, eventLoop: channel.eventLoop)
      let upgrade = NIOTypedHTTPServerUpgradeConfiguration<Upgrade>(
        upgraders: [upgrader(deadline, status)],
        notUpgradingCompletionHandler: { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(UpgradeRefusal(status.value))
            return .none
          }
        })
      return try pipeline.configureUpgradableHTTPServerPipeline(configuration: .init(upgradeConfiguration: upgrade))
    }
  }

  private func upgrader(
    _ deadline: Scheduled<Void>, _ status: NIOLoopBoundBox<HTTPResponseStatus>
  ) -> NIOTypedWebSocketServerUpgrader<Upgrade> {
    NIOTypedWebSocketServerUpgrader(
      maxFrameSize: configuration.mostMessageBytes,
      shouldUpgrade: { channel, head in
        if head.uri != Self.path { status.value = .notFound }
        let protocols = head.headers[canonicalForm: "Sec-WebSocket-Protocol"]
        let isOurs = head.uri == Self.path && protocols.contains { $0 == Self.subprotocol }
        return channel.eventLoop.makeSucceededFuture(
          isOurs ? ["Sec-WebSocket-Protocol": Self.subprotocol] : nil)
      },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          deadline.cancel()
          return .socket(try DeviceConnection.Socket(wrappingChannelSynchronously: channel))
        }
      })
  }
}

/// Answers a request that does not become a connection, and closes.
private final class UpgradeRefusal: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private var status: HTTPResponseStatus

  init(_ status: HTTPResponseStatus) { self.status = status }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): status = head.uri == SyncListener.path ? .upgradeRequired : .notFound
    case .body: break
    case .end:
      var headers: HTTPHeaders = ["Content-Length": "0", "Connection": "close"]
      if status == .upgradeRequired { headers.add(name: "Upgrade", value: "websocket") }
      let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
