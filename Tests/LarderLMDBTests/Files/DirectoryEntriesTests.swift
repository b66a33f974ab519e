import Foundation
import Testing

@testable import LarderLMDB

/// Times of folders and clocks, which may say anything.
@Suite("Entries of directories") struct DirectoryEntriesTests {
  private static let times: [Int64] = [
    .min, .min + 1, -9_223_372_037, -9_223_372_036, -1, 0, 1, 9_223_372_036, 9_223_372_037, 1_800_000_000, .max - 1,
    .max,
  ]

  @Test("F-137: a change is recent by the clock, whatever times the clock and the folder have")
  func anyTimes() {
    for now in Self.times {
      for changed in Self.times {
        for nanoseconds in [Int64(0), 1, 999_999_999] {
          let change = DirectoryEntries.Change(seconds: changed, nanoseconds: nanoseconds)
          // A change in the time to come is recent: another one may carry the same time.
          #expect(
            change.isRecent(at: timespec(tv_sec: Int(now), tv_nsec: 500_000_000))
              == Self.isRecent(now, changed, nanoseconds))
        }
      }
    }
  }

  private static func isRecent(_ now: Int64, _ changed: Int64, _ nanoseconds: Int64) -> Bool {
    if now != changed, now.subtractingReportingOverflow(changed).overflow || (now &- changed).magnitude > 1 {
      return now < changed
    }
    return (now - changed) * 1_000_000_000 + 500_000_000 - nanoseconds < 20_000_000
  }

  @Test("a change of this moment is not trusted, one of a moment ago is")
  func moments() {
    let change = DirectoryEntries.Change(seconds: 100, nanoseconds: 990_000_000)
    #expect(change.isRecent(at: timespec(tv_sec: 101, tv_nsec: 9_999_999)))
    #expect(!change.isRecent(at: timespec(tv_sec: 101, tv_nsec: 10_000_000)))
    #expect(change.isRecent(at: timespec(tv_sec: 99, tv_nsec: 0)))
  }
}
