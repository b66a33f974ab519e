import LarderLocks
import Testing

@testable import LarderStorage

@Suite("Hybrid clock")
struct HybridClockTests {
  /// A wall clock that shows the given times in turn, then the last one for ever.
  private static func clock(_ times: [UInt64]) -> HybridClock {
    let rest = Lock(times)
    return HybridClock { rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
  }

  private static let now: UInt64 = 1_760_000_000_000

  @Test("L-10 the wall clock is taken when it is ahead")
  func ahead() {
    let time = HybridClockTests.clock([HybridClockTests.now]).next(after: .zero)
    #expect(time == HybridTime(milliseconds: HybridClockTests.now))
  }

  @Test("L-10 times rise through a clock set back an hour and forward ten years and back")
  func jumps() {
    let hour: UInt64 = 3_600_000
    let decade = 10 * 365 * 24 * hour
    let now = HybridClockTests.now
    let times = [now, now + 1, now - hour, now - hour + 1, now + decade, now + 5, now + 5, 0, now + 6]
    let clock = HybridClockTests.clock(times)
    var last = HybridTime.zero
    var given: [HybridTime] = []
    for _ in times {
      let next = clock.next(after: last)
      #expect(next > last)
      given.append(next)
      last = next
    }
    #expect(given[2] == HybridTime(milliseconds: now + 1, counter: 1))
    #expect(given.last == HybridTime(milliseconds: now + decade, counter: 4))
  }

  @Test("L-10 a full counter carries into the milliseconds")
  func overflow() {
    let clock = HybridClockTests.clock([HybridClockTests.now])
    let full = HybridTime(milliseconds: HybridClockTests.now, counter: .max)
    #expect(clock.next(after: full) == HybridTime(milliseconds: HybridClockTests.now + 1))
  }

  @Test("the system's clock gives a time of this century")
  func system() {
    let time = HybridClock.system.next(after: .zero)
    #expect(time.milliseconds > 1_500_000_000_000 && time.milliseconds < 5_000_000_000_000)
  }
}
