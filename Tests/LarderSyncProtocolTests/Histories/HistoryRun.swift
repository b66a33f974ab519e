@testable import LarderSyncProtocol
import Foundation
import TestBasics

/// Histories from seeds, and the shortest form of one that fails.
struct HistoryRun {
  let kind: HistoryKind
  let seed: UInt64
  let devices: Int
  let steps: [HistoryStep]
  /// The milliseconds that each device's clock is ahead at the beginning.
  let clocks: [Int64]
  /// True if the devices have everything before the first step.
  let isPrepared: Bool
  var research: ResearchRules = []

  init(_ kind: HistoryKind, seed: UInt64, research: ResearchRules = []) {
    var random = SeededRandom(seed: seed)
    self.kind = kind
    self.seed = seed
    self.research = research
    let count = random.int(2...5)
    devices = count
    isPrepared = !random.oneIn(4)
    let length = random.pick([45, 90, 180])
    steps = (0..<length).map { _ in HistoryStep.random(&random, devices: count, isDisaster: kind.isDisaster) }
    clocks = (0..<count).map { _ in random.oneIn(2) ? 0 : Int64(random.int(-5_000...5_000)) }
  }

  /// Runs steps; what failed, and the numbers of what happened.
  func run(_ steps: [HistoryStep]) -> (failure: String?, counts: [String: Int]) {
    var history = History(kind: kind, devices: devices, research: research)
    for (index, clock) in clocks.enumerated() { history.devices[index].clock = clock }
    do {
      if isPrepared { try history.begin() }
      for step in steps { try history.run(step) }
      try history.settle()
      return (nil, history.counts)
    } catch {
      return ("\(error)", history.counts)
    }
  }

  /// Leaves out steps as long as it still fails.
  func shrunk(_ failure: String) -> (steps: [HistoryStep], failure: String) {
    var steps = steps
    var failure = failure
    var size = steps.count / 2
    while size > 0 {
      var start = 0
      while start < steps.count {
        let shorter = Array(steps[..<start] + steps[min(start + size, steps.count)...])
        if let shorterFailure = run(shorter).failure {
          steps = shorter
          failure = shorterFailure
        } else {
          start += size
        }
      }
      size /= 2
    }
    return (steps, failure)
  }

  /// Returns the text to print of a failure.
  func report(_ failure: String) -> String {
    let (steps, shorter) = shrunk(failure)
    let lines = steps.map { "  \($0)" }.joined(separator: "\n")
    return
      "LARDER_SYNC_SEED=\(seed) \(kind.rawValue), \(devices) devices\(isPrepared ? ", prepared" : ""): \(shorter)\n\(steps.count) steps:\n\(lines)"
  }

  /// The number of histories that a test runs: `LARDER_SYNC_HISTORIES`, or few.
  static var count: Int {
    ProcessInfo.processInfo.environment["LARDER_SYNC_HISTORIES"].flatMap { Int($0) } ?? 50
  }

  /// The one history that is to be run, `LARDER_SYNC_SEED`.
  static var onlySeed: UInt64? { ProcessInfo.processInfo.environment["LARDER_SYNC_SEED"].flatMap { UInt64($0) } }
}
