import NIOCore
import NIOWebSocket
import Synchronization

/// The socket that a session writes to.
final class SocketOutput: SessionOutput {
  private let channel: any Channel
  private let unwritten = Atomic(0)
  private let isClosed = Atomic(false)

  init(_ channel: any Channel) { self.channel = channel }

  var unwrittenBytes: Int { unwritten.load(ordering: .relaxed) }

  func send(_ frame: [UInt8]) {
    guard !isClosed.load(ordering: .acquiring) else { return }
    let count = frame.count
    unwritten.add(count, ordering: .relaxed)
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .binary, data: ByteBuffer(bytes: frame)))
      .whenComplete { [weak self] _ in _ = self?.unwritten.subtract(count, ordering: .relaxed) }
  }

  func close() { close(.normalClosure) }

  /// Says why, and closes the socket after what was handed over is written.
  func close(_ code: WebSocketErrorCode) {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var data = channel.allocator.buffer(capacity: 2)
    data.write(webSocketErrorCode: code)
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
      .whenComplete { [channel] _ in channel.close(promise: nil) }
    // A peer that takes nothing does not keep the socket.
    channel.eventLoop.scheduleTask(in: .seconds(5)) { [channel] in channel.close(promise: nil) }
  }

  func pong(_ data: ByteBuffer) {
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .pong, data: data), promise: nil)
  }
}
