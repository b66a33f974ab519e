import LarderStorage

/// A decimal128 taken apart, for comparing and for reading constants.
struct DecimalValue: Comparable {
  enum Kind { case finite, infinite, nan }
  var kind: Kind
  var isNegative: Bool
  var coefficient: UInt128
  var exponent: Int

  private static let maximumCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

  init(kind: Kind = .finite, isNegative: Bool = false, coefficient: UInt128 = 0, exponent: Int = 0) {
    self.kind = kind
    self.isNegative = isNegative
    self.coefficient = coefficient
    self.exponent = exponent
  }

  init(_ bits: Decimal128Bits) {
    let isNegative = bits.high >> 63 == 1
    if bits.high >> 59 & 0xF == 0xF {
      self.init(kind: bits.high >> 58 & 1 == 1 ? .nan : .infinite, isNegative: isNegative)
    } else if bits.high >> 61 & 3 == 3 {
      // A coefficient beyond 34 digits stands for zero.
      self.init(isNegative: isNegative)
    } else {
      let coefficient = UInt128(bits.high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(bits.low)
      self.init(
        isNegative: isNegative, coefficient: coefficient > Self.maximumCoefficient ? 0 : coefficient,
        exponent: Int(bits.high >> 49 & 0x3FFF) - 6176)
    }
  }

  /// The value of any number.
  init(number: StoredValue) {
    switch number {
    case .int(let value): self.init(isNegative: value < 0, coefficient: UInt128(value.magnitude))
    case .float(let value): self = DecimalValue(text: "\(value)") ?? DecimalValue(kind: .nan)
    case .double(let value): self = DecimalValue(text: "\(value)") ?? DecimalValue(kind: .nan)
    case .decimal128(let bits): self.init(bits)
    default: self.init(kind: .nan)
    }
  }

  /// Reads `12.5e3`, `-Inf`, `NaN`; nil for anything else or beyond 34 digits of precision (rounded half to even).
  init?(text: String) {
    var rest = Substring(text)
    var negative = false
    if let sign = rest.first, sign == "-" || sign == "+" {
      negative = sign == "-"
      rest.removeFirst()
    }
    switch rest.lowercased() {
    case "inf", "infinity":
      self.init(kind: .infinite, isNegative: negative)
      return
    case "nan":
      self.init(kind: .nan, isNegative: negative)
      return
    default: break
    }
    let parts = rest.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard parts.count <= 2, let mantissa = parts.first else { return nil }
    var exponent = 0
    if parts.count == 2 {
      guard let given = Int(parts[1]), abs(given) < 100_000 else { return nil }
      exponent = given
    }
    let pieces = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    guard pieces.count <= 2, pieces.contains(where: { !$0.isEmpty }) else { return nil }
    let digits = Array(pieces.joined().utf8)
    guard digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    exponent -= pieces.count == 2 ? pieces[1].utf8.count : 0
    self = Self.rounded(digits.map { $0 - 0x30 }, exponent, isNegative: negative)
  }

  /// At most 34 significant digits, rounded half to even.
  private static func rounded(_ digits: [UInt8], _ exponent: Int, isNegative: Bool) -> DecimalValue {
    let significant = digits.drop { $0 == 0 }
    var coefficient = significant.prefix(34).reduce(UInt128(0)) { $0 * 10 + UInt128($1) }
    let dropped = significant.dropFirst(34)
    if let first = dropped.first {
      let isHalf = first == 5 && dropped.dropFirst().allSatisfy { $0 == 0 }
      if isHalf ? coefficient & 1 == 1 : first >= 5 { coefficient += 1 }
    }
    return DecimalValue(isNegative: isNegative, coefficient: coefficient, exponent: exponent + dropped.count)
  }

  var isNaN: Bool { kind == .nan }

  /// The BID encoding; values beyond the range become infinite or zero.
  var bits: Decimal128Bits {
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    switch kind {
    case .nan: return Decimal128Bits(high: sign | 0x7C00_0000_0000_0000, low: 0)
    case .infinite: return Decimal128Bits(high: sign | 0x7800_0000_0000_0000, low: 0)
    case .finite: break
    }
    var (coefficient, exponent) = (coefficient, exponent)
    if coefficient > Self.maximumCoefficient {
      coefficient /= 10
      exponent += 1
    }
    while exponent > 6111, coefficient != 0, coefficient <= Self.maximumCoefficient / 10 {
      coefficient *= 10
      exponent -= 1
    }
    if exponent > 6111, coefficient != 0 { return Decimal128Bits(high: sign | 0x7800_0000_0000_0000, low: 0) }
    while exponent < -6176, coefficient != 0 {
      coefficient /= 10
      exponent += 1
    }
    let biased = UInt64(min(max(exponent, -6176), 6111) + 6176)
    return Decimal128Bits(
      high: sign | biased << 49 | UInt64(truncatingIfNeeded: coefficient >> 64),
      low: UInt64(truncatingIfNeeded: coefficient))
  }

  /// One encoding for all forms of a number.
  var canonicalBits: Decimal128Bits {
    guard kind == .finite else { return bits }
    guard coefficient != 0 else { return DecimalValue().bits }
    let (exponent, coefficient) = normalized
    return DecimalValue(isNegative: isNegative, coefficient: coefficient, exponent: exponent).unscaledBits
  }

  private var unscaledBits: Decimal128Bits {
    Decimal128Bits(
      high: UInt64(truncatingIfNeeded: coefficient >> 64) | (isNegative ? 1 << 63 : 0)
        ^ UInt64(truncatingIfNeeded: exponent) << 50,
      low: UInt64(truncatingIfNeeded: coefficient))
  }

  /// Scaled to 34 digits, so that equal values are equal and larger ones compare by exponent, then coefficient.
  private var normalized: (exponent: Int, coefficient: UInt128) {
    guard coefficient != 0 else { return (.min, 0) }
    var (coefficient, exponent) = (coefficient, exponent)
    while coefficient <= Self.maximumCoefficient / 10 {
      coefficient *= 10
      exponent -= 1
    }
    return (exponent, coefficient)
  }

  static func == (a: DecimalValue, b: DecimalValue) -> Bool { !(a < b) && !(b < a) }

  static func < (a: DecimalValue, b: DecimalValue) -> Bool {
    if a.isNaN || b.isNaN { return a.isNaN && !b.isNaN }
    let (left, right) = (a.magnitudeRank, b.magnitudeRank)
    if left == 0 && right == 0 { return false }
    let signs = (left == 0 ? 0 : (a.isNegative ? -1 : 1), right == 0 ? 0 : (b.isNegative ? -1 : 1))
    if signs.0 != signs.1 { return signs.0 < signs.1 }
    if left != right { return signs.0 > 0 ? left < right : left > right }
    if left == 2 { return false }
    let (x, y) = (a.normalized, b.normalized)
    return signs.0 > 0 ? x < y : y < x
  }

  /// 0 for zero, 1 for finite values, 2 for infinity.
  private var magnitudeRank: Int { kind == .infinite ? 2 : (coefficient == 0 ? 0 : 1) }
}
