import Foundation
import FoundationNetworking
import LarderLocks
import TestSupport
import Testing

@testable import LarderStudio

@Suite("Clients that leave before they have an answer", .timeLimit(.minutes(5)))
struct LeavingClientTests {
  /// Works until it is stopped, or until it may end; says how far each request is.
  private final class Work: Handler {
    struct State {
      var begun: Set<String> = []
      var stopped: Set<String> = []
      var done: Set<String> = []
      var mayEnd = false
    }

    let state = Lock(State())

    func respond(to request: StudioRequest) -> StudioResponse {
      let name = request.path.joined(separator: "/")
      state.withLock { _ = $0.begun.insert(name) }
      do {
        while !state.withLock({ $0.mayEnd }) {
          try Interruption.current?.check()
          usleep(1000)
        }
        state.withLock { _ = $0.done.insert(name) }
        return .json("{}")
      } catch {
        state.withLock { _ = $0.stopped.insert(name) }
        return ErrorAnswer.response(error)
      }
    }

    func wait(_ condition: @Sendable (State) -> Bool) async throws {
      while !state.withLock({ condition($0) }) { try await Task.sleep(for: .milliseconds(2)) }
    }
  }

  /// A server that stops nothing by the clock.
  private func serve(_ work: Work, at place: StudioServer.Place = .port(0)) async throws -> (
    server: StudioServer, port: UInt16
  ) {
    let server = try StudioServer(Answering(handler: work, patience: 1000), at: place)
    let ports = AsyncStream.makeStream(of: UInt16.self)
    Task { try await server.run { ports.continuation.yield($0) } }
    let port = try #require(await ports.stream.first { _ in true })
    return (server, port)
  }

  private func ask(_ path: String, _ port: UInt16, _ session: URLSession, method: String = "GET") throws {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/\(path)")))
    request.httpMethod = method
    session.dataTask(with: request) { _, _, _ in }.resume()
  }

  @Test("A question ends when its client closes the connection; another client's goes on, and so does an edit")
  func leaving() async throws {
    let work = Work()
    let (server, port) = try await serve(work)
    let (leaving, staying) = (URLSession(configuration: .ephemeral), URLSession(configuration: .ephemeral))
    try ask("api/rows", port, leaving)
    try ask("api/migration-preview", port, leaving, method: "POST")
    try ask("api/edit", port, leaving, method: "POST")
    try ask("api/groups", port, staying)
    try await work.wait { $0.begun.count == 4 }
    #expect(work.state.withLock { $0.stopped.isEmpty })
    leaving.invalidateAndCancel()
    try await work.wait { $0.stopped.count >= 2 }
    work.state.withLock { $0.mayEnd = true }
    try await work.wait { $0.done.count + $0.stopped.count == 4 }
    #expect(work.state.withLock { $0.stopped } == ["api/rows", "api/migration-preview"])
    staying.invalidateAndCancel()
    await server.stop()
  }

  @Test("A question of a client at a socket in a folder ends when it leaves, and an edit does not")
  func sockets() async throws {
    let directory = try TemporaryDirectory("studio")
    let path = directory.file("s")
    let work = Work()
    let (server, _) = try await serve(work, at: .socket(path))
    let (asking, editing) = (try await RawClient(path: path), try await RawClient(path: path))
    try await asking.send("GET /api/rows HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try await editing.send("POST /api/edit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
    try await work.wait { $0.begun.count == 2 }
    await asking.close()
    await editing.close()
    try await work.wait { $0.stopped == ["api/rows"] }
    work.state.withLock { $0.mayEnd = true }
    try await work.wait { $0.done == ["api/edit"] }
    await server.stop()
  }

  @Test("An answer that is not waited for any more before it is asked for is not worked out for long")
  func early() async {
    let work = Work()
    let task = Task { await Answering(handler: work, patience: 1000).answer(StudioRequest(path: ["api", "rows"])) }
    task.cancel()
    guard case .whole(let answer) = await task.value else {
      Issue.record("a stream")
      return
    }
    #expect(answer.status == 503)
  }
}
