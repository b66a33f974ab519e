import Foundation
import LarderInspection
import LarderStorage
import TestSupport
import Testing

/// Stores whose files were changed at random give a right answer or a clear error; nothing crashes, hangs or is wrong unsaid.
@Suite struct RandomDamageTests {
  /// How many are damaged; `LARDER_DAMAGES` says.
  private static let count = ProcessInfo.processInfo.environment["LARDER_DAMAGES"].flatMap { Int($0) } ?? 60

  @Test("Bits, bytes, pages and ends of files change at random")
  func anything() throws {
    let seed = SeededRandom.forTest().seed
    try withTemporaryDirectory { directory in
      let (store, older) = (directory.file("store.larder"), directory.file("older.larder"))
      try SoundStore.make(store)
      try SoundStore.make(older)
      try add(to: store)
      var outcomes: [String: Int] = [:]
      var next = 0
      while next < Self.count {
        let worker = try WorkerProcess(
          "DamageWorker", [store, older, directory.path, "\(seed)", "\(next)", "\(Self.count - next)"])
        let last = follow(worker, &outcomes)
        let status = worker.waitUntilExit()
        if status == 0, last.isEmpty { break }
        // Whoever ended had begun: the next one starts behind it.
        Issue.record("seed \(seed), ended with \(status) at '\(last)': \(worker.errorOutput.suffix(2_000))")
        outcomes["crashed", default: 0] += 1
        guard let number = last.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { break }
        next = number + 1
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

  /// Reads what a worker says; gives back what it had begun and not ended.
  private func follow(_ worker: WorkerProcess, _ outcomes: inout [String: Int]) -> String {
    var begun = ""
    while let line = worker.readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.first == "end" else {
        begun = line
        continue
      }
      let outcome = words[2].split(separator: " ").first.map(String.init) ?? ""
      outcomes[outcome, default: 0] += 1
      // What a reader cannot see in a page without a checksum, the check must.
      let isRight = ["right", "error", "found", "seen"].contains(outcome) || isOlder(outcome, begun)
      #expect(isRight, "\(begun): \(words[2])")
      begun = ""
    }
    return begun
  }

  /// The numbers by which LMDB tells the newer of its two first pages have no checksum: a change there may bring back the version
  /// before.
  private func isOlder(_ outcome: String, _ damage: String) -> Bool {
    guard outcome == "older" else { return false }
    let numbers = damage.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.dropFirst().contains { $0 < 8_192 }
  }
}
