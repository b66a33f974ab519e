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
      }
      check(error, expected, place)
      return
    }
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
