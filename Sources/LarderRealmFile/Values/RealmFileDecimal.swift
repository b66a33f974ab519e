/// A decimal number in the binary form of IEEE 754 decimal128 (BID), as Realm keeps it; narrower stored forms are widened.
public struct RealmFileDecimal: Hashable, Sendable, CustomStringConvertible {
  /// Bits 64 to 127.
  public let high: UInt64
  /// Bits 0 to 63.
  public let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The stored number as text: `-150E-2`, digits and exponent as they are; or `NaN`, `Infinity`, `-Infinity`.
  public var description: String {
    let sign = high >> 63 == 1 ? "-" : ""
    switch high >> 58 & 0x1F {
    case 0x1F: return "NaN"
    case 0x1E: return "\(sign)Infinity"
    case 0x18...: return "\(sign)0E\(Int(high >> 47 & 0x3FFF) - Self.bias)"
    default:
      let digits = UInt128(high & (1 << 49 - 1)) << 64 | UInt128(low)
      return "\(sign)\(digits > Self.largest ? 0 : digits)E\(Int(high >> 49 & 0x3FFF) - Self.bias)"
    }
  }

  private static let bias = 6_176
  /// 34 nines; more digits mean 0.
  private static let largest: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999
}

extension RealmFileDecimal {
  /// A number of the form with 32 bits.
  init(bits32 word: UInt64) { self.init(word, bits: 32, exponentBits: 8, bias: 101, largest: 9_999_999) }

  /// A number of the form with 64 bits.
  init(bits64 word: UInt64) { self.init(word, bits: 64, exponentBits: 10, bias: 398, largest: 9_999_999_999_999_999) }

  private init(_ word: UInt64, bits: UInt64, exponentBits: UInt64, bias: Int, largest: UInt64) {
    let sign = (word >> (bits - 1)) << 63
    switch word >> (bits - 6) & 0x1F {
    case 0x1F: self.init(high: sign | 0x7C00 << 48, low: 0)
    case 0x1E: self.init(high: sign | 0x7800 << 48, low: 0)
    case let combination:
      // Where the first two bits are set the exponent comes after them, and the digits begin with binary 100.
      let isShifted = combination >= 0x18
      let shift = bits - 1 - exponentBits - (isShifted ? 2 : 0)
      let exponent = word >> shift & (1 << exponentBits - 1)
      let rest = word & (1 << shift - 1)
      let digits = isShifted ? rest | 4 << shift : rest
      let biased = UInt64(Int(exponent) - bias + Self.bias)
      self.init(high: sign | biased << 49, low: digits > largest ? 0 : digits)
    }
  }
}
