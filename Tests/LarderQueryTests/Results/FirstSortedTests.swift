import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// The first of sorted objects, found part by part, against sorting all of them one object at a time.
@Suite("First of sorted objects")
struct FirstSortedTests {
  private static let paths =
    RandomStore.scalars.filter { $0.type != .data }.map(\.name) + ["next.tiny", "next.name", "next.next.price"]

  @Test(
    "Q-153, Q-154, Q-155 parts of any size have the first objects among them, nil, nil links and ties too",
    arguments: [8, 64])
  func parts(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 300, clusterSize: clusterSize)
    let snapshot = try fixture.store.snapshot()
    for path in Self.paths {
      for round in 0..<8 {
        var query = ResultsQuery(fixture.classID)
        var place = path
        if round % 2 == 1 {
          let (text, arguments) = RandomStore.predicate(&random, depth: 1)
          query = try query.filtered(text, arguments, schema: snapshot.schema)
          place += ", \(text) \(arguments)"
        }
        var keys = [(keyPath: path, ascending: random.oneIn(2))]
        if random.oneIn(2) { keys.append((keyPath: random.pick(Self.paths), ascending: random.oneIn(2))) }
        place += ", by \(keys)"
        query = try query.sorted(keys, schema: snapshot.schema)
        let expected = try query.keys(in: snapshot, mode: .rowByRow)
        let limit = random.int(1...20)
        let first = Array(expected.prefix(limit))
        #expect(try query.keys(in: snapshot, limit: limit) == first, "first \(limit): \(place)")

        guard case .sort(let sortKeys)? = query.steps.first else { return #expect(Bool(false), "no sort: \(place)") }
        let context = Planner.context(snapshot)
        let scan =
          try query.predicate.map { try Planner(context).select($0, fixture.classID).scan() }
          ?? Scan(context: context, classID: fixture.classID, kernel: nil)
        let sorter = Sorter(context, fixture.classID, sortKeys)
        for part in [1, 16, 50, 1_000] {
          let run = try #require(FirstSorted(sorter, limit: limit, part: part))
          #expect(try run.apply(scan) == first, "first \(limit), parts of \(part): \(place)")
        }
      }
    }
  }

  @Test("all objects, and more of them than a part's first ones are worth, are sorted at once")
  func bounds() throws {
    var random = SeededRandom.forTest()
    let fixture = try RandomStore(&random, objects: 20, clusterSize: 8)
    let context = Planner.context(try fixture.store.snapshot())
    let sorter = Sorter(context, fixture.classID, [SortKey(BoundPath(column: ColumnID(rawValue: 1), type: .int))])
    #expect(FirstSorted(sorter, limit: .max) == nil && FirstSorted(sorter, limit: FirstSorted.most + 1) == nil)
    #expect(FirstSorted(sorter, limit: 0) == nil && FirstSorted(Sorter(context, fixture.classID, []), limit: 1) == nil)
    #expect(FirstSorted(sorter, limit: FirstSorted.most) != nil)
  }
}
