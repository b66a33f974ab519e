import NIOCore
import NIOHTTP1
import NIOPosix

/// Answers `GET /health` and `GET /metrics` on a port of its own, for the programs of an operator.
public struct StatusListener: Sendable {
  private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

  private let address: ListenAddress
  private let status: ServerStatus

  /// A listener that does not listen yet. It has neither TLS nor passwords: its address should be one of this computer or of an inner network.
  public init(address: ListenAddress, status: ServerStatus) {
    self.address = address
    self.status = status
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter ready: Called with the address when connections are accepted.
  /// - Throws: `ListenerError.address`.
  public func run(ready: @Sendable (ListenAddress) -> Void) async throws {
    let server: NIOAsyncChannel<Connection, Never>
    do {
      server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: address.host, port: address.port) { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            return try Connection(wrappingChannelSynchronously: channel)
          }
        }
    } catch {
      throw ListenerError.address(address, "\(error)")
    }
    ready(ListenAddress(host: address.host, port: server.channel.localAddress?.port ?? address.port))
    try await server.executeThenClose { connections in
      try await withThrowingDiscardingTaskGroup { group in
        for try await connection in connections {
          group.addTask { await self.serve(connection) }
        }
      }
    }
  }

  private func serve(_ connection: Connection) async {
    // A connection that breaks concerns its peer alone.
    try? await connection.executeThenClose { inbound, outbound in
      var head: HTTPRequestHead?
      for try await part in inbound {
        switch part {
        case .head(let next): head = next
        case .body: break
        case .end:
          guard let request = head else { return }
          let (code, text) = await answer(request)
          let body = ByteBuffer(string: text)
          var headers: HTTPHeaders = ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"]
          headers.add(name: "Content-Length", value: "\(body.readableBytes)")
          try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: code, headers: headers)))
          try await outbound.write(.body(.byteBuffer(body)))
          try await outbound.write(.end(nil))
          if !request.isKeepAlive { return }
        }
      }
    }
  }

  private func answer(_ request: HTTPRequestHead) async -> (HTTPResponseStatus, String) {
    guard request.method == .GET else { return (.methodNotAllowed, "only GET is answered\n") }
    switch request.uri {
    case "/health":
      if let trouble = await status.trouble() { return (.serviceUnavailable, trouble + "\n") }
      return (.ok, "ok\n")
    case "/metrics": return (.ok, status.metrics())
    default: return (.notFound, "there are /health and /metrics\n")
    }
  }
}
