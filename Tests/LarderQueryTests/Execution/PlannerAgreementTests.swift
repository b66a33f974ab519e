import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// Kernels, indexes, link joins and the radix sort against the row-at-a-time reference.
@Suite struct PlannerAgreementTests {
  @Test("Random predicates: planner and oracle agree", arguments: [8, 64, 496])
  func agree(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: clusterSize == 496 ? 600 : 160, clusterSize: clusterSize)
    let snapshot = try fixture.store.snapshot()
    for _ in 0..<60 {
      let (text, arguments) = RandomStore.predicate(&random)
      let query = try ResultsQuery(fixture.classID).filtered(text, arguments, schema: snapshot.schema)
      let expected = try query.keys(in: snapshot, mode: .rowByRow)
      let found = try query.keys(in: snapshot)
      #expect(found == expected, "\(text) \(arguments)")
      #expect(try query.keys(in: snapshot, mode: .indexed) == expected, "by indexes: \(text) \(arguments)")
      #expect(try query.count(in: snapshot) == expected.count, "\(text) \(arguments)")
      #expect(try query.first(in: snapshot) == expected.first, "\(text) \(arguments)")
    }
  }

  @Test("Random sorts: radix sort and slow sort agree", arguments: [8, 496])
  func sorts(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 520, clusterSize: clusterSize)
    let snapshot = try fixture.store.snapshot()
    let paths = RandomStore.scalars.filter { $0.type != .data }.map(\.name)
    for _ in 0..<25 {
      let criteria = (0..<random.int(1...3)).map { _ in
        (keyPath: random.pick(["", "", "next.", "next.next."]) + random.pick(paths), ascending: random.oneIn(2))
      }
      let query = try ResultsQuery(fixture.classID).sorted(criteria, schema: snapshot.schema)
      let expected = try query.keys(in: snapshot, mode: .rowByRow)
      #expect(try query.keys(in: snapshot) == expected, "\(criteria)")
      #expect(try query.keys(in: snapshot, mode: .indexed) == expected, "by indexes: \(criteria)")
      let limit = random.int(1...20)
      #expect(
        try query.keys(in: snapshot, limit: limit) == Array(expected.prefix(limit)), "\(criteria), first \(limit)")
    }
  }

  @Test("Queries inside a write see its changes")
  func insideWrite() throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 200, clusterSize: 8)
    let writer = try fixture.store.beginWrite()
    defer { writer.cancel() }
    let item = try #require(writer.schema["Item"])
    let number = try #require(item.column(named: "number"))
    let query = try ResultsQuery(item.id).filtered("number == 4242", schema: writer.schema)
    #expect(try query.count(in: writer) == 0)
    let key = try writer.create(item.id)
    try writer.set(item.id, number.id, key, .int(4242))
    #expect(try query.keys(in: writer) == [key])
    for _ in 0..<25 {
      let (text, arguments) = RandomStore.predicate(&random)
      let query = try ResultsQuery(item.id).filtered(text, arguments, schema: writer.schema)
      #expect(try query.keys(in: writer) == query.keys(in: writer, mode: .rowByRow), "\(text) \(arguments)")
      let victim = try ResultsQuery(item.id).first(in: writer)
      if let victim, random.oneIn(3) { try writer.delete(item.id, victim) }
    }
  }
}
