import Foundation
import TestSupport

/// Does each of several pieces of work with every one of its system calls failing in turn, and says what becomes of the store.
///
/// `FaultWorker FOLDER SEED PERCENT FIRST`: of all trials the share that the seed chooses, from the FIRSTth on. Each is announced by
/// `begin n what` and ended by `end n outcome`; at last comes `all n`. A task that crashes or hangs has begun and not ended.
@main
enum FaultWorker {
  /// Seconds that one trial may take.
  private static let patience: UInt32 = 60

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let seed = UInt64(arguments[2]), let percent = Int(arguments[3]),
      let first = Int(arguments[4])
    else { exit(64) }
    let (base, folder) = ("\(arguments[1])/base", "\(arguments[1])/trial")
    try? FileManager.default.removeItem(atPath: base)
    try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
    try Example.make(in: base)
    var expectations: [Scenario: Trial.Expectation] = [:]
    for scenario in Scenario.allCases {
      expectations[scenario] = try Trial.expectation(scenario, from: base, in: folder)
    }
    let trials = Trial.all(expectations)
    for (number, trial) in trials.enumerated() where number >= first {
      var random = SeededRandom(seed: seed &+ UInt64(number))
      guard random.int(0..<100) < percent, let expected = expectations[trial.scenario] else { continue }
      say("begin \(number) \(trial)")
      alarm(patience)
      say("end \(number) \(try trial.run(expected, from: base, in: folder))")
      alarm(0)
    }
    say("all \(trials.count)")
  }

  private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
