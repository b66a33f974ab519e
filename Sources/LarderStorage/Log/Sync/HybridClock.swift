/// A hybrid logical time: 48 bits of Unix milliseconds above a 16-bit counter (L-10).
package struct HybridTime: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package init(milliseconds: UInt64, counter: UInt16 = 0) {
    self.init(rawValue: min(milliseconds, (1 << 48) - 1) << 16 | UInt64(counter))
  }

  package static let zero = HybridTime(rawValue: 0)
  /// The last time that a commit may have: nothing comes after it.
  package static let last = HybridTime(rawValue: .max - 1)
  package var milliseconds: UInt64 { rawValue >> 16 }
  package var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

  package static func < (lhs: HybridTime, rhs: HybridTime) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The one source of commit times. The wall clock can be replaced in tests.
struct HybridClock: Sendable {
  private let wallMilliseconds: @Sendable () -> UInt64

  package init(wallMilliseconds: @escaping @Sendable () -> UInt64) { self.wallMilliseconds = wallMilliseconds }

  package static let system = HybridClock { WallClock.milliseconds() }

  /// A time above `last`: the wall clock when it is ahead, else the next counter value.
  ///
  /// A full counter carries into the milliseconds, so the result rises whatever the wall clock does, up to the last time
  /// that there is.
  package func next(after last: HybridTime) -> HybridTime {
    let wall = HybridTime(milliseconds: wallMilliseconds())
    return wall > last ? wall : HybridTime(rawValue: min(last.rawValue, HybridTime.last.rawValue - 1) + 1)
  }
}
