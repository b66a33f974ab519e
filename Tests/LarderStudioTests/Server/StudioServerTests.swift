import Foundation
import FoundationNetworking
import LarderExchange
import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import LarderStudio

@Suite("The server of the inspector", .timeLimit(.minutes(30)))
struct StudioServerTests {
  private struct Running {
    let temporary: TemporaryStore
    let token = StudioToken()
    let server: StudioServer
    let port: UInt16

    /// Serves a store with one class until it is stopped.
    init(at place: StudioServer.Place = .port(0)) async throws {
      temporary = try TemporaryStore()
      try temporary.write { writer in
        try writer.apply(
          [
            ClassDeclaration(
              name: "City",
              columns: [
                ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
                ColumnDeclaration(name: "name", type: .string),
              ])
          ], schemaVersion: 1)
        let city = try #require(writer.schema["City"])
        let name = try #require(city.column(named: "name"))
        for id in 0..<1000 {
          let key = try writer.create(city.id, primaryKey: .int(Int64(id)))
          try writer.set(city.id, name.id, key, .string("city \(id % 10)"))
        }
      }
      let studio = StudioStore(temporary.store, isWritable: false)
      let server = try StudioServer(StudioHandler(studio, token: token), at: place)
      self.server = server
      port = try await withCheckedThrowingContinuation { continuation in
        let waiting = Lock<CheckedContinuation<UInt16, any Error>?>(continuation)
        @Sendable func take() -> CheckedContinuation<UInt16, any Error>? {
          waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
          }
        }
        Task {
          do {
            try await server.run { take()?.resume(returning: $0) }
          } catch { take()?.resume(throwing: error) }
        }
      }
    }

    func get(_ path: String, token: String? = nil, method: String = "GET") async throws -> (status: Int, text: String) {
      var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
      request.httpMethod = method
      request.setValue(token ?? self.token.description, forHTTPHeaderField: "X-Larder-Token")
      let (data, response) = try await URLSession.shared.data(for: request)
      return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }
  }

  @Test("Pages of rows follow each other, and all answers tell their version")
  func rows() async throws {
    let running = try await Running()
    var names: [String] = []
    var path = "/api/rows?class=City&sort=name:desc&sort=id&limit=300"
    var pages = 0
    while true {
      let (status, text) = try await running.get(path)
      #expect(status == 200, "\(text)")
      let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(answer["count"] as? Int == 1000 && answer["version"] as? Int == 1)
      for row in answer["rows"] as? [[String: Any]] ?? [] {
        names.append((row["object"] as? [String: Any])?["name"] as? String ?? "")
      }
      pages += 1
      guard let next = answer["next"] as? String else { break }
      path = "/api/rows?class=City&sort=name:desc&sort=id&limit=300&after=\(next)"
    }
    #expect(pages == 4 && names.count == 1000 && names == names.sorted(by: >))
    #expect(try running.temporary.store.liveReaders().allSatisfy { $0.version == nil || $0.commitsBehind == 0 })
    await running.server.stop()
  }

  @Test(
    "What cannot be answered says why, with a status",
    arguments: [
      ("/api/rows?class=Town", 404, "Town"), ("/api/rows", 400, "class"), ("/api/object/City/5000", 404, "5000"),
      ("/api/rows?class=City&q=nme%3D%3D1", 400, "name"), ("/api/rows?class=City&limit=-1", 400, "limit"),
      ("/api/rows?class=City&after=x", 400, "cursor"), ("/api/nothing", 404, "nothing"), ("/secret", 404, "secret"),
    ])
  func faults(_ path: String, _ expected: Int, _ word: String) async throws {
    let running = try await Running()
    let (status, text) = try await running.get(path)
    #expect(status == expected && text.contains("\"error\"") && text.contains(word), "\(status) \(text)")
    await running.server.stop()
  }

  @Test("Without the token nothing is answered but the page; nothing is written by a store that is read only")
  func refusals() async throws {
    let running = try await Running()
    #expect(try await running.get("/api/store", token: StudioToken().description).status == 403)
    #expect(try await running.get("/api/edit", method: "POST").status == 403)
    #expect(try await running.get("/api/edit").status == 404)
    #expect(try await running.get("/api/store", method: "PUT").status == 405)
    let page = try await running.get("/", token: "")
    #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>") || page.text.hasPrefix("<!DOCTYPE html>"))
    await running.server.stop()
  }

  @Test("F-170: A predicate of 39 kB is asked by POST, with the parameters as the body")
  func longQuestions() async throws {
    let running = try await Running()
    let predicate = (0..<3000).map { "id == \($0)" }.joined(separator: " OR ")
    #expect(predicate.utf8.count > 39_000)
    for path in ["count", "rows"] {
      var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(running.port)/api/\(path)?limit=0")))
      request.httpMethod = "POST"
      request.httpBody = Data("class=City&q=\(predicate.replacing(" ", with: "+"))".utf8)
      request.setValue(running.token.description, forHTTPHeaderField: "X-Larder-Token")
      let (data, response) = try await URLSession.shared.data(for: request)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(
        String(decoding: data, as: UTF8.self).contains("\"count\": 1000"), "\(String(decoding: data, as: UTF8.self))")
      request.setValue(nil, forHTTPHeaderField: "X-Larder-Token")
      #expect((try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode == 403)
    }
    await running.server.stop()
  }

  @Test("F-172: Groups say how many there are, also where fewer are listed", arguments: [3, 10, 200])
  func groups(_ limit: Int) async throws {
    let running = try await Running()
    let (status, text) = try await running.get("/api/groups?class=City&by=name&limit=\(limit)")
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(status == 200 && answer["total"] as? Int == 10)
    #expect((answer["groups"] as? [[String: Any]])?.count == min(10, limit))
    await running.server.stop()
  }

  @Test("F-171: No answer sets a cookie, and the stream of events takes the token from a header only")
  func noCookies() async throws {
    let running = try await Running()
    let host = "Host: 127.0.0.1:\(running.port)\r\n"
    let token = "X-Larder-Token: \(running.token)\r\n"
    for (name, secret, status) in [
      ("store", token, 200), ("classes", token, 200), ("events", token, 200),
      ("events", "Cookie: larder_token_\(running.token.description.prefix(8))=\(running.token)\r\n", 403),
    ] {
      let client = try await RawClient(port: running.port)
      try await client.send("GET /api/\(name) HTTP/1.1\r\n\(host)\(secret)\r\n")
      let answer = await client.heard(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && !answer.lowercased().contains("set-cookie"), "\(answer)")
      await client.close()
    }
    await running.server.stop()
  }

  /// Works until it is stopped, or never ends what it began to do for good.
  private final class SlowHandler: Handler {
    let isFinishing: Bool
    let wasStopped = Lock(false)

    init(isFinishing: Bool) { self.isFinishing = isFinishing }

    func respond(to request: StudioRequest) -> StudioResponse {
      do {
        if isFinishing { try Interruption.current?.finish() }
        for _ in 0..<(isFinishing ? 30 : 100_000) {
          try Interruption.current?.check()
          usleep(10_000)
        }
        return .json("{}")
      } catch {
        wasStopped.withLock { $0 = true }
        return ErrorAnswer.response(error)
      }
    }
  }

  @Test("A question that takes too long is stopped; what is being committed is waited for")
  func lateness() async throws {
    for isFinishing in [false, true] {
      let slow = SlowHandler(isFinishing: isFinishing)
      let answering = Answering(handler: slow, patience: 0.05)
      let response = await answering.answer(StudioRequest(path: ["api", "rows"]))
      guard case .whole(let answer) = response else {
        Issue.record("a stream")
        continue
      }
      #expect(answer.status == (isFinishing ? 200 : 503))
      while !isFinishing, !slow.wasStopped.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  @Test("A word that ends questions does not wait for their threads")
  func ending() async throws {
    let slow = SlowHandler(isFinishing: false)
    struct Ending: Handler {
      func respond(to request: StudioRequest) -> StudioResponse { .json("{}") }
    }
    async let questions: Void = withTaskGroup(of: Void.self) { group in
      for _ in 0..<(2 * ProcessInfo.processInfo.activeProcessorCount) {
        group.addTask {
          _ = await Answering(handler: slow, patience: 0.5).answer(StudioRequest(path: ["api", "rows"]))
        }
      }
    }
    let ending = Answering(handler: Ending())
    guard case .whole(let answer) = await ending.answer(StudioRequest(method: "POST", path: ["api", "cancel"])) else {
      Issue.record("a stream")
      return
    }
    #expect(answer.status == 200)
    await questions
    // The answer does not wait for the thread, which hears of it at its next step.
    while !slow.wasStopped.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test("A body that is too long is read to its end, and the answer says so", arguments: [1_500_000, 6_000_000])
  func longBodies(_ size: Int) async throws {
    let running = try await Running()
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(running.port)/api/edit")))
    request.httpMethod = "POST"
    request.setValue(running.token.description, forHTTPHeaderField: "X-Larder-Token")
    let (data, response) = try await URLSession.shared.upload(for: request, from: Data(count: size))
    #expect((response as? HTTPURLResponse)?.statusCode == 413)
    #expect(String(decoding: data, as: UTF8.self).contains("tooLong"))
    await running.server.stop()
  }

  @Test("A socket in a folder is for its owner; one that no process listens at is replaced, any other file is not")
  func sockets() async throws {
    let directory = try TemporaryDirectory("studio")
    let path = directory.file("s")
    let running = try await Running(at: .socket(path))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o077 } == 0)
    let studio = StudioStore(running.temporary.store, isWritable: false)
    let handler = StudioHandler(studio, token: running.token)
    #expect(throws: CocoaError.self) { try StudioServer(handler, at: .socket(path)) }
    await running.server.stop()
    let stale = directory.file("stale")
    try makeStaleSocket(stale)
    _ = try StudioServer(handler, at: .socket(stale))
    #expect(!FileManager.default.fileExists(atPath: stale))
    let file = directory.file("file")
    try Data("kept".utf8).write(to: URL(fileURLWithPath: file))
    #expect(throws: CocoaError.self) { try StudioServer(handler, at: .socket(file)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("kept".utf8))
  }

  /// A socket as a process leaves it that was killed.
  private func makeStaleSocket(_ path: String) throws {
    let script = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
