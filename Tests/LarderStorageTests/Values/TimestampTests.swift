import Foundation
import LarderStorage
import TestSupport
import Testing

@Suite("Timestamps") struct TimestampTests {
  private func roundTrip(_ interval: Double) -> Double {
    Timestamp(Date(timeIntervalSinceReferenceDate: interval)).date.timeIntervalSinceReferenceDate
  }

  @Test("F-1: every date that nanoseconds can tell from its neighbours comes back equal, over the whole range")
  func wholeRange() {
    var random = SeededRandom.forTest()
    for _ in 0..<20_000 {
      // From where a `Double` has steps of two nanoseconds, to where 64-bit seconds end.
      let bits = UInt64.random(in: Double(1 << 23).bitPattern...9.2e18.bitPattern, using: &random)
      let interval = Double(bitPattern: bits) * (random.oneIn(2) ? 1 : -1)
      #expect(roundTrip(interval) == interval, "\(interval)")
    }
    for interval in [0, -0.0, Double(1 << 23), -Double(1 << 23), 9.223372035e18, -9.223372035e18] as [Double] {
      #expect(roundTrip(interval) == interval, "\(interval)")
    }
    let bounds = [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date()]
    for date in bounds { #expect(Timestamp(date).date == date) }
  }

  @Test("F-1: a date near the reference date comes back to the nanosecond, and as the same Double when it is one")
  func nearReference() {
    var random = SeededRandom.forTest()
    for _ in 0..<20_000 {
      let nanoseconds =
        Int64.random(in: -8_388_000_000_000_000...8_388_000_000_000_000, using: &random) >> random.int(0...52)
      let interval = Double(nanoseconds) / 1e9
      #expect(roundTrip(interval) == interval, "\(interval)")
      let between = interval + Double.random(in: 0...1e-9, using: &random)
      #expect(abs(roundTrip(between) - between) <= 0.51e-9 + between.ulp, "\(between)")
      #expect(roundTrip(roundTrip(between)) == roundTrip(between))
    }
  }

  @Test("F-1: what was stored before reads as before, and is found by the date it reads as") func stored() {
    var random = SeededRandom.forTest()
    for _ in 0..<20_000 {
      let seconds = Int64.random(in: -4_000_000_000...8_000_000_000, using: &random)
      // What splitting the time since 1970 gave.
      let interval = Double(seconds) + Double.random(in: 0..<1, using: &random)
      let floor = interval.rounded(.down)
      let nanoseconds = min(999_999_999, ((interval - floor) * 1e9).rounded())
      let old = Timestamp(seconds: Int64(floor), nanoseconds: UInt32(nanoseconds))
      let date = old.date
      let step = max(1e-9, interval.ulp, date.timeIntervalSinceReferenceDate.ulp)
      #expect(abs(date.timeIntervalSince1970 - interval) <= 2 * step)
      #expect(Timestamp(date).date == date)
      if abs(date.timeIntervalSinceReferenceDate) >= Double(1 << 23) {
        #expect(abs(Timestamp(date).nanosecondsSince(old)) <= 1_000)
      }
    }
  }

  @Test(
    "F-1: a date is split as the functions of the library of C split it, near halves of nanoseconds and whole seconds too"
  )
  func splitting() {
    var random = SeededRandom.forTest()
    func expected(_ interval: Double) -> Timestamp {
      let floor = interval.rounded(.down)
      let nanoseconds = ((interval - floor) * 1e9).rounded()
      let carry: Int64 = nanoseconds >= 1e9 ? 1 : 0
      return Timestamp(
        seconds: Int64(floor) + 978_307_200 + carry, nanoseconds: carry == 1 ? 0 : UInt32(nanoseconds))
    }
    for _ in 0..<50_000 {
      var interval = Double(random.anyInt64() >> Int64(random.int(0...62))) / random.pick([1, 2, 1e3, 1e9, 2e9])
      interval = random.pick([interval, interval.nextUp, interval.nextDown, -interval])
      guard interval.magnitude < 9e18 else { continue }
      #expect(Timestamp(Date(timeIntervalSinceReferenceDate: interval)) == expected(interval), "\(interval)")
    }
    for interval in [0, -0.0, 0.5e-9, 0x1.fffffffffffffp-32, -1e-300, 0.9999999999, 0x1p62, -0x1p62, 0x1p62 - 512]
      as [Double]
    {
      #expect(Timestamp(Date(timeIntervalSinceReferenceDate: interval)) == expected(interval), "\(interval)")
    }
  }

  @Test("F-1: dates beyond 64-bit seconds are clamped, in order") func beyond() {
    let far = [-Double.infinity, -1e300, -9.3e18, 0, 9.3e18, 1e300, .infinity].map {
      Timestamp(Date(timeIntervalSinceReferenceDate: $0))
    }
    #expect(far == far.sorted() && far[0].seconds == .min && far[6].seconds == .max)
    for time in far { #expect(Timestamp(time.date).date == time.date) }
  }
}

extension Timestamp {
  fileprivate func nanosecondsSince(_ other: Timestamp) -> Int64 {
    (seconds - other.seconds) * 1_000_000_000 + Int64(nanoseconds) - Int64(other.nanoseconds)
  }
}
