import Foundation
import TestBasics
import TestTraits
import Testing

/// Work at stores during which one system call after the other fails, once and for good.
@Suite("Fault points") struct FaultPointTests {
  /// Of a hundred trials so many are made; `LARDER_FAULTS` says.
  private static let percent = ProcessInfo.processInfo.environment["LARDER_FAULTS"].flatMap { Int($0) } ?? 3

  @Test("Each write, flush, truncation, rename and mapping fails: a typed error, the store before or after", .long)
  func everyCall() throws {
    let seed = SeededRandom.forTest().seed
    let directory = try TemporaryDirectory("faults")
    var outcomes: [String: Int] = [:]
    var first = 0
    while true {
      let worker = try WorkerProcess("FaultWorker", [directory.url.path, "\(seed)", "\(Self.percent)", "\(first)"])
      let (begun, total) = Self.follow(worker, &outcomes)
      let status = worker.waitUntilExit()
      if let total, status == 0 {
        let sums = outcomes.sorted { $0.key < $1.key }.map { "\($1) \($0)" }
        print("fault points: \(Self.percent)% of \(total): \(sums)")
        break
      }
      Issue.record("seed \(seed), ended with \(status) at '\(begun)': \(worker.errorOutput.suffix(2_000))")
      guard let number = begun.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { break }
      first = number + 1
    }
    #expect(outcomes["refused", default: 0] > 0)
  }

  /// Reads what a worker says: what it has begun and not ended, and how many trials there are.
  private static func follow(_ worker: WorkerProcess, _ outcomes: inout [String: Int]) -> (begun: String, total: Int?) {
    var begun = ""
    while let line = worker.readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch words.first {
      case "all": return (begun, Int(words[1]))
      case "end":
        let isRight = ["kept", "refused"].contains(words[2])
        outcomes[isRight ? words[2] : "wrong", default: 0] += 1
        #expect(isRight, "\(begun): \(words[2])")
        begun = ""
      default: begun = line
      }
    }
    return (begun, nil)
  }
}
