import Foundation
import LarderQuery
import LarderStorage
import TestSupport
import TestTraits
import Testing

@testable import LarderObservation

@Suite("Observed results")
struct ObservedResultsTests {
  private func observed(
    _ fixture: NodeStore, _ text: String?, sorted: [(keyPath: String, ascending: Bool)] = [], limit: Int? = nil
  ) throws -> ObservedResults {
    let schema = try fixture.store.snapshot().schema
    var query = ResultsQuery(fixture.node)
    if let text { query = try query.filtered(text, schema: schema) }
    query = try query.sorted(sorted, schema: schema)
    return ObservedResults(limit.map { query.limited(to: $0) } ?? query)
  }

  @Test("what a predicate and a sort depend on is found, links and lists included")
  func dependencies() throws {
    let fixture = try NodeStore()
    func step(_ column: ColumnID) -> PathStep { PathStep(fixture.node, column) }
    let query = try observed(
      fixture, "value > 3 AND (next.label == 'a' OR ANY others.value == 2)",
      sorted: [(keyPath: "next.next.value", ascending: false)])
    let expected: Set<DependencyPath> = [
      [step(fixture.value)], [step(fixture.next)], [step(fixture.next), step(fixture.label)],
      [step(fixture.others)], [step(fixture.others), step(fixture.value)],
      [step(fixture.next), step(fixture.next)], [step(fixture.next), step(fixture.next), step(fixture.value)],
    ]
    #expect(query.dependencies.map { Set($0) } == expected)
    #expect(query.order == .sorted)
    #expect(try observed(fixture, "TRUEPREDICATE").dependencies == [])
    #expect(try observed(fixture, nil, limit: 3).dependencies == nil)
    #expect(try observed(fixture, "next.note.text == 'x'").classes == [fixture.node, fixture.note])
    let computed = try observed(fixture, "value * 2 > next.value OR length(next.label) == 2")
    #expect(
      computed.dependencies.map { Set($0) }
        == [
          [step(fixture.value)], [step(fixture.next)], [step(fixture.next), step(fixture.value)],
          [step(fixture.next), step(fixture.label)],
        ])
    let counted = try observed(fixture, "others.@count > 1 OR others.@max.value > 7")
    #expect(
      counted.dependencies.map { Set($0) } == [[step(fixture.others)], [step(fixture.others), step(fixture.value)]])
  }

  private static let kinds: [(String?, [(keyPath: String, ascending: Bool)], Int?)] = [
    (nil, [(keyPath: "label", ascending: true), (keyPath: "value", ascending: false)], nil),
    ("value BETWEEN {5, 25}", [], nil),
    ("next.value > 10", [(keyPath: "next.label", ascending: false)], nil),
    ("ANY others.value > 20", [(keyPath: "value", ascending: true)], nil),
    ("others.@count > 0 AND next != nil", [], nil),
    ("value > next.value", [(keyPath: "next.next.value", ascending: true)], nil),
    ("value > 5", [(keyPath: "value", ascending: false)], 7),
    ("value * 2 - next.value > 10 OR length(next.label) % 2 == 0", [(keyPath: "value", ascending: true)], nil),
    ("ANY numbers > 12 OR next.note.text BEGINSWITH 'l1'", [], nil),
  ]

  /// Transactions for each kind of query; `LARDER_TRANSACTIONS` says how many for all together.
  private static let transactions =
    (ProcessInfo.processInfo.environment["LARDER_TRANSACTIONS"].flatMap { Int($0) } ?? 900) / (kinds.count + 2)

  @Test(
    "N-10 to N-16 random transactions: every change set leads from the old keys to a fresh evaluation", .long,
    arguments: 0..<8
  )
  func randomTransactions(kind: Int) throws {
    let fixture = try NodeStore(clusterSize: 8)
    let (text, sorted, limit) = Self.kinds[kind]
    try follow(fixture, try observed(fixture, text, sorted: sorted, limit: limit))
  }

  @Test("N-17 the same for distinct results and for those of a list", .long, arguments: [true, false])
  func randomTransactions(isDistinct: Bool) throws {
    let fixture = try NodeStore(clusterSize: 8)
    let schema = try fixture.store.snapshot().schema
    if isDistinct {
      let query = try ResultsQuery(fixture.node).sorted([(keyPath: "value", ascending: true)], schema: schema)
        .distinct(["label"], schema: schema)
      return try follow(fixture, ObservedResults(query))
    }
    let owner = try fixture.add(0)[0]
    let list = ResultsQuery(
      .list(owner: ObjectLink(classID: fixture.node, key: owner), column: fixture.others, elements: fixture.node))
    try follow(fixture, ObservedResults(try list.filtered("value > 3", schema: schema)), owner: owner)
  }

  /// - Parameter owner: An object that stays, and is chosen often.
  private func follow(_ fixture: NodeStore, _ query: ObservedResults, owner: ObjectKey? = nil) throws {
    var random = SeededRandom.forTest()
    var living = try fixture.add(5, 10, 15, 20, 25)
    var snapshot = try fixture.store.snapshot()
    var keys = try query.sequence(snapshot)
    var count = 0
    while count < Self.transactions {
      var assigned: Set<ObjectKey> = []
      for _ in 0..<random.int(1...2) {
        count += 1
        try fixture.write { writer in
          for _ in 0..<random.int(1...6) {
            try change(fixture, writer, &living, &assigned, &random)
            if let owner, random.oneIn(3) {
              try writer.lists.insert(fixture.node, fixture.others, owner, at: 0, [.link(random.pick(living))])
            } else if let owner, random.oneIn(9) {
              try writer.lists.clear(fixture.node, fixture.others, owner)
            }
          }
        }
      }
      let newer = try fixture.store.snapshot()
      var progress = QueryProgress(
        query: query, scope: .paths([[PathStep(fixture.node, fixture.value)]]), older: snapshot, newer: newer,
        summary: try newer.changes(since: snapshot.moment))
      // The other way first: what the query keeps belongs to the one that goes on.
      let ways: [QueryProgress.Way] = random.oneIn(4) ? [.objectByObject, .again] : [.again, .objectByObject]
      progress.way = ways[0]
      let other = try progress.advance(keys)
      progress.way = ways[1]
      let (next, changes) = try progress.advance(keys)
      #expect(other.keys == next && other.changes == changes, "\(ways)")
      let fresh = try query.evaluate(newer)
      #expect(next.keys == fresh)
      try checkWords(next, query, newer)
      #expect(changes.apply(to: keys.keys, new: fresh) == fresh)
      let stayed = keys.indices.filter { !changes.deletions.contains($0) }
      #expect(changes.modifications == stayed.filter { assigned.contains(keys[$0]) })
      (keys, snapshot) = (next, newer)
    }
  }

  /// The words of the keys are those of what the objects are sorted by, as far as they are known.
  private func checkWords(_ keys: KeySequence, _ query: ObservedResults, _ reader: Snapshot) throws {
    guard keys.hasWords, case .sort(let sortKeys)? = query.query.steps.first else { return }
    let evaluator = RowEvaluator(reader)
    for (position, key) in keys.enumerated() {
      let value = try evaluator.sortValue(sortKeys[0].target, query.classID, key)
      let word = keys.word(at: position)
      #expect(word == sortKeys[0].prefix(of: value) || word == SortPrefix.unknown)
    }
  }

  private func change(
    _ fixture: NodeStore, _ writer: StoreWriter, _ living: inout [ObjectKey], _ assigned: inout Set<ObjectKey>,
    _ random: inout SeededRandom
  ) throws {
    let number = Int64(random.int(0...30))
    let key = random.pick(living)
    switch random.int(0...11) {
    case 0...1: living.append(try fixture.create(writer, number))
    case 2 where living.count > (random.oneIn(2) ? 3 : 40):
      try writer.delete(fixture.node, living.remove(at: random.int(0..<living.count)))
    case 3...4:
      try writer.set(fixture.node, fixture.value, key, .int(number))
      assigned.insert(key)
    case 5...6: try writer.set(fixture.node, fixture.next, key, random.oneIn(5) ? .null : .link(random.pick(living)))
    case 7: try writer.set(fixture.node, fixture.label, key, .string("l\(number)"))
    case 8:
      let note = try writer.createEmbedded(in: fixture.node, fixture.noteColumn, key)
      try writer.set(fixture.note, fixture.noteText, note, .string("l\(number)"))
    case 9: try writer.lists.insert(fixture.node, fixture.numbers, key, at: 0, [.int(number)])
    case 10: try writer.lists.clear(fixture.node, fixture.others, key)
    default: try writer.lists.insert(fixture.node, fixture.others, key, at: 0, [.link(random.pick(living))])
    }
  }
}
