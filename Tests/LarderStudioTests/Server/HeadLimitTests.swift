import TestSupport
import Testing

@testable import LarderStudio

@Suite("Limits of requests", .timeLimit(.minutes(5)))
struct HeadLimitTests {
  /// Says what it was asked.
  private struct Echo: Handler {
    func respond(to request: StudioRequest) -> StudioResponse {
      .json("\(request.method) \(request.path.joined(separator: "/")) \(request.query.count) \(request.body.count)")
    }
  }

  private func serve() async throws -> (server: StudioServer, port: UInt16) {
    let server = try StudioServer(Echo(), at: .port(0))
    let ports = AsyncStream.makeStream(of: UInt16.self)
    Task { try await server.run { ports.continuation.yield($0) } }
    return (server, try #require(await ports.stream.first { _ in true }))
  }

  private static let end = "\r\n\r\n"

  @Test(
    "F-170: A line or headers of more than 16,384 bytes are refused before they are parsed",
    arguments: [100_000, 400_000, 4_000_000])
  func longHeads(_ length: Int) async throws {
    let (server, port) = try await serve()
    let long = String(repeating: "a", count: length)
    let many = (0..<(length / 100)).map { "X-\($0): \(String(repeating: "b", count: 90))" }.joined(separator: "\r\n")
    for (head, status) in [
      ("GET /\(long) HTTP/1.1\r\nHost: localhost", "414"), ("GET /?q=\(long) HTTP/1.1\r\nHost: localhost", "414"),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: \(long)", "431"),
      ("GET / HTTP/1.1\r\nHost: localhost\r\n\(long)", "431"), ("GET / HTTP/1.1\r\nHost: localhost\r\n\(many)", "431"),
    ] {
      let client = try await RawClient(port: port)
      // The server may have ended the connection before all is sent.
      try? await client.send(head + Self.end)
      let answer = await client.everything()
      #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains("tooLong"), "\(head.prefix(40)): \(answer)")
    }
    await server.stop()
  }

  @Test("F-170: A head of 16,384 bytes is answered, one byte more is not", arguments: [0, 1])
  func limit(_ more: Int) async throws {
    let (server, port) = try await serve()
    let client = try await RawClient(port: port)
    let head = "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: "
    let value = String(repeating: "a", count: 16_384 + more - head.utf8.count - Self.end.utf8.count)
    try await client.send(head + value + Self.end)
    let answer = await client.everything()
    #expect(answer.hasPrefix("HTTP/1.1 \(more == 0 ? 200 : 431) "), "\(answer)")
    await server.stop()
  }

  @Test("F-170: Clients that never end their long heads keep no other from an answer")
  func unending() async throws {
    let (server, port) = try await serve()
    var clients: [RawClient] = []
    for _ in 0..<8 {
      let client = try await RawClient(port: port)
      try await client.send("GET /" + String(repeating: "a", count: 16_000))
      clients.append(client)
    }
    let other = try await RawClient(port: port)
    try await other.send("GET /a?b=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close" + Self.end)
    #expect(await other.everything().hasSuffix("GET a 1 0"))
    await server.stop()
  }

  @Test("Bodies are not counted as heads, whole or in chunks; requests of one connection are answered in their order")
  func bodies() async throws {
    let (server, port) = try await serve()
    let client = try await RawClient(port: port)
    let body = String(repeating: "x", count: 200_000)
    let chunk = String(repeating: "y", count: 0x8000)
    try await client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\(Self.end)\(body)")
    try await client.send("POST /b HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\(Self.end)")
    for _ in 0..<4 { try await client.send("8000\r\n\(chunk)\r\n") }
    try await client.send("0\(Self.end)GET /c HTTP/1.1\r\nHost: localhost\r\nConnection: close\(Self.end)")
    let answer = await client.everything()
    let found = ["POST a 0 200000", "POST b 0 131072", "GET c 0 0"].compactMap { answer.range(of: $0)?.lowerBound }
    #expect(found.count == 3 && found == found.sorted(), "\(answer)")
    await server.stop()
  }

  @Test(
    "What is no request of HTTP is refused", arguments: ["\u{1}\u{2}\u{3}", "GET / HTTP/3.7", "GET / HTTP/1.1\r\n: x"])
  func malformed(_ text: String) async throws {
    let (server, port) = try await serve()
    let client = try await RawClient(port: port)
    try await client.send(text + Self.end)
    #expect(await client.everything().hasPrefix("HTTP/1.1 400 "))
    await server.stop()
  }

  @Test("A client that waits for a word before its body gets it")
  func continuing() async throws {
    let (server, port) = try await serve()
    let client = try await RawClient(port: port)
    try await client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\(Self.end)")
    #expect(await client.heard(until: Self.end).hasPrefix("HTTP/1.1 100 "))
    try await client.send("abc")
    #expect(await client.heard(until: "POST a 0 3").hasPrefix("HTTP/1.1 200 "))
    await server.stop()
  }
}
