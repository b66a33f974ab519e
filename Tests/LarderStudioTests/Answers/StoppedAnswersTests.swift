import Foundation
import LarderInspection
import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import LarderStudio

@Suite("Answers that are stopped", .timeLimit(.minutes(5)))
struct StoppedAnswersTests {
  /// Forty cities, and a commit for each of them.
  private struct World {
    let temporary: TemporaryStore
    let handler: StudioHandler
    let token = StudioToken()

    init() throws {
      temporary = try TemporaryStore(clusterSize: 8, durability: .full)
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
        for id in 0..<40 { _ = try writer.create(city.id, primaryKey: .int(Int64(id))) }
      }
      handler = StudioHandler(StudioStore(temporary.store, isWritable: false), token: token)
      for id in 0..<40 { try rename(id) }
    }

    func rename(_ id: Int) throws {
      try temporary.write { writer in
        let city = try #require(writer.schema["City"])
        let key = try #require(try writer.object(city.id, primaryKey: .int(Int64(id))))
        try writer.set(city.id, try #require(city.column(named: "name")).id, key, .string("city \(id)"))
      }
    }

    /// Asks in the way of a page.
    func ask(
      _ path: String, _ query: [(name: String, value: String)] = [], name: String? = nil, body: String? = nil,
      by interruption: Interruption? = nil
    ) throws -> (status: Int, text: String) {
      var headers = ["host": "127.0.0.1:1", "x-larder-token": token.description]
      if let name { headers["x-larder-question"] = name }
      let request = StudioRequest(
        method: body == nil ? "GET" : "POST", path: ["api"] + path.split(separator: "/").map(String.init), query: query,
        headers: headers, body: Array((body ?? "").utf8))
      guard
        case .whole(let answer) = Interruption.$current.withValue(
          interruption, operation: { handler.respond(to: request) })
      else {
        Issue.record("a stream")
        return (0, "")
      }
      return (answer.status, answer.text)
    }

    /// The newest version is read at most: a commit leaves no older one.
    func expectNoReader() throws {
      try rename(7)
      #expect(try temporary.store.liveReaders().allSatisfy { $0.version == nil || $0.commitsBehind == 0 })
    }
  }

  @Test(
    "What reads much ends when it is stopped, and holds no version after",
    arguments: [
      ("space", []), ("store", []), ("versions", []), ("history/City/3", []), ("diff", [("from", "2")]),
      ("rows", [("class", "City"), ("q", "name CONTAINS 'x'")]),
      ("count", [("class", "City"), ("q", "name CONTAINS 'x'")]),
      ("groups", [("class", "City"), ("by", "name")]), ("explain", [("class", "City"), ("q", "name CONTAINS 'x'")]),
      ("advise", [("class", "City"), ("q", "name == 'x'")]),
    ] as [(String, [(String, String)])])
  func stopped(_ path: String, _ query: [(String, String)]) throws {
    let world = try World()
    let pairs = query.map { (name: $0.0, value: $0.1) }
    let whole = try world.ask(path, pairs)
    #expect(whole.status == 200, "\(whole)")
    let running = Interruption()
    #expect(try world.ask(path, pairs, by: running).text == whole.text || path == "explain")
    running.stop()
    let given = try world.ask(path, pairs, by: running)
    #expect(given.status == 503 && given.text.contains("\"timeout\""), "\(given)")
    try world.expectNoReader()
  }

  @Test("A difference of versions that is stopped on the way ends there, and leaves no copy")
  func differences() throws {
    let world = try World()
    let folder = try TemporaryDirectory("scratch")
    let scratch = folder.file("copy")
    let interruption = Interruption()
    try Interruption.$current.withValue(interruption) {
      let snapshot = try world.temporary.snapshot
      let difference = try VersionDifference(snapshot, from: snapshot.version - 20, scratch: scratch)
      var count = 0
      #expect(throws: Interruption.Stopped.self) {
        try difference.run(className: "City") { _ in
          count += 1
          if count == 5 { interruption.stop() }
        }
      }
      #expect(count == 5)
    }
    let stopped = Interruption()
    stopped.stop()
    Interruption.$current.withValue(stopped) {
      #expect(throws: Interruption.Stopped.self) {
        let snapshot = try world.temporary.snapshot
        _ = try VersionDifference(snapshot, from: snapshot.version - 1, scratch: scratch)
      }
    }
    try world.expectNoReader()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("A page that does not wait any longer ends its question, also one that comes after the word")
  func cancelled() throws {
    let world = try World()
    let questions = RunningQuestions()
    let interruption = Interruption()
    #expect {
      try Interruption.$current.withValue(interruption) {
        try questions.run("a-1") {
          #expect(try questions.cancel(Array(#"{"ids": ["a-1", "a-2", "unknown"]}"#.utf8)) == 1)
          try interruption.check()
        }
      }
    } throws: {
      ($0 as? RequestFault)?.kind == "cancelled"
    }
    #expect {
      try Interruption.$current.withValue(Interruption()) { try questions.run("a-2") { Issue.record("it was run") } }
    } throws: {
      ($0 as? RequestFault)?.kind == "cancelled"
    }
    // What another one has stopped is late, and not cancelled.
    let late = Interruption()
    late.stop()
    #expect(throws: Interruption.Stopped.self) {
      try Interruption.$current.withValue(late) { try questions.run("a-3") { try late.check() } }
    }
    #expect(try world.ask("cancel", body: #"{"ids": ["b-1"]}"#).text == "{\"cancelled\": 0}\n")
    let given = try world.ask("space", name: "b-1", by: Interruption())
    #expect(given.status == 503 && given.text.contains("\"cancelled\""), "\(given)")
    #expect(try world.ask("space", name: "b-2", by: Interruption()).status == 200)
    for body in ["", "[]", #"{"ids": [1]}"#, #"{"ids": \#([String](repeating: "x", count: 257))}"#] {
      #expect(try world.ask("cancel", body: body).status == 400, "\(body)")
    }
    try world.expectNoReader()
  }
}
