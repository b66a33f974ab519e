import LarderQuery
import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

@Suite("Changes that nothing followed")
struct MissedChangesTests {
  private static let queries = ["value BETWEEN {5, 25}", "next.value > 10", "ANY others.value > 20", "label == 'x'"]

  @Test("Random transactions: what the log says agrees with both versions", arguments: queries.indices)
  func random(number: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try NodeStore(clusterSize: 8)
    var living = try fixture.add(5, 10, 15, 20, 25, 30)
    let all = ResultsQuery(fixture.node)
    for _ in 0..<60 {
      let older = try fixture.store.snapshot()
      let query = ObservedResults(try all.filtered(Self.queries[number], schema: older.schema))
      for _ in 0..<random.int(1...4) { try change(fixture, &living, &random) }
      let newer = try fixture.store.snapshot()
      let (old, new) = (try query.evaluate(older), try query.evaluate(newer))
      let missed = try #require(try MissedChanges(of: query, new, after: older.version, in: newer))
      var removed = Set(old)
      for (position, key) in new.enumerated() {
        removed.remove(key)
        let wasThere = try older.contains(fixture.node, key)
        #expect(missed.insertions.contains(position) == !wasThere)
        guard wasThere else { continue }
        let isOther = try [fixture.value, fixture.label, fixture.next].contains { column in
          try older.value(fixture.node, column, key) != newer.value(fixture.node, column, key)
        }
        #expect(!isOther && old.contains(key) || missed.modifications.contains(position))
      }
      #expect(missed.left >= removed.count)
    }
  }

  private func change(_ fixture: NodeStore, _ living: inout [ObjectKey], _ random: inout SeededRandom) throws {
    let (key, number) = (random.pick(living), Int64(random.int(0...40)))
    switch random.int(0...9) {
    case 0...1: living += try fixture.add(number)
    case 2 where living.count > 3:
      try fixture.delete(key)
      living.removeAll { $0 == key }
    case 3...4: try fixture.link(key, random.pick(living))
    case 5: try fixture.relabel(key)
    case 6:
      let element = random.pick(living)
      try fixture.write { try $0.lists.insert(fixture.node, fixture.others, key, at: 0, [.link(element)]) }
    default: try fixture.set(key, number)
    }
  }

  @Test("What does not concern the query is no change, and what the log has no longer is unknown")
  func limits() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(1, 30)
    let first = try fixture.store.snapshot().version
    try fixture.relabel(keys[0])
    func missed() throws -> MissedChanges? {
      let snapshot = try fixture.store.snapshot()
      let query = ObservedResults(try ResultsQuery(fixture.node).filtered("value > 5", schema: snapshot.schema))
      return try MissedChanges(of: query, try query.evaluate(snapshot), after: first, in: snapshot)
    }
    #expect(try missed()?.isEmpty == true)
    try fixture.set(keys[0], 2)
    #expect(try missed()?.left == 1)
    for number in 0..<300 { try fixture.set(keys[0], Int64(number % 5)) }
    #expect(try missed() == nil)
  }
}
