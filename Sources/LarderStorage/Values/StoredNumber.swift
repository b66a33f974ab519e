/// A number of any type, placed on the one line on which numbers of all types are compared.
///
/// Integers, and doubles that can only be whole numbers, mean themselves. Other doubles mean the shortest decimal
/// fraction that reads back as the same double, so that 0.1 as a double equals 0.1 as a decimal. Each double then
/// has one place and doubles keep their order, which makes the order total.
struct StoredNumber {
  /// Decimals that are not numbers, then doubles that are not, come before everything.
  private enum Kind: Int, Comparable {
    case decimalNaN, nan, negativeInfinity, finite, infinity
    static func < (lhs: Kind, rhs: Kind) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  private var kind = Kind.finite
  private var isNegative = false
  /// The magnitude is coefficient × 10^exponent.
  private var coefficient: UInt128 = 0
  private var exponent = 0
  /// The bits of a decimal that is not a number.
  private var payload: (UInt64, UInt64) = (0, 0)
  /// The number as a double when it came as one: two of them compare without being taken apart.
  private var double: Double?

  /// Nil for a value that is no number.
  init?(_ value: StoredValue) {
    switch value {
    case .int(let value):
      isNegative = value < 0
      coefficient = UInt128(value.magnitude)
    case .float(let value): take(Double(value))
    case .double(let value): take(value)
    case .decimal128(let bits): take(bits)
    default: return nil
    }
  }

  private mutating func take(_ value: Double) {
    double = value
    isNegative = value < 0
    if value.isNaN {
      kind = .nan
    } else if value.isInfinite {
      kind = value < 0 ? .negativeInfinity : .infinity
    } else {
      kind = .finite
      if value.magnitude >= 0x1p53, value.magnitude <= 0x1p63 {
        coefficient = UInt128(UInt64(value.magnitude))
      } else {
        readShortest(value)
      }
    }
  }

  /// Takes the digits and the exponent from the shortest text of a double, as `-1.25e-07` has them.
  private mutating func readShortest(_ value: Double) {
    var isFraction = false
    var given = 0
    var isExponent = false
    var isNegativeExponent = false
    for character in value.description.utf8 {
      switch character {
      case 0x30...0x39 where isExponent: given = given * 10 + Int(character - 0x30)
      case 0x30...0x39:
        coefficient = coefficient * 10 + UInt128(character - 0x30)
        if isFraction { exponent -= 1 }
      case 0x2E: isFraction = true
      case 0x65: isExponent = true
      case 0x2D where isExponent: isNegativeExponent = true
      default: break
      }
    }
    exponent += isNegativeExponent ? -given : given
  }

  private mutating func take(_ bits: Decimal128Bits) {
    isNegative = bits.high >> 63 == 1
    if bits.high >> 59 & 0xF == 0xF {
      let isNaN = bits.high >> 58 & 1 == 1
      kind = isNaN ? .decimalNaN : (isNegative ? .negativeInfinity : .infinity)
      payload = (bits.high, bits.low)
      return
    }
    kind = .finite
    // The other form of the exponent only holds coefficients beyond 34 digits, which mean zero.
    guard bits.high >> 61 & 3 != 3 else { return }
    let value = UInt128(bits.high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(bits.low)
    coefficient = value > Self.largestCoefficient ? 0 : value
    exponent = Int(bits.high >> 49 & 0x3FFF) - 6176
  }

  private static let largestCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

  static func compare(_ left: StoredNumber, _ right: StoredNumber) -> Int {
    if let a = left.double, let b = right.double, left.kind == .finite, right.kind == .finite {
      return StoredOrder.order(a, b)
    }
    guard left.kind == right.kind else { return StoredOrder.order(left.kind, right.kind) }
    switch left.kind {
    case .finite: break
    case .decimalNaN:
      let high = StoredOrder.order(left.payload.0, right.payload.0)
      return high == 0 ? StoredOrder.order(left.payload.1, right.payload.1) : high
    case .nan, .infinity, .negativeInfinity: return 0
    }
    if left.coefficient == 0 || right.coefficient == 0 { return left.sign - right.sign }
    guard left.isNegative == right.isNegative else { return left.isNegative ? -1 : 1 }
    let (a, b) = (left.normalized, right.normalized)
    let order =
      a.exponent == b.exponent
      ? StoredOrder.order(a.coefficient, b.coefficient) : StoredOrder.order(a.exponent, b.exponent)
    return left.isNegative ? -order : order
  }

  private var sign: Int { coefficient == 0 ? 0 : (isNegative ? -1 : 1) }

  /// Scaled to 34 digits, so that numbers compare by exponent, then by coefficient.
  private var normalized: (exponent: Int, coefficient: UInt128) {
    var (coefficient, exponent) = (coefficient, exponent)
    while coefficient <= Self.largestCoefficient / 10 {
      coefficient *= 10
      exponent -= 1
    }
    return (exponent, coefficient)
  }
}
