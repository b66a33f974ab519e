import Dispatch
import Foundation
import KnotModel
import TestSupport
import TestTraits
import Testing

@testable import Larder

/// Observers of random queries, sections, collections and objects while random transactions are made here, in parts that are undone,
/// on another thread, and in another process.
///
/// Covers N-2, N-3, N-7, N-8, N-10 to N-21, N-30 to N-32, N-40, N-41, S-42 to S-49 and U-22. Each observer is notified once, or not at all
/// when nothing happened, and exactly what `KnotWorld` finds from what was done, without the store's log.
@Suite("Random observed queries") struct RandomObservationTests {
  private static let seeds = 10
  /// Transactions of one seed; all together a tenth of what `LARDER_TRANSACTIONS` says: the oracle looks at everything after each.
  private static let transactions =
    (ProcessInfo.processInfo.environment["LARDER_TRANSACTIONS"].flatMap { Int($0) } ?? 10_000) / 10 / seeds

  @Test(
    "N-7, N-8, N-10 to N-21, N-30 to N-32, N-40, S-42 to S-49 random transactions: each gets what was done, and nothing else",
    .long, arguments: 0..<seeds)
  func random(_ number: Int) throws {
    var random = SharedKnots.random(number)
    let shared = try SharedKnots()
    let (configuration, process) = (shared.configuration, shared.process)
    defer { withExtendedLifetime(shared) {} }
    let queue = DispatchQueue(label: "observing")
    let elsewhere = DispatchQueue(label: "writing")
    let other = UncheckedBox(try elsewhere.sync { try Realm(configuration: configuration, queue: elsewhere) })
    defer { withExtendedLifetime(other) {} }
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      var knots = RandomKnots(seed: random.next())
      try realm.write { for _ in 0..<8 { knots.add(realm) } }
      let observed = try Self.observe(realm, &random)
      /// Everything up to the Realm's version was delivered.
      func settle() {
        let world = KnotWorld(realm, knots.journal)
        for entry in observed { entry.settle(realm, world) }
        knots.journal.reset(realm)
      }
      var done = 0
      while done < Self.transactions {
        for _ in 0..<random.int(1...3) {
          done += 1
          switch random.int(0...3) {
          case 0...1:
            try realm.write {
              // What was due was delivered before the block (N-3).
              settle()
              try knots.changeSome(realm)
            }
          case 2:
            let before = knots
            knots = try elsewhere.sync {
              var knots = before
              try other.value.write { try knots.changeSome(other.value) }
              return knots
            }
          default:
            try process.send(String(decoding: JSONEncoder().encode(knots), as: UTF8.self))
            let answer = try #require(process.readLine(), "\(process.errorOutput)")
            knots = try JSONDecoder().decode(RandomKnots.self, from: Data(answer.utf8))
          }
        }
        realm.refresh()
        settle()
      }
      // Who hears nothing would agree with queries that never change.
      let kinds = [ObservedKnotResults.self, ObservedKnotSections.self, ObservedKnotCollection.self]
      for kind in kinds where Self.transactions > 20 {
        #expect(observed.contains { type(of: $0) == kind && $0.calls > Self.transactions / 20 }, "\(kind)")
      }
      #expect(observed.contains { type(of: $0) == ObservedKnot.self && $0.calls > 0 })
      for entry in observed { entry.stop() }
    }
    process.closeInput()
    #expect(process.waitUntilExit() == 0, "\(process.errorOutput)")
  }

  private static func observe(_ realm: Realm, _ random: inout SeededRandom) throws -> [ObservedKnots] {
    func knot(_ id: Int) throws -> Knot { try #require(realm.object(ofType: Knot.self, forPrimaryKey: id)) }
    var result: [ObservedKnots] = []
    for number in 0..<6 { result.append(ObservedKnotResults(realm, &random, isPlain: number == 0)) }
    for _ in 0..<2 { result.append(ObservedKnotResults(realm, &random, isFiltered: true)) }
    for isPlain in [true, false] { result.append(ObservedKnotSections(realm, &random, isPlain: isPlain)) }
    for id in 0...1 {
      let knot = try knot(id)
      let collections: [ObservedKnotCollection] = [.others(knot), .numbers(knot), .friends(knot), .named(knot)]
      result += collections
      result.append(ObservedKnot(knot))
    }
    for id in 2...4 { result.append(ObservedKnot(try knot(id))) }
    return result
  }
}
