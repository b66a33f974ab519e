import Foundation
import LarderStorage
import TestSupport
import TestTraits
import Testing

@testable import LarderQuery

/// The planner, the row-by-row reference and an evaluation over plain Swift values must agree on every predicate, and a
/// predicate written as text must parse to itself.
///
/// `LARDER_PREDICATES=100000` sets how many predicates there are; each schema with its data serves for 250.
@Suite struct DifferentialTests {
  private static var predicates: Int {
    ProcessInfo.processInfo.environment["LARDER_PREDICATES"].flatMap { Int($0) } ?? 1500
  }

  @Test("Random schemas, data and predicates: planned, row by row and over plain values", .long)
  func agree() throws {
    var random = SeededRandom.forTest()
    var rest = Self.predicates
    while rest > 0 {
      let seed = random.next()
      let count = min(rest, 250)
      rest -= count
      try check(SeededRandom(seed: seed), predicates: count)
    }
  }

  @Test("Q-77: random groups by what is computed: column by column and over plain values", .long)
  func groupsAgree() throws {
    var random = SeededRandom.forTest()
    for _ in 0..<max(1, Self.predicates / 400) {
      let seed = random.next()
      try checkGroups(SeededRandom(seed: seed), count: 40)
    }
  }

  private func checkGroups(_ seeded: SeededRandom, count: Int) throws {
    var random = seeded
    let fixture = RandomFixture(&random, rows: random.int(4...40)).fixture
    let store = try FixtureStore(fixture, clusterSize: random.pick([8, 64, 496]))
    let snapshot = try store.store.snapshot()
    let naive = NaiveGroups(NaiveEvaluator(fixture))
    let maker = RandomPredicate(fixture, store.values)
    for _ in 0..<count {
      let className = random.pick(fixture.classes.map(\.name))
      let classID = try #require(store.values.classIDs[className])
      let node = random.oneIn(2) ? try maker.node(className, &random) : .constant(true)
      var rows = (naive.evaluator.rows[className] ?? []).filter { naive.evaluator.holds(node, $0) }
      let binder = Binder(schema: snapshot.schema, naming: fixture.naming, text: "")
      var query = ResultsQuery(classID, predicate: try binder.bind(node, to: classID))
      if random.oneIn(3) {
        // In an order of its own, as lists and results with limits are.
        rows = rows.filter { _ in random.oneIn(2) } + rows.filter { _ in random.oneIn(3) }
        let keys = try rows.map { try #require(store.values.keys[className]?[$0.label]) }
        query = ResultsQuery(.keys(classID, keys))
      }
      let expressions = maker.expressions(className)
      let keys = (0..<random.int(0...2)).compactMap { _ in expressions.value(&random, isNumber: false) }
      let columns: [NaiveGroups.Column] = (0..<random.int(1...3)).compactMap { _ in
        let operation = random.pick([
          GroupOperation.count, .sum, .min, .max, .average, .distinct, .median, .percentile(12.5),
        ])
        guard operation != .count else { return (.count, nil) }
        return expressions.value(&random, isNumber: operation != .distinct).map { (operation, $0) }
      }
      let source = GroupSource.objects(query)
      func bound<T>(_ operand: OperandNode?, _ body: (String, [PredicateArgument]) throws -> T) throws -> T {
        let (text, arguments) = operand.map { PredicatePrinter.write($0) } ?? ("", [])
        return try body(text, arguments)
      }
      let found = try GroupQuery(
        source,
        by: keys.map { key in
          try bound(key) {
            try source.key($0, $1, side: 0, schema: snapshot.schema, naming: fixture.naming)
          }
        },
        columns.map { column in
          try bound(column.operand) {
            try source.aggregate(
              column.operation, $0, $1, side: 0, schema: snapshot.schema, naming: fixture.naming)
          }
        }
      ).groups(in: snapshot)
      let place =
        "LARDER_SEED of this schema: \(seeded.seed): \(className) by \(keys.map { PredicatePrinter.describe($0) }): "
        + "\(columns.map { "\($0.operation) \($0.operand.map { PredicatePrinter.describe($0) } ?? "")" })"
      let expected = naive.groups(rows, by: keys, columns)
      let values = found.map { ($0.keys + $0.values).map { NaiveGroups.comparable($0) } }
      #expect(NaiveGroups.agree(values, expected), "\(values) instead of \(expected): \(place)")
    }
  }

  private func check(_ seeded: SeededRandom, predicates: Int) throws {
    var random = seeded
    let fixture = RandomFixture(&random, rows: random.int(4...14)).fixture
    let store = try FixtureStore(fixture, clusterSize: random.pick([8, 64, 496]))
    let snapshot = try store.store.snapshot()
    let naive = NaiveEvaluator(fixture)
    let maker = RandomPredicate(fixture, store.values)
    let names = fixture.classes.map(\.name)
    let naming = fixture.naming
    let labels = store.values.keys.mapValues { keys in
      Dictionary(keys.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }
    for _ in 0..<predicates {
      let className = random.pick(names)
      let classID = try #require(store.values.classIDs[className])
      let node = try maker.node(className, &random)
      let (text, arguments) = PredicatePrinter.write(node)
      let parsed = try PredicateParser.parse(text, arguments)
      #expect(parsed.withoutRanges == node.normalized.withoutRanges, "\(text) \(arguments)")
      let binder = Binder(schema: snapshot.schema, naming: naming, text: text)
      let query = ResultsQuery(classID, predicate: try binder.bind(parsed, to: classID))
      let oracle = try query.keys(in: snapshot, mode: .rowByRow)
      let place = "LARDER_SEED of this schema: \(seeded.seed): \(className): \(text) \(arguments)"
      #expect(try query.keys(in: snapshot) == oracle, "planned: \(place)")
      #expect(try query.keys(in: snapshot, mode: .indexed) == oracle, "by indexes: \(place)")
      #expect(try query.count(in: snapshot) == oracle.count, "count: \(place)")
      #expect(try query.count(in: snapshot, mode: .indexed) == oracle.count, "count by indexes: \(place)")
      #expect(try query.first(in: snapshot) == oracle.first, "first: \(place)")
      try checkSteps(query, fixture.properties(of: className), snapshot, place, &random)
      let expected = (naive.rows[className] ?? []).filter { naive.holds(node, $0) }.map(\.label)
      #expect(oracle.map { labels[className]?[$0] ?? "?" } == expected, "plain: \(place)")
    }
  }

  /// Sorts, distinct, limits and offsets after the predicate, in the order of an index or not.
  private func checkSteps(
    _ filtered: ResultsQuery, _ properties: [QueryFixture.Property], _ snapshot: Snapshot, _ place: String,
    _ random: inout SeededRandom
  ) throws {
    let names = properties.filter {
      $0.kind == .one && RandomFixture.scalars.contains($0.type) && $0.type != "data"
    }.map(\.name)
    guard !names.isEmpty else { return }
    var query = filtered
    var steps: [String] = []
    let ascending = random.oneIn(2)
    for _ in 0..<random.int(1...3) {
      switch random.int(0...5) {
      case 0, 1, 2:
        let criteria = (0..<random.int(1...2)).map { _ in
          (keyPath: random.pick(names), ascending: random.oneIn(4) ? !ascending : ascending)
        }
        query = try query.sorted(criteria, schema: snapshot.schema)
        steps.append("sort \(criteria)")
      case 3:
        let name = random.pick(names)
        query = try query.distinct([name], schema: snapshot.schema)
        steps.append("distinct \(name)")
      case 4:
        query = query.limited(to: random.int(0...5))
        steps.append("limit")
      default:
        query = query.skipping(random.int(0...2))
        steps.append("offset")
      }
    }
    let expected = try query.keys(in: snapshot, mode: .rowByRow)
    let text = "\(steps): \(place)"
    #expect(try query.keys(in: snapshot) == expected, "planned \(text)")
    #expect(try query.keys(in: snapshot, mode: .indexed) == expected, "by indexes \(text)")
    #expect(try query.count(in: snapshot) == expected.count, "count \(text)")
    let (keys, prefixes) = try query.keysWithPrefixes(in: snapshot)
    #expect(keys == expected, "with prefixes \(text)")
    try checkPrefixes(prefixes, of: keys, query, snapshot, text)
    let limit = random.int(0...3)
    #expect(
      try query.keys(in: snapshot, limit: limit, mode: .indexed) == Array(expected.prefix(limit)),
      "first \(limit) \(text)")
    #expect(try query.explain(in: snapshot).root.rows == expected.count, "explained \(text)")
  }

  /// Words of sorted results rise, and are those of the values.
  private func checkPrefixes(
    _ prefixes: [UInt64], of keys: [ObjectKey], _ query: ResultsQuery, _ snapshot: Snapshot, _ text: String
  ) throws {
    guard !prefixes.isEmpty, case .sort(let sortKeys)? = query.steps.first else { return }
    let evaluator = RowEvaluator(snapshot)
    let expected = try keys.map { key in
      sortKeys[0].prefix(of: try evaluator.sortValue(sortKeys[0].target, query.classID, key))
    }
    #expect(prefixes == expected, "words \(text)")
    #expect(zip(prefixes, prefixes.dropFirst()).allSatisfy { $0 <= $1 }, "order of words \(text)")
    #expect(!prefixes.contains(SortPrefix.unknown), "known words \(text)")
  }
}

extension ResultsQuery {
  init(_ classID: ClassID, predicate: BoundPredicate) {
    self.init(.objects(classID), predicate: predicate)
  }
}
