/// The doubles that are nearest to decimal numbers.
///
/// Up to 2^53 with a power of ten that is exact itself, one operation rounds right. Else the digits are multiplied with the first 128
/// bits of the power of five; where the bits that are left out could change the rounding, the answer is nil and a slower reader is asked
/// (D. Lemire, "Number parsing at a gigabyte per second", 2021).
enum DecimalScaling {
  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  static func double(_ digits: UInt64, exponent: Int) -> Double? {
    if digits <= 1 << 53, exponent.magnitude <= 22 {
      let value = Double(digits)
      return exponent < 0 ? value / exactPowers[-exponent] : value * exactPowers[exponent]
    }
    guard digits > 0 else { return 0 }
    guard PowersOfFive.range.contains(exponent) else { return nil }
    return scaled(digits, PowersOfFive.shared[exponent], exponent)
  }

  private static func scaled(_ digits: UInt64, _ power: UInt128, _ exponent: Int) -> Double? {
    let shift = digits.leadingZeroBitCount
    let number = digits << UInt64(shift)
    // The upper 128 of 192 bits, and whether the rest may carry into them.
    let high = UInt128(number) * UInt128(UInt64(truncatingIfNeeded: power >> 64))
    let low = UInt128(number) * UInt128(UInt64(truncatingIfNeeded: power))
    let (product, overflow) = high.addingReportingOverflow(low >> 64)
    guard !overflow else { return nil }
    let top = UInt64(truncatingIfNeeded: product >> 64)
    let isLarge = top >> 63 == 1
    // 53 bits and one to round by.
    let kept = top >> (isLarge ? 10 : 9)
    let dropped = top & (isLarge ? 0x3FF : 0x1FF)
    let rest = UInt64(truncatingIfNeeded: product)
    // The power is cut off, or rounded down: the true product is a little larger. Near a carry, and near the middle between two doubles,
    // more bits would have to be known.
    if rest >= .max - 1, dropped == (isLarge ? 0x3FF : 0x1FF) { return nil }
    if dropped == 0, rest <= 1, kept & 1 == 1 { return nil }
    var significand = (kept >> 1) + (kept & 1)
    var binary = exponentOfFive(exponent) + exponent - shift + (isLarge ? 64 + 11 : 64 + 10) + 64
    if significand >> 53 == 1 {
      significand >>= 1
      binary += 1
    }
    let biased = binary + 52 + 1023
    // Subnormal numbers and infinity are not for this.
    guard 1...2046 ~= biased else { return nil }
    return Double(bitPattern: UInt64(biased) << 52 | significand & (1 << 52 - 1))
  }

  /// The power of two that belongs to the 128 bits of a power of five.
  private static func exponentOfFive(_ exponent: Int) -> Int {
    // floor(log2(5^exponent)) - 127
    ((exponent * 152_170) >> 16) - 127
  }
}

/// The first 128 bits of powers of five, rounded down.
private struct PowersOfFive {
  static let range = -55...55
  static let shared = PowersOfFive()
  private var powers: [UInt128] = []

  private init() {
    powers = Self.range.map { exponent in
      var power: UInt128 = 1
      for _ in 0..<exponent.magnitude { power *= 5 }
      let normal = power << UInt128(power.leadingZeroBitCount)
      guard exponent < 0 else { return normal }
      // 2^255 / normal, which is between 2^127 and 2^128.
      guard normal != 1 << 127 else { return normal }
      return normal.dividingFullWidth((1 << 127, 0)).quotient
    }
  }

  subscript(_ exponent: Int) -> UInt128 { powers[exponent - Self.range.lowerBound] }
}
