import TestSupport
import Testing

/// Lets `DamageWorker` damage stores, and starts it again after each of which it crashed or was ended.
struct DamageRun {
  let kind: String
  let store: String
  let older: String
  let folder: String
  let seed: UInt64
  let count: Int
  var environment: [String: String] = [:]

  /// - Parameter judge: Is given what was done to a store and what became of it: a word, and what follows it.
  /// - Returns: How many ended with each word.
  func run(_ judge: (_ damage: String, _ outcome: String, _ text: String) -> Void) throws -> [String: Int] {
    var outcomes: [String: Int] = [:]
    var next = 0
    while next < count {
      let worker = try WorkerProcess(
        "DamageWorker", [kind, store, older, folder, "\(seed)", "\(next)", "\(count - next)"], environment: environment)
      let last = follow(worker, &outcomes, judge)
      let status = worker.waitUntilExit()
      if status == 0, last.isEmpty { break }
      Issue.record("seed \(seed), ended with \(status) at '\(last)': \(worker.errorOutput.prefix(3_000))")
      outcomes["crashed", default: 0] += 1
      guard let number = last.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { break }
      next = number + 1
    }
    return outcomes
  }

  /// Reads what a worker says; gives back what it had begun and not ended.
  private func follow(
    _ worker: WorkerProcess, _ outcomes: inout [String: Int], _ judge: (String, String, String) -> Void
  ) -> String {
    var begun = ""
    while let line = worker.readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.first == "end", words.count == 3 else {
        begun = line
        continue
      }
      let outcome = words[2].split(separator: " ").first.map(String.init) ?? ""
      outcomes[outcome, default: 0] += 1
      judge(begun, outcome, words[2])
      begun = ""
    }
    return begun
  }
}
