import LarderSyncProtocol
import NIOCore
import NIOWebSocket

/// One connection of a device: its frames become messages of a session, one after the other, so that a session that is busy is not read to.
struct DeviceConnection {
  typealias Socket = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

  private let socket: Socket
  private let output: SocketOutput
  private let session: DeviceSession
  private var assembly: MessageAssembly

  init(_ socket: Socket, hub: SyncHub, peer: String, limit: Int) {
    self.socket = socket
    output = SocketOutput(socket.channel)
    session = hub.connect(output, peer: peer)
    assembly = MessageAssembly(limit: limit)
  }

  /// Serves until one side ends the connection.
  mutating func run() async {
    let (output, session) = (output, session)
    var assembly = assembly
    do {
      try await socket.executeThenClose { inbound, _ in
        for try await frame in inbound {
          guard try await Self.take(frame, &assembly, output, session) else { break }
        }
        output.close()
        // What was handed over is written before the socket is closed for good.
        try? await socket.channel.closeFuture.get()
      }
    } catch {
      // Whatever ended it, the device comes again and goes on from its cursor.
      output.close()
    }
    await session.disconnected()
  }

  /// Whether the connection goes on after a frame.
  private static func take(
    _ frame: WebSocketFrame, _ assembly: inout MessageAssembly, _ output: SocketOutput, _ session: DeviceSession
  ) async throws -> Bool {
    // What a browser or a proxy could not have sent is not taken (RFC 6455, 5.1).
    guard frame.maskKey != nil else {
      output.close(.protocolError)
      return false
    }
    let data = frame.unmaskedData
    let next: MessageAssembly.Frame
    switch frame.opcode {
    case .ping:
      output.pong(data)
      return true
    case .pong: return true
    case .connectionClose: return false
    case .binary: next = .binary(Array(data.readableBytesView), isLast: frame.fin)
    case .continuation: next = .continuation(Array(data.readableBytesView), isLast: frame.fin)
    default: next = .text
    }
    do throws(MessageAssembly.Failure) {
      if let message = try assembly.take(next) { await session.receive(message) }
      return true
    } catch {
      switch error {
      case .text: output.close(.unacceptableData)
      case .order: output.close(.protocolError)
      case .tooLarge: output.close(.messageTooLarge)
      }
      return false
    }
  }
}
