import NIOCore
import NIOPosix

/// A client that sends bytes as they are, and hears all that comes.
final class RawClient: Sendable {
  /// Hands on what comes.
  private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let pieces: AsyncStream<String>.Continuation

    init(_ pieces: AsyncStream<String>.Continuation) { self.pieces = pieces }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      pieces.yield(String(decoding: unwrapInboundIn(data).readableBytesView, as: UTF8.self))
    }

    func channelInactive(context: ChannelHandlerContext) { pieces.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }

  private let channel: any Channel
  private let pieces: AsyncStream<String>

  /// A client of a port of this computer.
  init(port: UInt16) async throws {
    let (bootstrap, pieces) = Self.bootstrap()
    channel = try await bootstrap.connect(host: "127.0.0.1", port: Int(port)).get()
    self.pieces = pieces
  }

  /// A client of a socket in a folder.
  init(path: String) async throws {
    let (bootstrap, pieces) = Self.bootstrap()
    channel = try await bootstrap.connect(unixDomainSocketPath: path).get()
    self.pieces = pieces
  }

  private static func bootstrap() -> (ClientBootstrap, AsyncStream<String>) {
    let (pieces, continuation) = AsyncStream.makeStream(of: String.self)
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(Listener(continuation))
      }
    }
    return (bootstrap, pieces)
  }

  func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

  /// Reads until the server ends the connection.
  func everything() async -> String { await pieces.reduce("", +) }

  /// Reads until it has a text, or until the server ends the connection.
  func heard(until text: String) async -> String {
    var result = ""
    for await piece in pieces {
      result += piece
      if result.contains(text) { break }
    }
    return result
  }

  func close() async { try? await channel.close() }

  /// Waits until the server ends the connection.
  func closed() async throws { try await channel.closeFuture.get() }
}
