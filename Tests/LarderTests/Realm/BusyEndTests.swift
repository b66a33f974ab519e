import Foundation
import TestSupport
import TestTraits
import Testing

/// Processes that end while their threads are at work.
@Suite("Busy ends") struct BusyEndTests {
  private static let atOnce = 4

  @Test(
    "F-131: a program whose threads seal and open values ends with its own status, 200 times", .long,
    arguments: ["exit", "return"], ["threads", "queued"])
  func ends(_ way: String, _ work: String) throws {
    let directory = try TemporaryDirectory()
    var statuses: [Int32: Int] = [:]
    for round in 0..<50 / Self.atOnce + 1 {
      let workers = try (0..<Self.atOnce).map { number in
        try WorkerProcess("ProcessWorker", ["end", directory.file("\(round)-\(number).larder"), way, work])
      }
      for worker in workers { statuses[worker.waitUntilExit(), default: 0] += 1 }
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
        try FileManager.default.removeItem(atPath: directory.file(name))
      }
    }
    #expect(statuses == [way == "exit" ? 7 : 0: 52])
  }
}
