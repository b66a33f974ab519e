import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite struct SessionFlowTests {
  @Test("frames go as long as there is credit, also one that is larger than all of it")
  func toDevice() {
    var flow = SessionFlow(credit: 100)
    #expect(flow.maySend)
    flow.sent(150)
    #expect(!flow.maySend)
    flow.add(50)
    #expect(!flow.maySend)
    flow.add(.max)
    #expect(flow.maySend)
    flow.add(.max)
    #expect(flow.maySend)
  }

  @Test("a device gets back what it used once a quarter is done with")
  func fromDevice() {
    var flow = SessionFlow(credit: 100)
    #expect(flow.receive(90) == true)
    #expect(flow.done(20) == nil)
    #expect(flow.receive(30) == true)
    #expect(flow.receive(1) == false)
    #expect(flow.done(70) == 90)
    #expect(flow.receive(1) == true)
  }

  @Test("a bucket fills again with time, and is never more than full")
  func rate() {
    var rate = RateLimit(perSecond: 10, now: 1_000)
    #expect(rate.take(10, now: 1_000) == nil)
    #expect(rate.take(5, now: 1_000) == 500)
    #expect(rate.take(5, now: 1_500) == nil)
    #expect(rate.take(1, now: 1_500) == 100)
    // A clock that goes back gives nothing.
    #expect(rate.take(1, now: 500) == 100)
    #expect(rate.take(1_000, now: 100_000) == nil)
    #expect(rate.take(1, now: 100_000) == 100)
  }

  @Test("silence gets pings and then the end; what takes nothing is slow")
  func liveness() {
    var liveness = Liveness(.standard, slowest: 20_000, now: 0)
    #expect(liveness.tick(14_999, handed: 0, unwritten: 0) == .nothing)
    #expect(liveness.tick(15_000, handed: 0, unwritten: 0) == .ping)
    #expect(liveness.tick(16_000, handed: 0, unwritten: 0) == .nothing)
    #expect(liveness.tick(30_000, handed: 0, unwritten: 0) == .silent)
    liveness.hear(30_000)
    #expect(liveness.tick(31_000, handed: 500, unwritten: 500) == .nothing)
    #expect(liveness.tick(44_000, handed: 900, unwritten: 600) == .nothing)
    liveness.hear(50_000)
    #expect(liveness.tick(63_999, handed: 900, unwritten: 600) == .nothing)
    #expect(liveness.tick(64_000, handed: 1_000, unwritten: 700) == .slow)
  }
}
