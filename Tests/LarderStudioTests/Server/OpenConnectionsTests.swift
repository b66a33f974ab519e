import LarderLocks
import Testing

@testable import LarderStudio

@Suite("Connections at once", .timeLimit(.minutes(5)))
struct OpenConnectionsTests {
  /// Answers `/slow` when it may.
  private final class Gate: Handler {
    let (begun, tell) = AsyncStream.makeStream(of: Void.self)
    let isOpen = Lock(false)

    func respond(to request: StudioRequest) -> StudioResponse {
      if request.path == ["slow"] {
        tell.yield()
        while !isOpen.withLock({ $0 }) {}
      }
      return .json("{}")
    }
  }

  private static func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }

  @Test("F-170: Where there are too many, the one that has waited longest gives way; one that is answered never does")
  func limit() async throws {
    let gate = Gate()
    let connections = OpenConnections(most: 3)
    let server = try StudioServer(Answering(handler: gate, patience: 1000), at: .port(0), connections: connections)
    let ports = AsyncStream.makeStream(of: UInt16.self)
    Task { try await server.run { ports.continuation.yield($0) } }
    let port = try #require(await ports.stream.first { _ in true })
    let busy = try await RawClient(port: port)
    try await busy.send(Self.request("/slow"))
    var begun = gate.begun.makeAsyncIterator()
    _ = await begun.next()
    let first = try await RawClient(port: port)
    try await first.send(Self.request("/a"))
    #expect(await first.heard(until: "{}").contains("200"))
    let second = try await RawClient(port: port)
    try await second.send(Self.request("/b"))
    #expect(await second.heard(until: "{}").contains("200"))
    let third = try await RawClient(port: port)
    try await first.closed()
    try await third.send(Self.request("/c"))
    #expect(await third.heard(until: "{}").contains("200"))
    #expect(connections.count == 3)
    gate.isOpen.withLock { $0 = true }
    #expect(await busy.heard(until: "{}").contains("200"))
    await server.stop()
    try await busy.closed()
    try await second.closed()
    try await third.closed()
  }

  @Test("F-170: Where all are being answered, another one is refused")
  func allBusy() async throws {
    let gate = Gate()
    let server = try StudioServer(
      Answering(handler: gate, patience: 1000), at: .port(0), connections: OpenConnections(most: 1))
    let ports = AsyncStream.makeStream(of: UInt16.self)
    Task { try await server.run { ports.continuation.yield($0) } }
    let port = try #require(await ports.stream.first { _ in true })
    let busy = try await RawClient(port: port)
    try await busy.send(Self.request("/slow"))
    var begun = gate.begun.makeAsyncIterator()
    _ = await begun.next()
    let other = try await RawClient(port: port)
    #expect(await other.everything().isEmpty)
    gate.isOpen.withLock { $0 = true }
    #expect(await busy.heard(until: "{}").contains("200"))
    await server.stop()
  }
}
