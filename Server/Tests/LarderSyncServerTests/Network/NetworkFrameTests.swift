import Testing

@testable import LarderSyncServer

/// Frames that are not as they should be, and peers that take too much, over real sockets.
@Suite struct NetworkFrameTests {
  private func code(_ bytes: [UInt8]) async throws -> Int? { try await code(ConnectionLimits(), bytes) }

  private func code(_ limits: ConnectionLimits, _ bytes: [UInt8]) async throws -> Int? {
    let server = try await ListenerFixture(limits)
    let peer = try await server.peer()
    peer.send(bytes)
    let code = try await peer.frame().closeCode
    try await eventually("the end of the session") {
      server.sessions.sessions.first?.isDisconnected == true ? true : nil
    }
    return code
  }

  private func small() -> ConnectionLimits {
    var limits = ConnectionLimits.patient
    limits.messageBytes = 1000
    return limits
  }

  @Test("a message in fragments is one message, and control frames may come between them")
  func fragments() async throws {
    let server = try await ListenerFixture()
    let peer = try await server.peer()
    peer.sendFrame(2, [1, 2], isLast: false)
    peer.sendFrame(9, [7])
    peer.sendFrame(0, [3], isLast: false)
    peer.sendFrame(0, [4, 5])
    #expect(try await peer.frame() == RawPeer.Frame(opcode: 10, bytes: [7]))
    #expect(try await peer.frame() == RawPeer.Frame(opcode: 2, bytes: [1, 2, 3, 4, 5]))
  }

  @Test("a frame above the limit is refused by its length alone, before its bytes come")
  func largeFrame() async throws {
    #expect(try await code(small(), [0x82] + RawPeer.length(1001)) == 1009)
    #expect(try await code([0x82] + RawPeer.length(1 << 40)) == 1009)
  }

  @Test("fragments that come to more than the limit are refused")
  func largeMessage() async throws {
    let part = [UInt8](repeating: 1, count: 600)
    #expect(try await code(small(), RawPeer.frame(2, part, isLast: false) + RawPeer.frame(0, part)) == 1009)
  }

  @Test("before the first message is complete less may come than after it")
  func largeGreeting() async throws {
    var limits = ConnectionLimits.patient
    limits.handshakeBytes = 4000
    #expect(try await code(limits, [0x82] + RawPeer.length(100_000) + [UInt8](repeating: 0, count: 8000)) == 1009)
    let server = try await ListenerFixture(limits)
    let peer = try await server.peer()
    peer.sendFrame([1])
    #expect(try await peer.frame().bytes == [1])
    peer.sendFrame([UInt8](repeating: 2, count: 100_000))
    #expect(try await peer.frame().bytes.count == 100_000)
  }

  @Test("frames that are not masked, of unknown kinds, at the wrong time, or with bits of extensions are refused")
  func malformed() async throws {
    #expect(try await code(RawPeer.frame([1], isMasked: false)) == 1002)
    #expect(try await code(RawPeer.frame(0, [1])) == 1002)
    #expect(try await code(RawPeer.frame(2, [1], isLast: false) + RawPeer.frame(2, [1])) == 1002)
    #expect(try await code(RawPeer.frame(3, [1])) == 1002)
    #expect(try await code(RawPeer.frame(0x42, [1])) == 1002)
    #expect(try await code(RawPeer.frame(9, [1], isLast: false)) == 1002)
    #expect(try await code(RawPeer.frame(9, [UInt8](repeating: 1, count: 126))) == 1002)
    #expect(try await code(RawPeer.frame(1, Array("text".utf8))) == 1003)
  }

  @Test("a device that closes gets an answer, and the connection ends")
  func closes() async throws {
    let server = try await ListenerFixture()
    let peer = try await server.peer()
    peer.sendFrame([1])
    #expect(try await peer.frame().bytes == [1])
    peer.sendFrame(8, [3, 232])
    #expect(try await peer.frame().closeCode == 1000)
    try await peer.ended()
    try await eventually("the end of the session") {
      server.sessions.sessions.first?.isDisconnected == true ? true : nil
    }
  }

  @Test("a connection that ends within a frame ends the session, which gets no part of the message")
  func truncated() async throws {
    let server = try await ListenerFixture()
    let peer = try await server.peer()
    peer.sendFrame([1])
    _ = try await peer.frame()
    peer.send(Array(RawPeer.frame([1, 2, 3, 4]).dropLast()))
    peer.close()
    try await eventually("the end of the session") {
      server.sessions.sessions.first?.isDisconnected == true ? true : nil
    }
    #expect(server.sessions.sessions.first?.messages == [[1]])
  }

  @Test("what a session sends before it closes is written, then the close, and nothing after it")
  func sessionCloses() async throws {
    var limits = ConnectionLimits.patient
    limits.closeMilliseconds = 200
    let server = try await ListenerFixture(limits)
    let peer = try await server.peer()
    peer.sendFrame([1])
    _ = try await peer.frame()
    let output = try #require(server.sessions.sessions.first?.output)
    for number in 0..<50 { output.send([UInt8](repeating: UInt8(number), count: 10_000)) }
    output.close()
    output.send([9])
    for number in 0..<50 { #expect(try await peer.frame().bytes.first == UInt8(number)) }
    #expect(try await peer.frame().closeCode == 1000)
    // The peer does not answer; it is not waited for without end.
    try await peer.ended()
    try await eventually("all bytes to be counted") { output.unwrittenBytes == 0 ? true : nil }
  }

  @Test("a side that does not read sees its bytes counted as unwritten, and gets all of them once it reads")
  func slowReader() async throws {
    let server = try await ListenerFixture()
    let peer = try await RawPeer(port: server.port, isReading: false)
    peer.send(RawPeer.request())
    peer.sendFrame([1])
    let session = try await eventually("the session") { server.sessions.sessions.first { !$0.messages.isEmpty } }
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<32 { session.output.send(bytes) }
    #expect(session.output.unwrittenBytes > 1 << 20)
    try await peer.read()
    _ = try await peer.head()
    #expect(try await peer.frame().bytes == [1])
    for _ in 0..<32 { #expect(try await peer.frame().bytes.count == bytes.count) }
    try await eventually("all bytes to be written") { session.output.unwrittenBytes == 0 ? true : nil }
  }

  @Test("a slow reader is closed when a session has closed and it does not take what is left")
  func slowReaderCloses() async throws {
    var limits = ConnectionLimits.patient
    limits.closeMilliseconds = 200
    let server = try await ListenerFixture(limits)
    let peer = try await RawPeer(port: server.port, isReading: false)
    peer.send(RawPeer.request())
    peer.sendFrame([1])
    let session = try await eventually("the session") { server.sessions.sessions.first { !$0.messages.isEmpty } }
    for _ in 0..<32 { session.output.send([UInt8](repeating: 7, count: 1 << 20)) }
    session.output.close()
    try await eventually("the end of the session") { session.isDisconnected ? true : nil }
    try await eventually("the bytes to be given up") { session.output.unwrittenBytes == 0 ? true : nil }
  }

  @Test("nothing more is read while a session has too much to do, and all of it when it goes on")
  func backPressure() async throws {
    var limits = ConnectionLimits.patient
    limits.waitingBytes = 10_000
    let server = try await ListenerFixture(limits)
    let peer = try await server.peer()
    peer.sendFrame([0])
    _ = try await peer.frame()
    let session = try #require(server.sessions.sessions.first)
    session.hold(true)
    for number in 0..<200 { peer.sendFrame([UInt8](repeating: UInt8(number), count: 100_000)) }
    // 20 MB are on their way, of which the buffers of the system hold the smaller part.
    try await Task.sleep(for: .milliseconds(300))
    let read = server.registry.text.split(separator: "\n").first {
      $0.hasPrefix("larder_sync_network_received_bytes_total ")
    }
    #expect(try #require(read.flatMap { Int($0.split(separator: " ")[1]) }) < 2_000_000)
    session.hold(false)
    for number in 0..<200 { #expect(try await peer.frame().bytes.first == UInt8(number)) }
    #expect(session.messages.count == 201)
  }

  @Test("bytes above the rate are read later, not lost")
  func rate() async throws {
    var limits = ConnectionLimits.patient
    limits.bytesPerSecond = 200_000
    let server = try await ListenerFixture(limits)
    let peer = try await server.peer()
    for number in 0..<50 { peer.sendFrame([UInt8](repeating: UInt8(number), count: 10_000)) }
    for number in 0..<50 { #expect(try await peer.frame().bytes.first == UInt8(number)) }
  }

  @Test("a silent connection gets a ping, and is closed when it stays silent")
  func idle() async throws {
    var limits = ConnectionLimits.patient
    limits.idleMilliseconds = 6_000
    let server = try await ListenerFixture(limits)
    let peer = try await server.peer()
    peer.sendFrame([1])
    _ = try await peer.frame()
    #expect(try await peer.frame().opcode == 9)
    try await peer.ended()
    #expect(server.problems("idle") == 1)
  }

  @Test("a listener that ends closes connections that do not end by themselves")
  func stops() async throws {
    var limits = ConnectionLimits.patient
    limits.closeMilliseconds = 100
    let server = try await ListenerFixture(limits)
    let peer = try await server.peer()
    peer.sendFrame([1])
    _ = try await peer.frame()
    try await server.stop()
    try await peer.ended()
    #expect(server.sessions.sessions.first?.isDisconnected == true)
    await #expect(throws: (any Error).self) { try await RawPeer(port: server.port) }
  }
}
