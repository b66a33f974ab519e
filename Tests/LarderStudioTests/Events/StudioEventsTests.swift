import Foundation
import LarderExchange
import LarderStorage
import TestSupport
import Testing

@testable import LarderStudio

@Suite("Events for pages", .timeLimit(.minutes(30)))
struct StudioEventsTests {
  private struct Fixture {
    let temporary: TemporaryStore
    let events: StudioEvents
    let entry: ClassDescriptor

    init() throws {
      temporary = try TemporaryStore()
      try temporary.write { writer in
        try writer.apply(
          [
            ClassDeclaration(
              name: "City",
              columns: [
                ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
                ColumnDeclaration(name: "size", type: .int),
              ])
          ], schemaVersion: 1)
        let city = try #require(writer.schema["City"])
        for id in 0..<5 { _ = try writer.create(city.id, primaryKey: .int(Int64(id))) }
      }
      entry = try #require(try temporary.snapshot.schema["City"])
      events = StudioEvents(StudioStore(temporary.store, isWritable: false))
    }

    func open(_ topics: String? = nil, last: UInt64? = nil) throws -> EventStream {
      let query = [("topics", topics), ("last", last.map { String($0) })].compactMap { name, value in
        value.map { (name: name, value: $0) }
      }
      return try events.open(StudioRequest(path: ["api", "events"], query: query))
    }

    @discardableResult
    func change(_ body: (StoreWriter) throws -> Void) throws -> UInt64 {
      try temporary.write { try body($0) }
      return try temporary.snapshot.version
    }
  }

  private static let topic = #"[{"id": "q1", "class": "City", "q": "id < 100", "sort": ["id:desc"]}]"#

  /// The next piece that names an event.
  private func next(_ name: String, _ pieces: inout AsyncStream<String>.Iterator) async throws -> [String: Any] {
    while let piece = await pieces.next() {
      guard piece.contains("event: \(name)\n") else { continue }
      let data = try #require(piece.split(separator: "\n").first { $0.hasPrefix("data: ") })
      return try #require(
        try JSONSerialization.jsonObject(with: Data(data.dropFirst(6).utf8)) as? [String: Any])
    }
    throw RequestFault("the stream has ended")
  }

  @Test("Numbers come first, then each commit with the positions of what changed")
  func changes() async throws {
    let fixture = try Fixture()
    let stream = try fixture.open(Self.topic)
    var pieces = stream.pieces.makeAsyncIterator()
    #expect(await pieces.next() == "retry: 300\n\n")
    let store = try await next("store", &pieces)
    #expect(store["version"] as? Int == 1 && (store["classes"] as? [String: Int]) == ["City": 5])
    let first = try await next("change", &pieces)
    #expect(first["topic"] as? String == "q1" && first["count"] as? Int == 5 && first["inserted"] == nil)
    try fixture.change { writer in
      _ = try writer.create(fixture.entry.id, primaryKey: .int(50))
      _ = try writer.create(fixture.entry.id, primaryKey: .int(500))
      let removed = try #require(try writer.object(fixture.entry.id, primaryKey: .int(3)))
      try writer.delete(fixture.entry.id, removed)
    }
    let second = try await next("change", &pieces)
    let inserted = try #require(second["inserted"] as? [[String: Any]])
    let deleted = try #require(second["deleted"] as? [[String: Any]])
    #expect(second["version"] as? Int == 2 && second["count"] as? Int == 5)
    #expect(inserted.count == 1 && inserted[0]["position"] as? Int == 0)
    #expect((inserted[0]["object"] as? [String: Any])?["id"] as? Int == 50)
    #expect(deleted.count == 1 && deleted[0]["position"] as? Int == 1 && deleted[0]["primaryKey"] as? Int == 3)
    #expect((try await next("store", &pieces)["classes"] as? [String: Int]) == ["City": 6])
  }

  @Test("A page that comes again is given what it missed, as far as the log has it; else it has to read again")
  func coming() async throws {
    let fixture = try Fixture()
    let same = try fixture.open(Self.topic, last: 1)
    var pieces = same.pieces.makeAsyncIterator()
    #expect(await pieces.next() == "retry: 300\n\n")
    #expect(await pieces.next()?.contains("event: store\n") == true)
    try fixture.change { writer in
      _ = try writer.create(fixture.entry.id, primaryKey: .int(50))
      let removed = try #require(try writer.object(fixture.entry.id, primaryKey: .int(3)))
      try writer.delete(fixture.entry.id, removed)
    }
    let later = try fixture.open(Self.topic, last: 1)
    var after = later.pieces.makeAsyncIterator()
    let missed = try await next("change", &after)
    #expect(missed["topic"] as? String == "q1" && missed["version"] as? Int == 2 && missed["since"] as? Int == 1)
    let inserted = try #require(missed["inserted"] as? [[String: Any]])
    #expect(inserted.count == 1 && inserted[0]["position"] as? Int == 0)
    #expect(missed["count"] as? Int == 5 && missed["left"] as? Int == 1)
    let unknown = try fixture.open(Self.topic, last: 99)
    var other = unknown.pieces.makeAsyncIterator()
    let reset = try await next("reset", &other)
    #expect(reset["topic"] as? String == "q1" && reset["version"] as? Int == 2)
  }

  @Test("Topics with the same name are told of on their own")
  func sameNames() async throws {
    let fixture = try Fixture()
    let stream = try fixture.open(
      #"[{"id": "a", "class": "City"}, {"id": "a", "class": "City", "q": "id == 1"}]"#)
    var pieces = stream.pieces.makeAsyncIterator()
    var counts: Set<Int> = []
    for _ in 0..<2 { counts.insert(try #require(try await next("change", &pieces)["count"] as? Int)) }
    #expect(counts == [1, 5])
    try fixture.change { writer in
      let removed = try #require(try writer.object(fixture.entry.id, primaryKey: .int(4)))
      try writer.delete(fixture.entry.id, removed)
    }
    let deleted = try #require(try await next("change", &pieces)["deleted"] as? [[String: Any]])
    #expect(deleted.count == 1 && deleted[0]["position"] as? Int == 4 && deleted[0]["primaryKey"] as? Int == 4)
  }

  @Test("A stream that is not read any longer leaves no reader")
  func leaving() async throws {
    let fixture = try Fixture()
    do {
      let stream = try fixture.open(Self.topic)
      var pieces = stream.pieces.makeAsyncIterator()
      _ = try await next("change", &pieces)
      try fixture.change { _ = try $0.create(fixture.entry.id, primaryKey: .int(50)) }
      _ = try await next("change", &pieces)
    }
    // A store has the newest version open itself; the background may still look at the one before.
    try fixture.change { _ = try $0.create(fixture.entry.id, primaryKey: .int(51)) }
    while try fixture.temporary.store.liveReaders().contains(where: { $0.version != nil && $0.commitsBehind > 0 }) {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test("A page follows eight queries at most")
  func topics() throws {
    let fixture = try Fixture()
    let topic = #"{"id": "a", "class": "City"}"#
    _ = try fixture.open("[\(Array(repeating: topic, count: 8).joined(separator: ","))]")
    #expect(throws: RequestFault.self) {
      _ = try fixture.open("[\(Array(repeating: topic, count: 9).joined(separator: ","))]")
    }
  }

  @Test("There are eight pages at most, and the place of one that has ended is free")
  func pages() async throws {
    let fixture = try Fixture()
    var streams = try (0..<8).map { _ in try fixture.open() }
    let refusal = #expect(throws: RequestFault.self) { _ = try fixture.open() }
    #expect(refusal?.status == 429)
    streams[7] = streams[6]
    _ = try fixture.open()
  }

  @Test(
    "Queries that cannot be are refused before the stream begins",
    arguments: [
      #"[{"id": "a", "class": "Town"}]"#, #"[{"id": "a", "class": "City", "q": "nme == 1"}]"#, "x",
      #"[{"class": "City"}]"#,
    ])
  func mistakes(_ topics: String) throws {
    let fixture = try Fixture()
    #expect(throws: (any Error).self) { try fixture.open(topics) }
  }

  @Test("What a slow page does not take becomes one piece that says so")
  func slowness() async {
    let outbox = Outbox()
    for number in 0..<Outbox.capacity { outbox.add("\(number)") }
    #expect(!outbox.takeIsBehind())
    outbox.add("one more")
    #expect(outbox.takeIsBehind() && !outbox.takeIsBehind())
    outbox.add("newest")
    #expect(await outbox.next() == "newest")
    outbox.end()
    #expect(await outbox.next() == nil)
  }
}
