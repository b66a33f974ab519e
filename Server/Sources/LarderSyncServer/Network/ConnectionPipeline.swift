import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOWebSocket

/// Makes the pipeline of a connection: TLS, the guard, HTTP, and WebSocket after that.
struct ConnectionPipeline: Sendable {
  /// A connection that is one too many.
  struct NotAdmitted: Error {
    let reason: ConnectionCounts.Refusal
  }

  private let configuration: ListenerConfiguration
  private let sessions: any SessionSource
  private let logger: Logger
  private let connections: OpenConnections

  init(
    _ configuration: ListenerConfiguration, sessions: any SessionSource, connections: OpenConnections, logger: Logger
  ) {
    self.configuration = configuration
    self.logger = logger
    self.sessions = sessions
    self.connections = connections
  }

  private var metrics: ConnectionMetrics { configuration.metrics }

  /// Fills the pipeline of a connection that was just accepted. Is called on its event loop.
  ///
  /// - Throws: `NotAdmitted`, and the connection is closed.
  func begin(_ channel: any Channel) throws {
    if let refusal = connections.admit(channel) {
      metrics.count(refusal == .address ? .address : .connections)
      logger.debug("a connection is refused", metadata: ["peer": "\(peer(channel))", "reason": "\(refusal)"])
      throw NotAdmitted(reason: refusal)
    }
    metrics.accepted.increment()
    let pipeline = channel.pipeline.syncOperations
    if let tls = configuration.tls {
      try pipeline.addHandler(NIOSSLServerHandler(context: tls.context))
    }
    let bytes = ConnectionGuard(configuration.limits, metrics: metrics)
    try pipeline.addHandler(bytes)
    let bound = NIOLoopBound(bytes, eventLoop: channel.eventLoop)
    let refusal = NIOLoopBoundBox<UpgradeRequest.Refusal?>(nil, eventLoop: channel.eventLoop)
    let upgrade = NIOTypedHTTPServerUpgradeConfiguration<Void>(
      upgraders: [upgrader(bound, refusal)],
      notUpgradingCompletionHandler: { [metrics] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(RefusalResponder(refusal.value, metrics: metrics))
        }
      })
    var http = NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: upgrade)
    http.enablePipelining = false
    http.decoderConfiguration.maxHeaderFieldSize = 8 << 10
    http.decoderConfiguration.maxHeaderListSize = 32 << 10
    // What goes wrong here has been answered and closes the connection.
    _ = try pipeline.configureUpgradableHTTPServerPipeline(configuration: http)
    try pipeline.addHandler(RequestErrors(refusal), name: RequestErrors.name)
  }

  private func upgrader(
    _ bytes: NIOLoopBound<ConnectionGuard>, _ refusal: NIOLoopBoundBox<UpgradeRequest.Refusal?>
  ) -> NIOTypedWebSocketServerUpgrader<Void> {
    NIOTypedWebSocketServerUpgrader(
      maxFrameSize: configuration.limits.messageBytes, enableAutomaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        let answer = HTTPHeaders([("Sec-WebSocket-Protocol", UpgradeRequest.subprotocol)])
        refusal.value = UpgradeRequest.refusal(of: head)
        return channel.eventLoop.makeSucceededFuture(refusal.value == nil ? answer : nil)
      },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture { try connect(channel, bytes.value) }
      })
  }

  /// Begins the session of a connection that speaks WebSocket from now on.
  private func connect(_ channel: any Channel, _ bytes: ConnectionGuard) throws {
    let (messages, continuation) = AsyncStream<[UInt8]>.makeStream()
    let handler = WebSocketHandler(configuration.limits, watch: bytes, messages: continuation, metrics: metrics)
    channel.pipeline.syncOperations.removeHandler(name: RequestErrors.name, promise: nil)
    try channel.pipeline.syncOperations.addHandler(handler)
    bytes.upgraded()
    let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    let session = sessions.connect(ChannelOutput(channel, metrics: metrics), peer: peer(channel))
    connections.sessionBegan()
    Task { [metrics, connections] in
      for await message in messages {
        let began = ContinuousClock.now
        await session.receive(message)
        metrics.messageSeconds.record(duration: ContinuousClock.now - began)
        channel.eventLoop.execute { bound.value.done(message.count) }
      }
      await session.disconnected()
      connections.sessionEnded()
    }
  }

  private func peer(_ channel: any Channel) -> String {
    guard let address = channel.remoteAddress, let host = address.ipAddress else { return "unknown" }
    return ListenAddress(host: host, port: address.port ?? 0).description
  }
}
