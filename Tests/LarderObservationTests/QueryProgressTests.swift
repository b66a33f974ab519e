import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

@Suite("Query progress")
struct QueryProgressTests {
  /// Follows a query by hand from version to version.
  private struct Follower {
    let query: NodeQuery
    let scope: ModificationScope
    var snapshot: Snapshot
    var keys: KeySequence

    init(_ fixture: NodeStore, _ query: NodeQuery, scope: ModificationScope = .standard) throws {
      self.query = query
      self.scope = scope
      snapshot = try fixture.store.snapshot()
      keys = KeySequence(try query.evaluate(snapshot))
    }

    mutating func step(_ fixture: NodeStore) throws -> CollectionChangeSet {
      let newer = try fixture.store.snapshot()
      let progress = QueryProgress(
        query: query, scope: scope, older: snapshot, newer: newer,
        summary: try newer.changes(since: snapshot.moment))
      let (newKeys, changes) = try progress.advance(keys)
      #expect(changes.apply(to: keys.keys, new: newKeys.keys) == newKeys.keys)
      let fresh = try query.evaluate(newer)
      #expect(newKeys.keys == fresh)
      keys = newKeys
      snapshot = newer
      return changes
    }
  }

  @Test("N-10 insertions, deletions and modifications of an unsorted query")
  func unsorted() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(5, 1, 7, 9)
    var follower = try Follower(fixture, fixture.query(atLeast: 5))
    try fixture.set(keys[1], 6)
    #expect(try follower.step(fixture) == .init(insertions: [1]))
    try fixture.set(keys[2], 0)
    #expect(try follower.step(fixture) == .init(deletions: [2]))
    try fixture.relabel(keys[3])
    #expect(try follower.step(fixture) == .init(modifications: [2]))
    try fixture.add(2, 8)
    #expect(try follower.step(fixture) == .init(insertions: [3]))
    try fixture.delete(keys[0])
    #expect(try follower.step(fixture) == .init(deletions: [0]))
  }

  @Test("N-12 given sorted [1,2,3], set 1 to 4: deletions [0], insertions [2]")
  func sortedMove() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(1, 2, 3)
    var follower = try Follower(fixture, fixture.query(sorted: true))
    try fixture.set(keys[0], 4)
    #expect(try follower.step(fixture) == .init(deletions: [0], insertions: [2]))
    try fixture.set(keys[0], 5)
    #expect(try follower.step(fixture) == .init(modifications: [2]))
  }

  @Test("N-14 assigning the same value is a modification")
  func assignment() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(1, 2)
    var follower = try Follower(fixture, fixture.query())
    try fixture.set(keys[1], 2)
    #expect(try follower.step(fixture) == .init(modifications: [1]))
  }

  @Test("N-15 a change three links away is a modification, one four links away is not")
  func depth() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(100, 1, 2, 3, 4)
    for index in 0..<4 { try fixture.link(keys[index], keys[index + 1]) }
    var follower = try Follower(fixture, fixture.query(atLeast: 100))
    for index in 1...3 {
      try fixture.relabel(keys[index])
      #expect(try follower.step(fixture) == .init(modifications: [0]), "\(index) links away")
    }
    try fixture.relabel(keys[4])
    #expect(try follower.step(fixture).isEmpty)
  }

  @Test("N-15 lists, embedded objects and cycles are followed")
  func otherLinks() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(100, 1)
    let note = try fixture.write { writer in
      try writer.lists.insert(fixture.node, fixture.others, keys[0], at: 0, [.link(keys[1])])
      try writer.set(fixture.node, fixture.next, keys[1], .link(keys[0]))
      return try writer.createEmbedded(in: fixture.node, fixture.noteColumn, keys[1])
    }
    var follower = try Follower(fixture, fixture.query(atLeast: 100))
    try fixture.relabel(keys[1])
    #expect(try follower.step(fixture) == .init(modifications: [0]))
    try fixture.write { try $0.set(fixture.note, fixture.noteText, note, .string("changed")) }
    #expect(try follower.step(fixture) == .init(modifications: [0]))
  }

  @Test("N-16 deleting a linked object modifies those that linked to it")
  func deletedTarget() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(100, 1, 2, 101)
    try fixture.link(keys[0], keys[1])
    try fixture.write { try $0.lists.insert(fixture.node, fixture.others, keys[3], at: 0, [.link(keys[2])]) }
    var follower = try Follower(fixture, fixture.query(atLeast: 100))
    try fixture.delete(keys[1])
    #expect(try follower.step(fixture) == .init(modifications: [0]))
    try fixture.delete(keys[2])
    #expect(try follower.step(fixture) == .init(modifications: [1]))
  }

  @Test("N-30 N-31 paths filter modifications, never membership")
  func paths() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(100, 1)
    try fixture.link(keys[0], keys[1])
    let label = [PathStep(fixture.node, fixture.label)]
    let nextLabel = [PathStep(fixture.node, fixture.next), PathStep(fixture.node, fixture.label)]
    var own = try Follower(fixture, fixture.query(atLeast: 100), scope: .paths([label]))
    var linked = try Follower(fixture, fixture.query(atLeast: 100), scope: .paths([nextLabel]))
    try fixture.set(keys[0], 101)
    #expect(try own.step(fixture).isEmpty)
    #expect(try linked.step(fixture).isEmpty)
    try fixture.relabel(keys[1])
    #expect(try own.step(fixture).isEmpty)
    #expect(try linked.step(fixture) == .init(modifications: [0]))
    try fixture.link(keys[0], nil)
    #expect(try own.step(fixture).isEmpty)
    #expect(try linked.step(fixture) == .init(modifications: [0]))
    try fixture.set(keys[1], 200)
    #expect(try own.step(fixture) == .init(insertions: [1]))
  }

  @Test("N-7 many commits become one change set")
  func coalescing() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(1, 2, 3)
    var follower = try Follower(fixture, fixture.query())
    let more = try fixture.add(4)
    try fixture.delete(more[0])
    #expect(try follower.step(fixture).isEmpty)
    try fixture.relabel(keys[0])
    try fixture.relabel(keys[0])
    try fixture.delete(keys[1])
    try fixture.add(9)
    #expect(try follower.step(fixture) == .init(deletions: [1], insertions: [2], modifications: [0]))
  }

  @Test("a small change never runs the query again")
  func incremental() throws {
    let fixture = try NodeStore()
    let keys = try fixture.write { writer in try (0..<400).map { try fixture.create(writer, Int64($0)) } }
    for query in [fixture.query(), fixture.query(sorted: true), fixture.query(throughLink: true, sorted: true)] {
      var follower = try Follower(fixture, query)
      try fixture.set(keys[7], 1000)
      try fixture.link(keys[9], keys[7])
      let before = query.runs.count
      _ = try follower.step(fixture)
      // The follower itself evaluates once, to compare.
      #expect(query.runs.count == before + 1)
    }
  }

  @Test("the query runs again when the log does not tell enough")
  func incompleteSummary() throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(1, 2, 3)
    let older = try fixture.store.snapshot()
    let query = fixture.query(sorted: true)
    let before = KeySequence(try query.evaluate(older))
    try fixture.set(keys[0], 9)
    try fixture.add(5)
    let newer = try fixture.store.snapshot()
    let summary = ChangeSummary(older: older.version, newer: newer.version, isComplete: false)
    let (after, changes) = try QueryProgress(
      query: query, scope: .standard, older: older, newer: newer, summary: summary
    ).advance(before)
    let fresh = try query.evaluate(newer)
    #expect(after.keys == fresh)
    #expect(changes.apply(to: before.keys, new: fresh) == fresh)
  }

  @Test("random transactions: every change set leads from the old keys to a fresh evaluation", arguments: 0..<6)
  func randomTransactions(kind: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try NodeStore(clusterSize: kind % 2 == 0 ? 8 : 64)
    var living = try fixture.add(5, 10, 15, 20, 25)
    let queries = [
      fixture.query(atLeast: 20), fixture.query(atLeast: 20, sorted: true),
      fixture.query(atLeast: 20, throughLink: true), fixture.query(atLeast: 10, throughLink: true, sorted: true),
      fixture.query(sorted: true), fixture.query(atLeast: 15, sorted: true, opaque: true),
    ]
    var follower = try Follower(fixture, queries[kind])
    for round in 0..<80 {
      for _ in 0..<random.int(1...2) {
        try fixture.write { writer in
          for _ in 0..<(round % 20 == 19 ? 300 : random.int(1...6)) {
            try Self.randomChange(fixture, writer, &living, &random)
          }
        }
      }
      _ = try follower.step(fixture)
    }
  }

  private static func randomChange(
    _ fixture: NodeStore, _ writer: StoreWriter, _ living: inout [ObjectKey], _ random: inout SeededRandom
  ) throws {
    let number = Int64(random.int(0...40))
    guard living.count > 2 else {
      living.append(try fixture.create(writer, number))
      return
    }
    let key = random.pick(living)
    switch random.int(0...9) {
    case 0...1: living.append(try fixture.create(writer, number))
    case 2: try writer.delete(fixture.node, living.remove(at: random.int(0..<living.count)))
    case 3...5: try writer.set(fixture.node, fixture.value, key, .int(number))
    case 6...7: try writer.set(fixture.node, fixture.next, key, random.oneIn(5) ? .null : .link(random.pick(living)))
    case 8: try writer.set(fixture.node, fixture.label, key, .string("l\(number)"))
    default: try writer.lists.insert(fixture.node, fixture.others, key, at: 0, [.link(random.pick(living))])
    }
  }
}
