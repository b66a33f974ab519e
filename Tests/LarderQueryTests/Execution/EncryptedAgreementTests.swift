import Foundation
import LarderStorage
import TestSupport
import Testing

@testable import LarderQuery

/// An encrypted store answers as a plain one with the same data does, with indexes and without.
@Suite struct EncryptedAgreementTests {
  @Test("Random predicates: encrypted and plain stores agree", arguments: [8, 496])
  func predicates(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let (plain, sealed) = try stores(&random, clusterSize)
    for _ in 0..<60 {
      let (text, arguments) = RandomStore.predicate(&random)
      let query = try ResultsQuery(plain.classID).filtered(text, arguments, schema: plain.snapshot.schema)
      let expected = try query.keys(in: plain.snapshot)
      #expect(try query.keys(in: sealed.snapshot) == expected, "\(text) \(arguments)")
      #expect(try query.keys(in: sealed.snapshot, mode: .indexed) == expected, "by indexes: \(text) \(arguments)")
      #expect(try query.count(in: sealed.snapshot) == expected.count, "\(text) \(arguments)")
      #expect(try query.first(in: sealed.snapshot) == expected.first, "\(text) \(arguments)")
    }
  }

  @Test("Random sorts: encrypted and plain stores agree", arguments: [8, 496])
  func sorts(clusterSize: Int) throws {
    var random = SeededRandom.forTest()
    let (plain, sealed) = try stores(&random, clusterSize)
    let paths = RandomStore.scalars.filter { $0.type != .data }.map(\.name)
    for _ in 0..<25 {
      let criteria = (0..<random.int(1...3)).map { _ in
        (keyPath: random.pick(["", "", "next."]) + random.pick(paths), ascending: random.oneIn(2))
      }
      let query = try ResultsQuery(plain.classID).sorted(criteria, schema: plain.snapshot.schema)
      let limit = random.int(1...20)
      for limit in [Int.max, limit] {
        #expect(
          try query.keys(in: sealed.snapshot, limit: limit) == query.keys(in: plain.snapshot, limit: limit),
          "\(criteria), first \(limit)")
      }
    }
  }

  @Test(
    "Equal values, IN and all values of several properties go through the hashes",
    .notUnder(.rowByRow, "it looks at plans"),
    arguments: [
      "name == 'city7'", "population == 12", "population IN {1, 2, 3, 4}", "population == nil", "id == 77",
      "name == 'city7' OR name == 'city8'", "population == 5 AND population < 9", "zone == 'zone3' AND rank == 3",
    ])
  func hashes(predicate: String) throws {
    let store = try Self.store.get()
    let plan = try store.plan(try store.query(predicate))
    #expect(plan.counters.indexSeeks > 0 && plan.counters.leavesRead == 0, "\(plan.description)")
    #expect(plan.counters.indexEntries == plan.root.rows, "\(plan.description)")
  }

  @Test(
    "Ranges, beginnings and some of several properties are scanned, and so are sorts",
    .notUnder(.rowByRow, "it looks at plans"),
    arguments: [
      "population > 3980", "name BEGINSWITH 'city99'", "height BETWEEN {2, 4}", "zone == 'zone3'",
      "zone == 'zone3' AND population > 3980", "TRUEPREDICATE SORT(population DESC)",
    ])
  func scans(predicate: String) throws {
    let store = try Self.store.get()
    var query = try store.query(predicate.replacingOccurrences(of: " SORT(population DESC)", with: ""))
    if predicate.contains("SORT") {
      query = try query.sorted([(keyPath: "population", ascending: false)], schema: store.snapshot.schema)
    }
    let plan = try store.plan(query)
    #expect(plan.counters.indexEntries == 0 && plan.counters.leavesRead > 0, "\(plan.description)")
    #expect(try query.keys(in: store.snapshot) == query.keys(in: store.snapshot, mode: .rowByRow))
  }

  private static let store = Result { try PlannerStore(key: .test()) }

  private typealias Reading = (classID: ClassID, snapshot: Snapshot, store: RandomStore)

  private func stores(_ random: inout SeededRandom, _ clusterSize: Int) throws -> (plain: Reading, sealed: Reading) {
    var (first, second) = (random, random)
    let plain = try RandomStore(&first, objects: 500, clusterSize: clusterSize)
    let sealed = try RandomStore(&second, objects: 500, clusterSize: clusterSize, key: .test())
    random = first
    #expect(sealed.store.isEncrypted && !plain.store.isEncrypted)
    return (
      (plain.classID, try plain.store.snapshot(), plain), (sealed.classID, try sealed.store.snapshot(), sealed)
    )
  }
}
