import Foundation
import LarderExchange
import LarderInspection
import LarderStorage
import TestSupport
import TestTraits
import Testing

/// Stores whose files were changed at random give a right answer or a clear error; nothing crashes, hangs or is wrong unsaid.
@Suite struct RandomDamageTests {
  /// The number of stores that are damaged; `LARDER_DAMAGES` sets it.
  private static let count = ProcessInfo.processInfo.environment["LARDER_DAMAGES"].flatMap { Int($0) } ?? 60

  @Test("Bits, bytes, pages and ends of files change at random", .long)
  func anything() throws {
    let seed = SeededRandom.forTest().seed
    try withTemporaryDirectory { directory in
      let (store, older) = (directory.file("store.larder"), directory.file("older.larder"))
      try SoundStore.make(store)
      try SoundStore.make(older)
      try add(to: store)
      let run = DamageRun(
        kind: "random", store: store, older: older, folder: directory.path, seed: seed, count: Self.count)
      let outcomes = try run.run { damage, outcome, text in
        // What a reader cannot see in a page without a checksum, the check must.
        let isRight = ["right", "error", "found", "seen"].contains(outcome) || Self.isOlder(outcome, damage)
        #expect(isRight, "\(damage): \(text)")
      }
      print("\(Self.count) damaged stores: \(outcomes.sorted { $0.key < $1.key }.map { "\($1) \($0)" })")
      #expect(outcomes.values.reduce(0, +) == Self.count)
    }
  }

  private func add(to path: String) throws {
    let writer = try StoreAccess.open(writing: path).beginWrite()
    let plain = try #require(writer.schema["Plain"])
    _ = try writer.create(plain.id)
    try writer.commit()
  }

  /// The numbers by which LMDB tells the newer of its two first pages have no checksum: a change there may bring back the version
  /// before.
  private static func isOlder(_ outcome: String, _ damage: String) -> Bool {
    guard outcome == "older" else { return false }
    let numbers = damage.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.dropFirst().contains { $0 < 8_192 }
  }
}
