import Logging
import NIOCore
import NIOPosix

/// Accepts connections of devices and carries messages between them and their sessions. May be used from any thread.
public final class SyncListener: Sendable {
  /// The path that devices ask for.
  public static let path = UpgradeRequest.path
  /// The protocol within WebSocket.
  public static let subprotocol = UpgradeRequest.subprotocol

  private let configuration: ListenerConfiguration
  private let pipeline: ConnectionPipeline
  private let connections: OpenConnections

  /// A listener that does not listen yet.
  ///
  /// - Parameter sessions: Has a session for each connection.
  /// - Throws: `ListenerError.plainText` when the configuration has no TLS and an address that other computers reach.
  public init(
    _ configuration: ListenerConfiguration, sessions: any SessionSource,
    logger: Logger = Logger(label: "larder-sync.network")
  ) throws(ListenerError) {
    guard configuration.tls != nil || configuration.address.isLoopback else {
      throw .plainText(configuration.address)
    }
    self.configuration = configuration
    connections = OpenConnections(configuration.limits)
    pipeline = ConnectionPipeline(configuration, sessions: sessions, connections: connections, logger: logger)
  }

  /// Serves until the task is cancelled. It returns when all connections have ended; those that have not by the limit's time for closing are closed.
  /// Sessions should be ended before.
  ///
  /// - Parameter ready: Called with the address when connections are accepted.
  /// - Throws: `ListenerError.address`.
  public func run(ready: @Sendable (ListenAddress) -> Void) async throws {
    let server: any Channel
    do {
      server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 1024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.socketOption(.so_keepalive), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { [pipeline] channel in
          channel.eventLoop.makeCompletedFuture { try pipeline.begin(channel) }
        }
        .bind(host: configuration.address.host, port: configuration.address.port).get()
    } catch {
      throw ListenerError.address(configuration.address, "\(error)")
    }
    let port = server.localAddress?.port ?? configuration.address.port
    ready(ListenAddress(host: configuration.address.host, port: port))
    await withTaskCancellationHandler {
      // How it ended does not matter: no connection is accepted any more.
      try? await server.closeFuture.get()
    } onCancel: {
      server.close(promise: nil)
    }
    await finish()
  }

  private func finish() async {
    let deadline = Task { [connections, configuration] in
      try await Task.sleep(for: .milliseconds(configuration.limits.closeMilliseconds))
      connections.closeAll()
    }
    await connections.waitUntilNone()
    deadline.cancel()
  }
}
