import Foundation
import Testing

@testable import LarderStorage

/// Times of clocks, at the ends of what numbers hold and beside them.
@Suite("The wall clock") struct WallClockTests {
  private static let intervals: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -0x1p64, -0x1p63, -9.3e15, -9_223_372_037, -1, -0.001, -0.0, 0, 0.001, 0.999,
    1,
    253_402_300_800, 9_223_372_036, 9_223_372_037, 9.3e15, 1.9e16, 0x1p62, 0x1p63, 0x1p64, .greatestFiniteMagnitude,
    .infinity,
  ]

  @Test("F-137: milliseconds and seconds of any date are numbers")
  func anyDate() {
    for interval in Self.intervals {
      let date = Date(timeIntervalSince1970: interval)
      let (milliseconds, seconds) = (WallClock.milliseconds(date), WallClock.seconds(date))
      #expect(milliseconds <= 1 << 62, "\(interval)")
      if interval.magnitude < 1e9 {
        #expect(
          abs(Double(milliseconds) - max(0, interval * 1_000)) <= 1 && abs(Double(seconds) - interval) <= 1,
          "\(interval)")
      }
    }
    #expect(WallClock.seconds(Date(timeIntervalSince1970: .infinity)) == .max)
    #expect(WallClock.seconds(Date(timeIntervalSince1970: -.infinity)) == .min)
    _ = (
      WallClock.milliseconds(Date(timeIntervalSince1970: .nan)), WallClock.seconds(Date(timeIntervalSince1970: .nan))
    )
  }

  @Test("F-137: a hybrid time follows any other, and stays below the end of numbers")
  func anyTime() {
    let ends: [UInt64] = [0, 1, 0xFFFF, 0x1_0000, 1 << 48, 1 << 63, .max - 0x1_0000, .max - 2, .max - 1, .max]
    for last in ends.map({ HybridTime(rawValue: $0) }) {
      for wall in [0, 1, (1 << 48) - 1, 1 << 48, 1 << 62, UInt64.max] as [UInt64] {
        let next = HybridClock { wall }.next(after: last)
        #expect(next > last || last >= HybridTime.last, "\(last) \(wall)")
        #expect(next <= HybridTime.last, "\(last) \(wall)")
      }
    }
  }
}
