import NIOCore
import NIOPosix

/// A connection that sends and takes bytes as they are.
final class RawConnection: Sendable {
  private let socket: NIOAsyncChannel<ByteBuffer, ByteBuffer>

  init(port: Int) async throws {
    socket = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
  }

  /// Sends pieces of bytes one after the other; what comes back until the server closes, or until a condition holds.
  func exchange(_ pieces: [[UInt8]], until isEnough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false })
    async throws -> [UInt8]
  {
    try await socket.executeThenClose { inbound, outbound in
      for piece in pieces { try await outbound.write(ByteBuffer(bytes: piece)) }
      var answer: [UInt8] = []
      for try await bytes in inbound {
        answer += bytes.readableBytesView
        if isEnough(answer) { break }
      }
      return answer
    }
  }
}

/// Requests and frames of WebSocket as bytes.
enum WebSocketBytes {
  static func upgrade(path: String = "/larder/sync/1", subprotocol: String? = "larder-sync.1") -> [UInt8] {
    var lines = [
      "GET \(path) HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  /// A frame with fewer than 126 bytes.
  static func frame(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, isMasked: Bool = true) -> [UInt8] {
    let mask: [UInt8] = [1, 2, 3, 4]
    let head = [(isLast ? 0x80 : 0) | opcode, UInt8(payload.count) | (isMasked ? 0x80 : 0)]
    guard isMasked else { return head + payload }
    return head + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// The head of a frame that says it has so many bytes.
  static func head(_ opcode: UInt8, promising count: UInt64) -> [UInt8] {
    [0x80 | opcode, 0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) } + [
      1, 2, 3, 4,
    ]
  }

  /// What follows the head of an answer: the frames of the server.
  static func frames(_ answer: [UInt8]) -> [(opcode: UInt8, payload: [UInt8])] {
    let text = String(decoding: answer, as: Unicode.ASCII.self)
    guard text.hasPrefix("HTTP/1.1 101"), let end = end(of: answer) else { return [] }
    var rest = answer[end...]
    var frames: [(opcode: UInt8, payload: [UInt8])] = []
    while rest.count >= 2 {
      let opcode = rest[rest.startIndex] & 15
      var count = Int(rest[rest.startIndex + 1] & 127)
      rest = rest.dropFirst(2)
      if count == 126 {
        count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        rest = rest.dropFirst(2)
      }
      frames.append((opcode, Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return frames
  }

  private static func end(of answer: [UInt8]) -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    guard answer.count >= 4 else { return nil }
    return (0...(answer.count - 4)).first { Array(answer[$0..<($0 + 4)]) == mark }.map { $0 + 4 }
  }
}
