import Foundation
import LarderStorage
import Testing

@testable import LarderQuery

/// Runs every case of `Fixtures/queries`: planned, row by row, and over the JSON itself; all must give the keys in the file.
@Suite struct QueryFixtureTests {
  @Test("Fixtures/queries", arguments: QueryFixture.names())
  func file(_ name: String) throws {
    let fixture = try QueryFixture.read(name)
    for clusterSize in [8, 496] {
      let store = try FixtureStore(fixture, clusterSize: clusterSize)
      for query in fixture.cases { try check(query, fixture, store, name) }
    }
  }

  private func check(
    _ query: QueryFixture.Case, _ fixture: QueryFixture, _ store: FixtureStore, _ file: String
  ) throws {
    let place = "\(file): \(query.rule ?? "") \(query.predicate ?? "") \(query.sort ?? [])"
    let snapshot = try store.store.snapshot()
    let arguments = try (query.args ?? []).map { try store.values.argument($0) }
    let classID = try #require(store.values.classIDs[query.class], "\(place)")
    if let expected = query.error {
      let error = #expect(throws: LarderQuery.PredicateError.self, "\(place)") {
        _ = try resultsQuery(query, classID, arguments, snapshot.schema, fixture)
        if query.group != nil { _ = try groupQuery(query, classID, arguments, snapshot.schema, fixture) }
      }
      check(error, expected, place)
      return
    }
    if query.group != nil { return try checkGroups(query, classID, arguments, snapshot, fixture, place) }
    let results = try resultsQuery(query, classID, arguments, snapshot.schema, fixture)
    // The evaluator over JSON knows the format language, and no values of any type: those cases are checked by hand.
    let hasMixed = fixture.classes.contains { fixture.properties(of: $0.name).contains { $0.type == "mixed" } }
    if query.rql != true, !hasMixed {
      let node = try query.predicate.map { try PredicateParser.parse($0, arguments) }
      let naive = NaiveEvaluator(fixture).labels(query, node)
      #expect(naive == query.expect, "naive: \(place)")
    }
    let labels = Dictionary(
      (store.values.keys[query.class] ?? [:]).map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for mode in [ResultsQuery.Mode.planned, .rowByRow] {
      #expect(try results.keys(in: snapshot, mode: mode).map { labels[$0] ?? "?" } == query.expect, "\(mode): \(place)")
      #expect(try results.count(in: snapshot, mode: mode) == query.expect?.count, "\(mode) count: \(place)")
    }
  }

  /// Groups as the engine and as plain loops make them.
  private func checkGroups(
    _ query: QueryFixture.Case, _ classID: ClassID, _ arguments: [PredicateArgument], _ snapshot: Snapshot,
    _ fixture: QueryFixture, _ place: String
  ) throws {
    let place = "\(place) \(query.group ?? []) \(query.aggregates ?? []) \(query.having ?? "")"
    let groups = try groupQuery(query, classID, arguments, snapshot.schema, fixture).groups(in: snapshot)
    let found = groups.map { ($0.keys + $0.values).prefix((query.group ?? []).count + (query.aggregates ?? []).count) }
    let expected = (query.groups ?? []).map { row in
      row.map { NaiveComparison.comparable($0 == .null ? .null : .scalar($0, type: NaiveGroups.type(of: $0))) }
    }
    #expect(NaiveGroups.agree(found.map { $0.map { NaiveGroups.comparable($0) } }, expected), "\(found): \(place)")
    guard query.having == nil else { return }
    let naive = NaiveGroups(NaiveEvaluator(fixture))
    let node = try query.predicate.map { try PredicateParser.parse($0, arguments) }
    let rows = (naive.evaluator.rows[query.class] ?? []).filter { row in
      node.map { naive.evaluator.holds($0, row) } ?? true
    }
    let plain = naive.groups(
      rows, by: try (query.group ?? []).map { try PredicateParser.parseOperand($0) },
      try (query.aggregates ?? []).map { try NaiveGroups.column($0) })
    #expect(NaiveGroups.agree(plain, expected), "naive: \(plain): \(place)")
  }

  private func groupQuery(
    _ query: QueryFixture.Case, _ classID: ClassID, _ arguments: [PredicateArgument], _ schema: StoreSchema,
    _ fixture: QueryFixture
  ) throws -> GroupQuery {
    let source = GroupSource.objects(try resultsQuery(query, classID, arguments, schema, fixture))
    let (keys, naming) = (query.group ?? [], fixture.naming)
    var groups = GroupQuery(
      source, by: try keys.map { try source.key($0, side: 0, schema: schema, naming: naming) }, [])
    func place(_ term: GroupTerm) throws -> Int {
      if case .key(let key) = term { return try #require(keys.firstIndex(of: key)) }
      guard case .aggregate(let operation, let text) = term else { return 0 }
      groups.aggregates.append(try source.aggregate(operation, text, side: 0, schema: schema, naming: naming))
      return keys.count + groups.aggregates.count - 1
    }
    for title in query.aggregates ?? [] { _ = try place(try GroupTerm(title)) }
    if let having = query.having {
      var columns: [Int] = []
      let condition = try GroupCondition(having, keys: keys) { term in
        columns.append(try place(term))
        return try groups.type(ofColumn: columns[columns.count - 1], in: schema)
      }
      groups.filters.append(GroupQuery.Filter(condition, columns: columns))
    }
    return groups
  }

  private func check(_ error: LarderQuery.PredicateError?, _ expected: QueryFixture.ExpectedError, _ place: String) {
    guard let error else { return }
    #expect(error.description.contains(expected.message), "\(place): \(error)")
    if let position = expected.position { #expect(error.position == position, "\(place): \(error)") }
    if let suggestion = expected.suggestion { #expect(error.suggestion == suggestion, "\(place): \(error)") }
  }

  private func resultsQuery(
    _ query: QueryFixture.Case, _ classID: ClassID, _ arguments: [PredicateArgument], _ schema: StoreSchema,
    _ fixture: QueryFixture
  ) throws -> ResultsQuery {
    var results = ResultsQuery(classID)
    let naming = fixture.naming
    if let predicate = query.predicate {
      results =
        query.rql == true
        ? try results.filtered(rql: predicate, arguments, schema: schema, naming: naming)
        : try results.filtered(predicate, arguments, schema: schema, naming: naming)
    }
    let sort = (query.sort ?? []).map { path in
      (keyPath: path.hasPrefix("-") ? String(path.dropFirst()) : path, ascending: !path.hasPrefix("-"))
    }
    results = try results.sorted(sort, schema: schema, naming: naming)
    results = try results.distinct(query.distinct ?? [], schema: schema, naming: naming)
    return query.limit.map { results.limited(to: $0) } ?? results
  }
}
