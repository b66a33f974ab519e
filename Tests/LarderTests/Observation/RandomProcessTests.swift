import Dispatch
import Foundation
import KnotModel
import TestSupport
import TestTraits
import Testing

@testable import Larder

/// Observers of random queries, sections and lists while this process and another one write at random, neither waiting for the other.
@Suite("Random observed queries of two processes") struct RandomProcessTests {
  private static let seeds = 4
  /// Transactions of each process and seed; all together a twentieth of what `LARDER_TRANSACTIONS` says.
  private static let transactions =
    (ProcessInfo.processInfo.environment["LARDER_TRANSACTIONS"].flatMap { Int($0) } ?? 8_000) / 20 / 2 / seeds

  @Test(
    "N-80, N-10, N-20, S-42 to S-44 two processes write without a pause: each call leads to what a new evaluation of its version finds",
    .long, arguments: 0..<seeds)
  func random(_ number: Int) throws {
    var random = SharedKnots.random(number)
    let shared = try SharedKnots()
    let (configuration, process) = (shared.configuration, shared.process)
    defer { withExtendedLifetime(shared) {} }
    let queue = DispatchQueue(label: "observing")
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      var knots = RandomKnots(seed: random.next())
      try realm.write { for _ in 0..<8 { knots.add(realm) } }
      var followed = [FollowedKnots.list(realm), .numbers(realm)]
      for _ in 0..<6 { followed.append(.results(realm, &random)) }
      for _ in 0..<2 { followed.append(.sections(realm, &random)) }
      try process.send("run \(random.next()) 1000000 \(Self.transactions)")
      for _ in 0..<Self.transactions {
        try realm.write {
          knots.look(realm)
          try knots.changeSome(realm)
        }
        if random.oneIn(2) { realm.refresh() }
      }
      #expect(process.readLine() == "done", "\(process.errorOutput)")
      realm.refresh()
      #expect(followed.contains { $0.calls > Self.transactions / 20 })
      for entry in followed {
        entry.end(realm)
        entry.stop()
      }
    }
    process.closeInput()
    #expect(process.waitUntilExit() == 0, "\(process.errorOutput)")
  }
}
