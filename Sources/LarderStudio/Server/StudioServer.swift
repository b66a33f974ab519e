import Foundation
import LarderLocks
import NIOCore
import NIOHTTP1
import NIOPosix

/// The server of the page: HTTP on this computer only, over a port or over a socket in a folder.
package final class StudioServer: Sendable {
  /// The place that it listens at.
  package enum Place: Sendable {
    /// A port of 127.0.0.1; 0: any that is free.
    case port(UInt16)
    /// A path. What another process left there is removed.
    case socket(String)
  }

  private enum Phase {
    case new
    case listening(any Channel)
    case ended
  }

  private let answering: Answering
  private let place: Place
  private let connections: OpenConnections
  private let phase = Lock(Phase.new)

  package convenience init(_ handler: any Handler, at place: Place) throws {
    try self.init(Answering(handler: handler), at: place)
  }

  init(_ answering: Answering, at place: Place, connections: OpenConnections = OpenConnections()) throws {
    (self.answering, self.place, self.connections) = (answering, place, connections)
    if case .socket(let path) = place { try Self.removeStaleSocket(path) }
  }

  /// Serves until it is ended or the task is cancelled; `whenListening` is given the port, or 0.
  ///
  /// - Throws: What keeps it from listening.
  package func run(whenListening: @escaping @Sendable (UInt16) -> Void) async throws {
    let server = try await listen()
    let isWanted = phase.withLock { phase in
      if case .ended = phase { return false }
      phase = .listening(server)
      return true
    }
    guard isWanted else { return try await server.close() }
    whenListening(UInt16(server.localAddress?.port ?? 0))
    try await withTaskCancellationHandler {
      try await server.closeFuture.get()
    } onCancel: {
      server.close(promise: nil)
    }
    connections.end()
  }

  /// Ends it.
  package func stop() async {
    let before = phase.withLock { phase in
      defer { phase = .ended }
      return phase
    }
    if case .listening(let server) = before { try? await server.close() }
    connections.end()
    if case .socket(let path) = place { try? FileManager.default.removeItem(atPath: path) }
  }

  private func listen() async throws -> any Channel {
    let (answering, connections) = (answering, connections)
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard connections.add(channel) else { throw ChannelError.operationUnsupported }
          let limit = HeadLimit()
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(limit)
          try pipeline.addHandler(HTTPResponseEncoder())
          try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
          try pipeline.addHandler(ConnectionHandler(answering, limit, connections))
        }
      }
    switch place {
    case .port(let port):
      // An answer that is short would wait 40 ms for the page to confirm the one before.
      return
        try await bootstrap
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .bind(host: "127.0.0.1", port: Int(port)).get()
    case .socket(let path):
      // It is for its owner only. The mask is that of the whole process: a port leaves it as it is.
      let mask = umask(0o077)
      defer { umask(mask) }
      return try await bootstrap.bind(unixDomainSocketPath: path).get()
    }
  }

  /// Removes a socket that no process listens at.
  ///
  /// - Throws: `CocoaError` when the path is taken by another file, or a process listens.
  private static func removeStaleSocket(_ path: String) throws {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    let taken = CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: path])
    guard attributes[.type] as? FileAttributeType == .typeSocket else { throw taken }
    let client = try? ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(unixDomainSocketPath: path).wait()
    guard client == nil else {
      client?.close(promise: nil)
      throw taken
    }
    try FileManager.default.removeItem(atPath: path)
  }
}
