import Foundation
import LarderStorage
import TestSupport
import Testing

/// Stores that someone changed on purpose, each structure with the checksum that it should have, are read, queried, checked, saved and
/// written without a crash, a hang, or memory out of proportion; the system ends the process that does it otherwise.
@Suite struct CraftedStoresTests {
  /// The number of stores that are made, half of them encrypted; `LARDER_CRAFTED` sets it.
  private static let count = ProcessInfo.processInfo.environment["LARDER_CRAFTED"].flatMap { Int($0) } ?? 40

  /// The seeds of the plain and of the encrypted ones, `LARDER_CRAFTED_SEEDS=1,2`; random where it is not set.
  private static let seeds = ProcessInfo.processInfo.environment["LARDER_CRAFTED_SEEDS"].flatMap { text -> [UInt64]? in
    let numbers = text.split(separator: ",").compactMap { UInt64($0) }
    return numbers.count == 2 ? numbers : nil
  }

  @Test("F-42, F-7: any field of any structure, with right checksums", arguments: [false, true])
  func anything(isEncrypted: Bool) async throws { try await LongTest.run { try Self.craft(isEncrypted) } }

  private static func craft(_ isEncrypted: Bool) throws {
    let seed = seeds?[isEncrypted ? 1 : 0] ?? SeededRandom.forTest("encrypted: \(isEncrypted)").seed
    try withTemporaryDirectory { directory in
      let store = directory.file("store.larder")
      var environment: [String: String] = [:]
      if isEncrypted {
        try SoundStore.make(store, key: .test())
        environment["LARDER_KEY"] = (0..<64).map { hex(UInt8(truncatingIfNeeded: $0 &* 3 &+ 1)) }.joined()
      } else {
        try SoundStore.make(store)
      }
      let run = DamageRun(
        kind: "crafted", store: store, older: store, folder: directory.path, seed: seed, count: count / 2,
        environment: environment)
      let outcomes = try run.run { damage, outcome, text in
        // Another answer is right when check tells of damage, or when a user could have stored just that.
        let isRight = ["right", "error", "found", "seen", "other"].contains(outcome)
        #expect(isRight, "seed \(seed), \(damage): \(text)")
      }
      print("\(count / 2) crafted stores: \(outcomes.sorted { $0.key < $1.key }.map { "\($1) \($0)" })")
      #expect(outcomes.values.reduce(0, +) == count / 2)
    }
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
