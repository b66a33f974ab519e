import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// Tests the groups that are kept, their order, and how conditions name their columns.
@Suite("Queries of groups")
struct GroupQueryTests {
  private let temporary: TemporaryStore
  private let trip: ClassDescriptor

  init() throws {
    temporary = try TemporaryStore(clusterSize: 32)
    try temporary.write { writer in
      try writer.apply(
        [
          ClassDeclaration(
            name: "Trip",
            columns: [
              ColumnDeclaration(name: "origin", type: .string, isOptional: true),
              ColumnDeclaration(name: "count", type: .int), ColumnDeclaration(name: "day", type: .date),
              ColumnDeclaration(name: "delay", type: .double, isOptional: true),
            ])
        ], schemaVersion: 1)
    }
    trip = try #require(try temporary.snapshot.schema["Trip"])
  }

  private func fill(_ random: inout SeededRandom) throws {
    try temporary.write { writer in
      for _ in 0..<400 {
        let key = try writer.create(trip.id)
        func set(_ name: String, _ value: StoredValue) throws {
          try writer.set(trip.id, try #require(trip.column(named: name)).id, key, value)
        }
        try set("origin", random.oneIn(6) ? .null : .string(random.pick(["EWR", "JFK", "LGA", "x", "y"])))
        try set("count", .int(Int64(random.int(0...3))))
        try set("day", .date(Timestamp(seconds: Int64(random.int(0...2)) * 86400, nanoseconds: 0)))
        try set("delay", random.oneIn(6) ? .null : .double(random.pick([-1, 0, 2.5, 7, .nan, 40])))
      }
    }
  }

  /// A query by names, as texts ask for it.
  private func query(
    _ paths: [String], _ titles: [String], having: String? = nil, _ arguments: [PredicateArgument] = []
  ) throws -> GroupQuery {
    let schema = try temporary.snapshot.schema
    let source = GroupSource.objects(ResultsQuery(trip.id))
    var query = GroupQuery(
      source, by: try paths.map { try source.key($0, side: 0, schema: schema, naming: .stored) }, [])
    var terms: [GroupTerm] = []
    func place(_ term: GroupTerm) throws -> Int {
      if case .key(let path) = term { return try #require(paths.firstIndex(of: path)) }
      if let known = terms.firstIndex(of: term) { return paths.count + known }
      guard case .aggregate(let operation, let path) = term else { return 0 }
      query.aggregates.append(
        try source.aggregate(operation, path, side: 0, schema: schema, naming: .stored))
      terms.append(term)
      return paths.count + terms.count - 1
    }
    for title in titles { _ = try place(try GroupTerm(title)) }
    if let having {
      var columns: [Int] = []
      let condition = try GroupCondition(having, arguments, keys: paths) { term in
        columns.append(try place(term))
        return try query.type(ofColumn: columns[columns.count - 1], in: schema)
      }
      query.filters.append(GroupQuery.Filter(condition, columns: columns))
    }
    return query
  }

  @Test("Q-77: conditions keep groups, orders and limits choose among them, against all groups")
  func conditions() throws {
    var random = SeededRandom.forTest()
    try fill(&random)
    let reader = try temporary.snapshot
    let all = try query(["origin", "day"], ["count", "average(delay)", "max(delay)", "distinct(count)"])
      .groups(in: reader)
    let conditions: [(String, (ResultsGroup) -> Bool)] = [
      ("count > 20", { $0.count > 20 }),
      ("count() BETWEEN {10, 25} AND NOT origin == 'JFK'", { 10...25 ~= $0.count && $0.keys[0] != .string("JFK") }),
      ("average(delay) >= 10 OR origin == nil", { number($0.values[1]) >= 10 || $0.keys[0].isNull }),
      (
        "max( delay ) > average(delay) AND origin BEGINSWITH[c] 'l'",
        { number($0.values[2]) > number($0.values[1]) && $0.keys[0] == .string("LGA") }
      ),
      (
        "distinct(count) == 4 AND origin IN {'EWR', 'average(delay)'}",
        { $0.values[3] == .int(4) && $0.keys[0] == .string("EWR") }
      ),
    ]
    for (text, holds) in conditions {
      var query = try query(
        ["origin", "day"], ["count", "average(delay)", "max(delay)", "distinct(count)"], having: text)
      let expected = all.filter(holds)
      let plain = try query.groups(in: reader)
      #expect("\(plain)" == "\(expected)", "\(text)")
      query.order = [.init(2, isAscending: false), .init(1)]
      (query.offset, query.limit) = (1, 3)
      let order = expected.indices.sorted { a, b in
        let (left, right) = (expected[a], expected[b])
        if left.count != right.count { return left.count > right.count }
        let days = ValueOrder.compare(left.keys[1], right.keys[1])
        return days != 0 ? days < 0 : a < b
      }
      let chosen = order.dropFirst().prefix(3).map { expected[$0] }
      let found = try query.groups(in: reader)
      #expect("\(found)" == "\(chosen)", "\(text)")
      #expect(try query.count(in: reader) == expected.count)
    }
  }

  @Test("Q-77: without keys there is one group, of nothing as well")
  func withoutKeys() throws {
    var reader = try temporary.snapshot
    let titles = ["count", "sum(count)", "average(delay)", "median(delay)", "distinct(origin)"]
    let empty = try query([], titles).groups(in: reader)
    #expect(empty == [ResultsGroup(keys: [], count: 0, values: [.int(0), .int(0), .null, .null, .int(0)])])
    var random = SeededRandom.forTest()
    try fill(&random)
    reader = try temporary.snapshot
    let groups = try query([], titles).groups(in: reader)
    #expect(groups.count == 1 && groups[0].count == 400 && groups[0].values[4] == .int(5))
  }

  @Test("Q-77: a key that is called as an aggregate is the key, and mistakes have their place in the text")
  func names() throws {
    var random = SeededRandom.forTest()
    try fill(&random)
    let reader = try temporary.snapshot
    let byCount = try query(["count"], [], having: "count == 3").groups(in: reader)
    #expect(byCount.map(\.keys) == [[.int(3)]])
    let asked = try query(["origin"], [], having: "median(delay) > %@", [.value(.double(-5))]).groups(in: reader)
    #expect(asked.count == 6)
    let mistakes: [(String, Int?)] = [
      ("average(delay) > 'x'", nil), ("count > 1 AND nothing == 2", 14), ("count >", 7),
    ]
    for (text, position) in mistakes {
      let error = #expect(throws: LarderQuery.PredicateError.self) { try query(["origin"], [], having: text) }
      #expect(error?.text == text, "\(String(describing: error))")
      if let position { #expect(error?.position == position, "\(String(describing: error))") }
    }
    for text in ["mean(delay) > 1", "percentile(delay) > 1", "percentile(delay, 101) > 1", "count(delay) > 1"] {
      #expect(throws: LarderQuery.PredicateError.self) { try query(["origin"], [], having: text) }
    }
  }

  @Test("Q-77: titles are read to their last parenthesis, and what is no aggregate is a key")
  func titles() throws {
    let titles: [(String, GroupTerm)] = [
      ("average(distance / airTime)", .aggregate(.average, "distance / airTime")),
      ("SUM ( length(name) )", .aggregate(.sum, "length(name)")),
      ("percentile(a / (b + 1), 90)", .aggregate(.percentile(90), "a / (b + 1)")),
      ("max(hour(day, 'Europe/Berlin'))", .aggregate(.max, "hour(day, 'Europe/Berlin')")),
      ("hour(day, 'Europe/Berlin')", .key("hour(day, 'Europe/Berlin')")), ("count()", .aggregate(.count, "")),
      ("sum(a) / sum(b)", .key("sum(a) / sum(b)")), ("tags['count(']", .key("tags['count(']")),
      ("min(tags['a)b'])", .aggregate(.min, "tags['a)b']")),
    ]
    for (text, term) in titles { #expect(try GroupTerm(text) == term, "\(text)") }
    #expect(GroupTerm.aggregate(.percentile(90), "a / b").title == "percentile(a / b, 90)")
    for text in ["housr(day)", "average(delay, count)", "sum()"] {
      #expect(throws: LarderQuery.PredicateError.self) { try GroupTerm(text) }
    }
  }

  @Test("Q-77: computed keys are named as they were written, and are no part of what binds more tightly")
  func computedKeys() throws {
    var random = SeededRandom.forTest()
    try fill(&random)
    let reader = try temporary.snapshot
    let all = try query(["count + 1", "day(day)"], ["average(delay * 2)"]).groups(in: reader)
    #expect(Set(all.map { $0.keys[0] }) == Set((1...4).map { .int($0) }) && all.count == 12)
    let kept = try query(
      ["count + 1", "day(day)"], ["average(delay * 2)"], having: "(count+1) * 2 == 4 AND day( day ) IN {1, 3}")
    let expected = all.filter { $0.keys[0] == .int(2) && $0.keys[1] != .int(2) }
    #expect(try kept.groups(in: reader).map(\.keys) == expected.map(\.keys))
    // The number of rows, and not a half of the key.
    let more = try query(["count + 1"], [], having: "count + 1 * 2 > 3").groups(in: reader)
    let plain = try query(["count + 1"], []).groups(in: reader).filter { $0.count > 1 }
    #expect(more.map(\.keys) == plain.map(\.keys))
    let plan = try kept.explain(in: reader)
    #expect(plan.root.text.hasPrefix("group by columns (count + 1), day(day): count, average((delay * 2))"), "\(plan)")
  }

  @Test("Q-77: explain says what is grouped and how the objects were found")
  func plan() throws {
    let plan = try query(["origin"], ["median(delay)"]).explain(in: try temporary.snapshot)
    #expect(plan.root.kind == .group && plan.root.text == "group by columns origin: count, median(delay)", "\(plan)")
    #expect(plan.root.children.count == 1)
  }
}

private func number(_ value: StoredValue) -> Double {
  if case .double(let number) = value { number } else { .nan }
}
