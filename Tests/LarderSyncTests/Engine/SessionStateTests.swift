import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("What a device knows of its session")
struct SessionStateTests {
  private static let limits = SessionLimits(
    frameBytes: 1_000, uploadBytes: 100, uploadCommits: 2, uploadsInFlight: 2, credit: 100, pingSeconds: 1,
    silenceSeconds: 2)

  /// A session in one place.
  private final class Box {
    var state = SessionState(site: SiteID(high: 1, low: 1), limits: limits, sentThrough: 0)

    func enqueue(_ count: Int) { state.enqueue(Array(repeating: 0, count: count)) }
    func takeFrames() -> [Int] { state.takeFrames().map(\.count) }
    func took(_ bytes: Int) -> UInt64? { state.took(bytes) }
    func takeMark(_ number: UInt64) -> Bool { state.takeMark(number) }
  }

  private let session = Box()

  @Test("Frames wait for credit, in order; one that is larger than all credit is sent while there is any")
  func credit() {
    for count in [60, 500, 10] { session.enqueue(count) }
    #expect(session.takeFrames() == [60, 500])
    #expect(session.state.isBlocked && !session.state.mayUpload)
    session.state.addCredit(460)
    #expect(session.takeFrames() == [])
    session.state.addCredit(1)
    #expect(session.takeFrames() == [10])
    #expect(!session.state.isBlocked && session.state.mayUpload)
  }

  @Test("The server gets credit again in larger pieces")
  func took() {
    #expect(session.took(20) == nil)
    #expect(session.took(10) == 30)
    #expect(session.took(24) == nil)
  }

  @Test("No more uploads are on their way than the server allows")
  func uploads() {
    session.state.sent(through: 2)
    #expect(session.state.mayUpload)
    session.state.sent(through: 4)
    #expect(!session.state.mayUpload)
    session.state.acknowledged(through: 2)
    #expect(session.state.mayUpload && session.state.sentThrough == 4)
    session.state.pause(acknowledged: 2)
    #expect(!session.state.mayUpload && session.state.sentThrough == 2)
  }

  @Test("A mark says nothing when a bootstrap has come in between")
  func marks() {
    let first = session.state.askMark()
    #expect(session.takeMark(first))
    #expect(!session.takeMark(first))
    let second = session.state.askMark()
    session.state.isBootstrapping = true
    let third = session.state.askMark()
    #expect(!session.takeMark(second))
    session.state.finishedBootstrap()
    #expect(!session.takeMark(third))
    let fourth = session.state.askMark()
    #expect(session.takeMark(fourth))
  }

  @Test("Y-36: waits for marks outlive connections, and marks that came too early")
  func waits() {
    var waits = ExchangeWaits()
    waits.addDownload(1)
    waits.addUpload(2, through: 5)
    #expect(waits.needsMark)
    waits.asked(1)
    waits.missed(1)
    waits.asked(2)
    waits.disconnected()
    waits.reached(2)
    let early = waits.takeEnded()
    #expect(early == [])
    waits.asked(3)
    waits.reached(3)
    waits.acknowledged(through: 4)
    let first = waits.takeEnded()
    #expect(first == [1])
    waits.forked(3)
    waits.acknowledged(through: 2)
    let second = waits.takeEnded()
    #expect(second == [2])
  }

  @Test("A greeting names the newest commits that are acknowledged, and the oldest of the others")
  func retained() {
    let all = RetainedCommits(first: 11, nonces: Array(11...110))
    #expect(all.atMost(100, acknowledged: 50) == all)
    #expect(all.atMost(10, acknowledged: 50).nonces == Array(46...55))
    #expect(all.atMost(10, acknowledged: 5) == RetainedCommits(first: 11, nonces: Array(11...20)))
    #expect(all.atMost(10, acknowledged: 110).first == 101)
  }
}
