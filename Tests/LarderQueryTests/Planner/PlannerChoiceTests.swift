import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// Tests the ways that are taken, and that they look at no more than a scan does. Nothing here is timed.
@Suite(.notUnder(.rowByRow, "it looks at plans")) struct PlannerChoiceTests {
  private static let store = Result { try PlannerStore() }
  private var store: PlannerStore { get throws { try Self.store.get() } }

  private func kinds(_ plan: ExplainedPlan) -> [PlanNode.Kind] { plan.root.all.map(\.kind) }

  @Test(
    "U-14: equality, ranges, BETWEEN, IN, BEGINSWITH and nil go through the index of the property",
    arguments: [
      "name == 'city7'", "population == 12", "population > 3980", "population < 9", "population BETWEEN {100, 140}",
      "population IN {1, 2, 3, 4}", "name IN {'city1', 'city2', 'nowhere'}", "name BEGINSWITH 'city99'",
      "population == nil", "population IN {5, nil}", "height == 3", "height > 497", "height BETWEEN {2, 4}", "id == 77",
      "id IN {1, 500, 99999}", "name >= 'city99' AND name < 'city995'", "population > 100 AND population <= 130",
      "name == 'city7' OR name == 'city8' OR name == 'city9'", "population == 5 AND population < 9",
    ])
  func oneIndex(predicate: String) throws {
    let plan = try store.plan(try store.query(predicate))
    #expect(kinds(plan) == [.objects, .index], "\(plan.description)")
    #expect(plan.counters.objectsExamined == 0 && plan.counters.leavesRead == 0, "\(plan.description)")
    #expect(plan.counters.indexEntries == plan.root.rows, "\(plan.description)")
    #expect(try store.query(predicate).count(in: store.snapshot) == plan.root.rows)
  }

  @Test(
    "A scan stays a scan where an index would lead to many objects, or to the wrong ones",
    arguments: [
      "population > 500", "height >= 0", "population != 5", "name CONTAINS 'y7'", "name LIKE 'city1*3'",
      "name ==[c] 'CITY7'", "NOT population == 5", "rank == 3 OR population == 5", "population == 5 OR TRUEPREDICATE",
    ])
  func scan(predicate: String) throws {
    let query = try store.query(predicate)
    let plan = try store.plan(query)
    #expect(kinds(plan) == [.scan], "\(plan.description)")
    #expect(plan.counters.objectsExamined == PlannerStore.cities, "\(plan.description)")
    #expect(try plan.counters.leavesRead == store.scanned(query).leavesRead, "\(plan.description)")
  }

  @Test("U-14: values of the first properties and a range of the next go through an index over several properties")
  func compositeIndexes() throws {
    let cases: [(String, String)] = [
      (
        "zone == 'zone3' AND population BETWEEN {1000, 1200}",
        "index (zone, population) == ('zone3') with population >= 1000"
      ),
      ("zone == 'zone3' AND rank == 3", "index (zone, rank) == ('zone3', 3)"),
      ("zone == 'zone3' AND population == 2003", "index "),
      ("zone == 'zone3'", "index (zone, "),
      ("zone IN {'zone3', 'zone4'} AND rank IN {3, 4}", "index (zone, rank) == (4 times 2 values)"),
    ]
    for (predicate, text) in cases {
      let plan = try store.plan(try store.query(predicate))
      #expect(plan.description.contains(text), "\(plan.description)")
      #expect(plan.counters.objectsExamined < PlannerStore.cities / 10, "\(plan.description)")
    }
    let whole = try store.plan(try store.query("zone == 'zone3' AND rank == 3"))
    #expect(kinds(whole) == [.objects, .compositeIndex] && whole.counters.objectsExamined == 0)
  }

  @Test("What the index leaves open is evaluated for its objects only")
  func remainingConditions() throws {
    let plan = try store.plan(try store.query("population BETWEEN {100, 140} AND rank > 20 AND note CONTAINS '1'"))
    #expect(kinds(plan) == [.filter, .index], "\(plan.description)")
    #expect(plan.counters.objectsExamined == 41, "\(plan.description)")
  }

  @Test("Indexes of several conditions are intersected where each leads to many objects")
  func intersection() throws {
    let plan = try store.plan(
      try store.query("population BETWEEN {100, 380} AND height BETWEEN {100, 130} AND note CONTAINS '1'"))
    #expect(kinds(plan).contains(.intersection), "\(plan.description)")
    #expect(plan.counters.objectsExamined < 100, "\(plan.description)")
  }

  @Test("OR is a union where every side has an index, also over sides with several conditions")
  func union() throws {
    let plan = try store.plan(
      try store.query("population == 17 OR name == 'city5' OR (zone == 'zone1' AND rank == 1 AND note == 'note 1')"))
    #expect(kinds(plan).filter { $0 == .union }.count == 1, "\(plan.description)")
    #expect(kinds(plan).contains(.compositeIndex), "\(plan.description)")
    #expect(plan.counters.objectsExamined < 200, "\(plan.description)")
  }

  @Test("IN with thousands of values: an index or one scan, never one scan for each value")
  func manyValues() throws {
    let values = (0..<10_000).map { PredicateArgument.value(.int(Int64($0 * 3))) }
    let scan = try store.plan(try store.query("rank IN %@", [.list(values)]))
    #expect(kinds(scan) == [.scan] && scan.counters.objectsExamined == PlannerStore.cities)
    let indexed = try store.plan(try store.query("population IN %@", [.list(values)]))
    #expect(indexed.counters.objectsExamined <= PlannerStore.cities)
    #expect(indexed.counters.indexSeeks < 100, "the values are sampled: \(indexed.description)")
    let few = try store.query("population IN %@", [.list(Array(values.prefix(40)))])
    #expect(try store.plan(few).root.rows == few.keys(in: store.snapshot, mode: .rowByRow).count)
  }

  @Test(
    "Any limit is a limit, in the order of an index and out of it, ascending and descending",
    arguments: [1, 7, Int.max - 1])
  func limits(_ limit: Int) throws {
    for (predicate, key) in [("note CONTAINS '1'", "population"), ("rank < 50", "name"), ("TRUEPREDICATE", "height")] {
      for isRising in [true, false] {
        let query = try store.query(predicate).sorted([(key, isRising)], schema: store.snapshot.schema)
          .limited(to: limit)
        #expect(
          try query.keys(in: store.snapshot) == query.keys(in: store.snapshot, mode: .rowByRow),
          "\(predicate) by \(key)")
      }
    }
  }

  @Test("Hundreds of conditions and a hundred thousand values are answered by one scan or one index")
  func extremes() throws {
    let sides = (0..<400).map { "rank == \($0 * 2)" }.joined(separator: " OR ")
    let either = try store.plan(try store.query(sides))
    #expect(kinds(either) == [.scan] && either.counters.objectsExamined == PlannerStore.cities)
    let bounds = (0..<400).map { "population > \($0)" }.joined(separator: " AND ")
    let all = try store.plan(try store.query(bounds + " AND population < 500"))
    #expect(kinds(all) == [.objects, .index], "one range is left of them: \(kinds(all))")
    let values = (0..<100_000).map { PredicateArgument.value(.string("city\($0 * 7)")) }
    let many = try store.plan(try store.query("name IN %@", [.list(values)]))
    #expect(many.counters.objectsExamined <= PlannerStore.cities && many.counters.indexSeeks <= 100_100)
    let notes = try store.plan(try store.query("note IN %@", [.list(values)]))
    #expect(kinds(notes) == [.scan] && notes.root.rows == 0)
  }

  // MARK: - Order

  @Test("The order of an index serves first, limits and whole sorts, both ways", arguments: [true, false])
  func sortFromIndex(ascending: Bool) throws {
    for keyPath in ["name", "population", "height", "id"] {
      let query = try ResultsQuery(store.city).sorted([(keyPath, ascending)], schema: store.snapshot.schema)
      let plan = try store.plan(query, limit: 10)
      #expect(kinds(plan) == [.limit, .sort, .indexOrder], "\(plan.description)")
      #expect(plan.counters.indexEntries == 10 && plan.counters.leavesRead == 0, "\(plan.description)")
      let whole = try store.plan(query)
      #expect(kinds(whole) == [.sort, .indexOrder] && whole.counters.leavesRead == 0, "\(whole.description)")
    }
  }

  @Test("Sorts over several properties, and after a value of the first one, follow an index over them")
  func sortFromCompositeIndex() throws {
    let schema = try store.snapshot.schema
    for ascending in [true, false] {
      let both = try ResultsQuery(store.city).sorted([("zone", ascending), ("rank", ascending)], schema: schema)
      #expect(kinds(try store.plan(both, limit: 7)) == [.limit, .sort, .indexOrder])
      let latest = try store.query("zone == 'zone4'").sorted([("population", ascending)], schema: schema)
      let plan = try store.plan(latest, limit: 5)
      #expect(kinds(plan) == [.limit, .sort, .indexOrder], "\(plan.description)")
      #expect(plan.counters.indexEntries == 5 && plan.counters.objectsExamined == 0, "\(plan.description)")
      let open = try store.query("zone == 'zone4' AND note == 'note 1'").sorted(
        [("population", ascending)], schema: schema)
      let filtered = try store.plan(open, limit: 5)
      #expect(filtered.counters.objectsExamined <= 200, "\(filtered.description)")
    }
    let mixed = try ResultsQuery(store.city).sorted([("zone", true), ("rank", false)], schema: schema)
    #expect(kinds(try store.plan(mixed, limit: 7)) == [.limit, .sort, .objects])
  }

  @Test("The first of a sorted filter are looked for in the index; in vain only for a little")
  func filteredOrder() throws {
    let schema = try store.snapshot.schema
    let frequent = try store.query("note == 'note 1'").sorted([("population", false)], schema: schema)
    let plan = try store.plan(frequent, limit: 5)
    #expect(kinds(plan) == [.limit, .sort, .indexOrder], "\(plan.description)")
    #expect(plan.counters.objectsExamined <= 64, "\(plan.description)")
    let rare = try store.query("note == 'note 9'").sorted([("population", false)], schema: schema)
    let vain = try store.plan(rare, limit: 5)
    #expect(vain.counters.objectsExamined <= PlannerStore.cities + 64, "\(vain.description)")
    let range = try store.query("population > 3000").sorted([("population", true)], schema: schema)
    let inside = try store.plan(range)
    #expect(kinds(inside) == [.sort, .indexOrder] && inside.counters.objectsExamined == 0, "\(inside.description)")
  }

  // MARK: - Links

  @Test("Links are followed from the side where fewer objects are")
  func links() throws {
    let few = try store.plan(try store.query("country.name == 'country3'"))
    #expect(kinds(few).filter { $0 == .links }.count == 1, "\(few.description)")
    #expect(few.counters.objectsExamined == PlannerStore.countries, "\(few.description)")
    let many = try store.plan(try store.query("country.name != 'country3'"))
    #expect(!kinds(many).contains(.links), "\(many.description)")
    let list = try store.plan(try store.query("ANY visited.area == 3"))
    #expect(kinds(list).contains(.links) && list.counters.listsRead == 0, "\(list.description)")
  }

  @Test("Q-73: over an inverse the links of the objects found are followed once")
  func inverses() throws {
    let query = try ResultsQuery(store.country)
      .filtered(rql: "@links.City.country.rank == 7", schema: store.snapshot.schema)
    let plan = try store.plan(query)
    #expect(plan.counters.rowsExamined == 0, "\(plan.description)")
    let rare = try ResultsQuery(store.country)
      .filtered(rql: "@links.City.country.name == 'city5'", schema: store.snapshot.schema)
    let indexed = try store.plan(rare)
    #expect(indexed.counters.objectsExamined < 100, "\(indexed.description)")
  }

  // MARK: - Early ends

  @Test("The first match, and limits without a sort, end the scan")
  func earlyEnds() throws {
    for (predicate, limit) in [("rank >= 0", 1), ("population >= 0", 3), ("note == 'note 1'", 5)] {
      let plan = try store.plan(try store.query(predicate), limit: limit)
      #expect(plan.counters.clustersVisited == 1, "\(plan.description)")
    }
    let query = try store.query("rank == 3")
    #expect(try query.contains(ObjectKey(rawValue: 3), in: store.snapshot) == true)
    #expect(try query.contains(ObjectKey(rawValue: 4), in: store.snapshot) == false)
    #expect(try query.limited(to: 1).contains(ObjectKey(rawValue: 3), in: store.snapshot) == nil)
  }

  @Test("Counting through an index fetches no keys; sorts and limits cost a count nothing")
  func counting() throws {
    for predicate in ["name == 'city7'", "population > 3000", "population IN {1, 2}", "zone == 'zone3' AND rank == 3"] {
      let query = try store.query(predicate)
      let run = try ResultsRun(query, try store.snapshot, .planned)
      #expect(try run.count() == query.keys(in: store.snapshot, mode: .rowByRow).count, "\(predicate)")
      #expect(run.context.counters.indexEntries == 0 || predicate == "population > 3000", "\(predicate)")
    }
    let limited = try store.query("population > 3000").sorted([("name", true)], schema: store.snapshot.schema)
      .skipping(10).limited(to: 20)
    let run = try ResultsRun(limited, try store.snapshot, .planned)
    #expect(try run.count() == 20)
  }

  @Test("Random predicates: a plan examines no more objects and reads no more leaves than the scan")
  func neverMore() throws {
    var random = SeededRandom.forTest()
    let parts = [
      "population %@ 3990", "name == 'city%#'", "rank %@ %#", "height %@ %#", "zone == 'zone3'", "note CONTAINS '1'",
      "country.area %@ %#", "population == nil", "id %@ %#", "name BEGINSWITH 'city%#'", "ANY visited.area == %#",
    ]
    func part() -> String {
      random.pick(parts).replacingOccurrences("%@", random.pick(["<", "==", ">="]))
        .replacingOccurrences("%#", "\(random.int(0...60))")
    }
    for _ in 0..<200 {
      let predicate = (0..<random.int(1...3)).map { _ in
        random.oneIn(4) ? "(\(part()) OR \(part()))" : part()
      }.joined(separator: " AND ")
      let query = try store.query(predicate)
      let plan = try store.plan(query)
      let scanned = try store.scanned(query)
      // The ends of links may be looked at although the other conditions leave nothing to ask them for: all in one leaf.
      let links = predicate.components(separatedBy: "area").count - 1
      #expect(
        plan.counters.objectsExamined <= scanned.objectsExamined + links * PlannerStore.countries
          && plan.counters.leavesRead <= scanned.leavesRead + links,
        "\(predicate): \(scanned)\n\(plan.description)")
    }
  }
}

extension String {
  fileprivate func replacingOccurrences(_ text: String, _ other: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
  }
}
