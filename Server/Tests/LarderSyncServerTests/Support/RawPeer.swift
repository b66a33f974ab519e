import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

@testable import LarderSyncServer

/// The other side of a connection, which sends what bytes a test wants.
final class RawPeer: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// A frame of WebSocket that came.
  struct Frame: Equatable {
    var opcode: UInt8
    var bytes: [UInt8]

    /// The code of a frame that closes.
    var closeCode: Int? { opcode == 8 && bytes.count >= 2 ? Int(bytes[0]) << 8 | Int(bytes[1]) : nil }
  }

  private let channel: any Channel
  private let received: Received

  /// - Parameter isReading: Whether it reads at all; one that does not is a slow reader.
  init(port: Int, tls: NIOSSLContext? = nil, isReading: Bool = true) async throws {
    let received = Received()
    self.received = received
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: isReading)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
          try pipeline.addHandler(Collector(received))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
  }

  deinit { channel.close(promise: nil) }

  func send(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

  func send(_ text: String) { send(Array(text.utf8)) }

  func close() { channel.close(promise: nil) }

  /// Begins to read what it has not read so far.
  func read() async throws {
    try await channel.setOption(.autoRead, value: true).get()
    channel.read()
  }

  /// A request that begins a connection, and its answer up to the empty line.
  @discardableResult
  func upgrade(
    _ path: String = "/larder/sync/1", subprotocol: String = "larder-sync.1", version: String = "13"
  ) async throws -> String {
    send(Self.request(path, subprotocol: subprotocol, version: version))
    return try await head()
  }

  static func request(
    _ path: String = "/larder/sync/1", subprotocol: String = "larder-sync.1", version: String = "13"
  ) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: \(version)\r\n"
      + "Sec-WebSocket-Protocol: \(subprotocol)\r\n\r\n"
  }

  /// The head of an answer of HTTP.
  func head() async throws -> String {
    try await value("an answer of HTTP") { bytes in
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      defer { bytes.removeFirst(end.upperBound) }
      return String(decoding: bytes[..<end.upperBound], as: UTF8.self)
    }
  }

  /// All that comes up to the end of the connection.
  func rest() async throws -> String {
    try await ended()
    return received.take { bytes in
      defer { bytes = [] }
      return String(decoding: bytes, as: UTF8.self)
    } ?? ""
  }

  /// Sends a frame of WebSocket.
  func sendFrame(_ bytes: [UInt8]) { sendFrame(2, bytes) }

  /// Sends a frame of WebSocket.
  func sendFrame(_ opcode: UInt8, _ bytes: [UInt8], isLast: Bool = true, isMasked: Bool = true) {
    send(Self.frame(opcode, bytes, isLast: isLast, isMasked: isMasked))
  }

  /// A frame with a message.
  static func frame(_ bytes: [UInt8], isMasked: Bool = true) -> [UInt8] { frame(2, bytes, isMasked: isMasked) }

  static func frame(
    _ opcode: UInt8, _ bytes: [UInt8], isLast: Bool = true, isMasked: Bool = true
  ) -> [UInt8] {
    var frame = [opcode | (isLast ? 0x80 : 0)] + length(bytes.count, isMasked: isMasked)
    guard isMasked else { return frame + bytes }
    // Large frames have a mask that changes nothing, so that tests are fast.
    guard bytes.count < 10_000 else { return frame + [0, 0, 0, 0] + bytes }
    let mask: [UInt8] = [1, 2, 3, 4]
    frame += mask
    frame += bytes.enumerated().map { $0.element ^ mask[$0.offset % 4] }
    return frame
  }

  /// The length as it is written in a frame.
  static func length(_ count: Int, isMasked: Bool = true) -> [UInt8] {
    let flag: UInt8 = isMasked ? 0x80 : 0
    if count < 126 { return [UInt8(count) | flag] }
    if count < 65_536 { return [126 | flag] + (0..<2).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
    return [127 | flag] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  /// The next frame of WebSocket.
  func frame() async throws -> Frame {
    try await value("a frame") { bytes in
      guard bytes.count >= 2 else { return nil }
      var count = Int(bytes[1])
      var start = 2
      if count >= 126 {
        let size = count == 126 ? 2 : 8
        guard bytes.count >= 2 + size else { return nil }
        count = bytes[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
        start += size
      }
      guard bytes.count >= start + count else { return nil }
      defer { bytes.removeFirst(start + count) }
      return Frame(opcode: bytes[0] & 0x0F, bytes: Array(bytes[start..<start + count]))
    }
  }

  /// Returns when the server has ended the connection.
  func ended() async throws {
    _ = try await eventually("the end of the connection") { self.received.hasEnded ? true : nil }
  }

  private func value<Value>(_ what: String, _ take: (inout [UInt8]) -> Value?) async throws -> Value {
    try await eventually(what) {
      if let value = self.received.take(take) { return value }
      if self.received.hasEnded { throw Failure(description: "the connection ended before \(what)") }
      return nil
    }
  }
}

/// Waits until there is something; it fails after a time that only a test that hangs needs.
@discardableResult
func eventually<Value>(_ what: String, _ value: () async throws -> Value?) async throws -> Value {
  for _ in 0..<6000 {
    if let value = try await value() { return value }
    try await Task.sleep(for: .milliseconds(5))
  }
  throw RawPeer.Failure(description: "\(what) did not come")
}

/// The bytes that a peer has received.
private final class Received: Sendable {
  private let state = Mutex((bytes: [UInt8](), hasEnded: false))

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  func append(_ bytes: some Sequence<UInt8>) { state.withLock { $0.bytes += bytes } }

  func end() { state.withLock { $0.hasEnded = true } }

  func take<Value>(_ take: (inout [UInt8]) -> Value?) -> Value? {
    var bytes = state.withLock { $0.bytes }
    let before = bytes.count
    let value = take(&bytes)
    // Only the reader takes, so that what was taken is still at the beginning.
    let count = before - bytes.count
    state.withLock { state in state.bytes.removeFirst(count) }
    return value
  }
}

private final class Collector: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let received: Received

  init(_ received: Received) { self.received = received }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received.append(unwrapInboundIn(data).readableBytesView)
  }

  func channelInactive(context: ChannelHandlerContext) {
    received.end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
