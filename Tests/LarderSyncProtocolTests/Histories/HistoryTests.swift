@testable import LarderSyncProtocol
import TestBasics
import TestTraits
import Testing

@Suite("Random histories of devices and a server", .long)
struct HistoryTests {
  @Test(
    "C-1 to C-12: hold after every message, and all devices show what the server has",
    arguments: HistoryKind.allCases)
  func histories(_ kind: HistoryKind) {
    var random = SeededRandom.forTest("histories(\(kind.rawValue))")
    let seeds = HistoryRun.onlySeed.map { [$0] } ?? (0..<HistoryRun.count / 4).map { _ in random.next() >> 24 }
    var counts: [String: Int] = [:]
    var failures = 0
    for seed in seeds {
      let history = HistoryRun(kind, seed: seed)
      let (failure, happened) = history.run(history.steps)
      counts.merge(happened, uniquingKeysWith: +)
      guard let failure else { continue }
      Issue.record("\(history.report(failure))")
      failures += 1
      if failures == 3 { break }
    }
    let summary = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print("\(seeds.count) histories of kind \(kind.rawValue): \(summary)")
  }
}
