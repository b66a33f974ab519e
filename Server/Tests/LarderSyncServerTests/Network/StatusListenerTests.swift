import Testing

@testable import LarderSyncServer

/// Health and metrics, as an operator's programs ask for them.
@Suite struct StatusListenerTests {
  @Test("health is 200 while the database answers, and 503 with the reason when it does not, without a password")
  func health() async throws {
    let fixture = try await HubFixture(.memory)
    let store = fixture.stores[0].store
    let status = ServerStatus(store: store, hub: fixture.hubs[0], registry: MetricsRegistry())
    let listener = StatusListener(address: ListenAddress(host: "127.0.0.1", port: 0), status: status)
    let (ports, continuation) = AsyncStream<Int>.makeStream()
    let task = Task {
      defer { continuation.finish() }
      try await listener.run { continuation.yield($0.port) }
    }
    defer { task.cancel() }
    var found: Int?
    for await port in ports {
      found = port
      break
    }
    let port = try #require(found)
    func answer(_ request: String) async throws -> String {
      let peer = try await RawPeer(port: port)
      peer.send("\(request) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      return try await peer.rest()
    }
    let well = try await answer("GET /health")
    #expect(well.hasPrefix("HTTP/1.1 200 ") && well.hasSuffix("ok\n"), "\(well)")
    #expect(try await answer("GET /metrics").contains("\nlarder_sync_connections 0\n"))
    #expect(try await answer("POST /health").hasPrefix("HTTP/1.1 405 "))
    #expect(try await answer("GET /").hasPrefix("HTTP/1.1 404 "))
    store.abandon()
    let trouble = try await answer("GET /health")
    #expect(trouble.hasPrefix("HTTP/1.1 503 ") && trouble.contains("the database does not answer: "), "\(trouble)")
    // The counts are in the server's memory and need no database.
    #expect(try await answer("GET /metrics").hasPrefix("HTTP/1.1 200 "))
    await fixture.end()
  }
}
