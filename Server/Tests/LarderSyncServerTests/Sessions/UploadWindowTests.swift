import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct UploadWindowTests {
  private let limits = SessionLimits(
    frameBytes: 1_000, uploadBytes: 1_000, uploadCommits: 3, uploadsInFlight: 2, credit: 1_000, pingSeconds: 15,
    silenceSeconds: 30)

  private func commits(_ range: ClosedRange<UInt64>) -> [SyncCommit] {
    range.map { SyncCommit(siteVersion: $0, time: SyncTime(rawValue: $0), nonce: $0, operations: []) }
  }

  @Test("commits follow one another; those that come again are taken, and after a missing one none")
  func order() {
    var window = UploadWindow(after: 5, limits: limits)
    #expect(window.receive(commits(6...7), bytes: 10) == .take)
    #expect(window.receive(commits(9...9), bytes: 10) == .gap(expected: 8))
    #expect(window.receive(commits(5...8), bytes: 10) == .tooMany)
    #expect(window.receive(commits(6...7), bytes: 10) == .take)
    #expect(window.receive(commits(8...8), bytes: 10) == .tooMany)
    let answer1 = window.acknowledge(through: 6)
    #expect(answer1 == (true, 0))
    let answer2 = window.acknowledge(through: 7)
    #expect(answer2 == (true, 20))
    let answer3 = window.acknowledge(through: 7)
    #expect(answer3 == (false, 0))
    #expect(window.receive(commits(8...8), bytes: 10) == .take)
  }

  @Test("numbers within an upload follow one another")
  func numbers() {
    var window = UploadWindow(after: 0, limits: limits)
    #expect(window.receive([commits(1...1)[0], commits(3...3)[0]], bytes: 1) == .gap(expected: 2))
    #expect(window.receive(commits(0...1), bytes: 1) == .gap(expected: 1))
    #expect(window.receive([], bytes: 1) == .take)
  }

  @Test("what follows an upload that is to come again is left until that comes")
  func again() {
    var window = UploadWindow(after: 0, limits: limits)
    #expect(window.receive(commits(1...2), bytes: 10) == .take)
    #expect(window.sendAgain() == 10)
    #expect(window.receive(commits(3...3), bytes: 10) == .leave)
    #expect(window.receive(commits(1...2), bytes: 10) == .take)
    #expect(window.receive(commits(4...4), bytes: 10) == .gap(expected: 3))
    // The first two were merged after all, before they came again.
    _ = window.sendAgain()
    let answer4 = window.acknowledge(through: 2)
    #expect(answer4 == (true, 0))
    #expect(window.receive(commits(3...3), bytes: 10) == .take)
  }
}
