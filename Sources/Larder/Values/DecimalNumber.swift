import LarderStorage

/// A decimal floating-point number of up to 34 digits, as IEEE 754-2008 decimal128 defines it: the arithmetic behind `Decimal128`.
///
/// Results are rounded half to even. Zeros keep their exponent, so that 1.50 prints as it was written.
struct DecimalNumber: Sendable {
  enum Kind: Sendable { case finite, infinity, quietNaN, signalingNaN }

  static let maximumDigits = 34
  static let exponentBias = 6176
  static let exponents = -6176...6111
  static let coefficientLimit = power(34)

  var kind = Kind.finite
  var isNegative = false
  /// Below 10^34.
  var coefficient: UInt128 = 0
  var exponent = 0

  static let zero = DecimalNumber()
  static let nan = DecimalNumber(kind: .quietNaN)
  static func infinity(negative: Bool) -> DecimalNumber { DecimalNumber(kind: .infinity, isNegative: negative) }

  var isNaN: Bool { kind == .quietNaN || kind == .signalingNaN }
  var isZero: Bool { kind == .finite && coefficient == 0 }

  /// The number nearest to `coefficient * 10^exponent`; infinite when it is too large.
  static func rounded(negative: Bool, _ coefficient: UInt128, exponent: Int, inexact: Bool = false) -> DecimalNumber {
    rounded(negative: negative, high: 0, low: coefficient, exponent: exponent, inexact: inexact)
  }

  /// The same for a product of two words; `inexact` says that digits below the last one were lost before.
  static func rounded(
    negative: Bool, high: UInt128, low: UInt128, exponent: Int, inexact: Bool = false
  ) -> DecimalNumber {
    var drop = digitsToDrop(high, low)
    if exponent + drop < exponents.lowerBound { drop = exponents.lowerBound - exponent }
    var coefficient: UInt128
    var exponent = exponent
    if drop == 0 {
      coefficient = low
    } else {
      coefficient = dropDigits(drop, high: high, low: low, inexact: inexact)
      exponent += drop
      if coefficient == coefficientLimit {
        coefficient /= 10
        exponent += 1
      }
    }
    while exponent > exponents.upperBound, coefficient != 0, coefficient < coefficientLimit / 10 {
      coefficient *= 10
      exponent -= 1
    }
    if exponent > exponents.upperBound {
      guard coefficient == 0 else { return infinity(negative: negative) }
      exponent = exponents.upperBound
    }
    return DecimalNumber(isNegative: negative, coefficient: coefficient, exponent: exponent)
  }

  private static func digitsToDrop(_ high: UInt128, _ low: UInt128) -> Int {
    if high == 0, low < coefficientLimit { return 0 }
    for drop in 1...34 {
      let limit = coefficientLimit.multipliedFullWidth(by: power(drop))
      if (high, low) < (limit.high, limit.low) { return drop }
    }
    return 35
  }

  private static func dropDigits(_ count: Int, high: UInt128, low: UInt128, inexact: Bool) -> UInt128 {
    guard count <= 38 else { return 0 }
    let divisor = power(count)
    guard high < divisor else { return coefficientLimit }
    let (quotient, remainder) =
      high == 0 ? low.quotientAndRemainder(dividingBy: divisor) : divisor.dividingFullWidth((high, low))
    let half = divisor / 2
    let roundsUp = remainder > half || (remainder == half && (inexact || quotient & 1 == 1))
    return roundsUp ? quotient + 1 : quotient
  }

  /// 10^n for n in 0...38.
  static func power(_ exponent: Int) -> UInt128 { powers[exponent] }

  private static let powers: [UInt128] = {
    var result: [UInt128] = [1]
    for _ in 0..<38 { result.append(result[result.count - 1] * 10) }
    return result
  }()

  /// Number of digits of a coefficient; 1 for zero.
  static func digits(_ value: UInt128) -> Int {
    var count = 1
    while count < 39, value >= power(count) {
      count += 1
      if count == 39 { break }
    }
    return count
  }
}

extension DecimalNumber {
  /// Decodes the binary-integer encoding; coefficients that are not canonical count as zero.
  init(_ bits: Decimal128Bits) {
    isNegative = bits.high >> 63 == 1
    if (bits.high >> 61) & 3 == 3 {
      switch (bits.high >> 58) & 31 {
      case 30: kind = .infinity
      case 31: kind = (bits.high >> 57) & 1 == 1 ? .signalingNaN : .quietNaN
      default: exponent = Int((bits.high >> 47) & 0x3FFF) - Self.exponentBias
      }
      return
    }
    exponent = Int((bits.high >> 49) & 0x3FFF) - Self.exponentBias
    let value = UInt128(bits.high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(bits.low)
    coefficient = value < Self.coefficientLimit ? value : 0
  }

  var bits: Decimal128Bits {
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    switch kind {
    case .infinity: return Decimal128Bits(high: sign | 0x7800_0000_0000_0000, low: 0)
    case .quietNaN: return Decimal128Bits(high: sign | 0x7C00_0000_0000_0000, low: 0)
    case .signalingNaN: return Decimal128Bits(high: sign | 0x7E00_0000_0000_0000, low: 0)
    case .finite:
      let biased = UInt64(exponent + Self.exponentBias) << 49
      return Decimal128Bits(
        high: sign | biased | UInt64(truncatingIfNeeded: coefficient >> 64),
        low: UInt64(truncatingIfNeeded: coefficient))
    }
  }
}
