import LarderStorage

/// Decimal128 values as text and back.
package enum DecimalText {
  private static let exponentBias = 6176
  private static let maximumDigits = 34
  private static let signBit: UInt64 = 1 << 63

  /// The value of a decimal number with up to 34 digits, or nil when the text is none or does not fit exactly.
  package static func parse(_ text: String) -> Decimal128Bits? {
    var rest = text[...].utf8
    var isNegative = false
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      rest.removeFirst()
    }
    var coefficient: UInt128 = 0
    var digitCount = 0
    var exponent = 0
    var sawDigit = false
    var sawPoint = false
    while let byte = rest.first, byte == UInt8(ascii: ".") || byte &- UInt8(ascii: "0") < 10 {
      rest.removeFirst()
      if byte == UInt8(ascii: ".") {
        guard !sawPoint else { return nil }
        sawPoint = true
        continue
      }
      sawDigit = true
      if coefficient > 0 || byte != UInt8(ascii: "0") { digitCount += 1 }
      guard digitCount <= maximumDigits else { return nil }
      coefficient = coefficient * 10 + UInt128(byte - UInt8(ascii: "0"))
      if sawPoint { exponent -= 1 }
    }
    guard sawDigit else { return nil }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      guard let power = Int(String(decoding: Array(rest), as: UTF8.self)), abs(power) < 10_000 else { return nil }
      exponent += power
      rest = rest[rest.endIndex...]
    }
    let biased = exponent + exponentBias
    guard rest.isEmpty, 0..<12_288 ~= biased else { return nil }
    let high = UInt64(truncatingIfNeeded: coefficient >> 64) | UInt64(biased) << 49
    return Decimal128Bits(high: high | (isNegative ? signBit : 0), low: UInt64(truncatingIfNeeded: coefficient))
  }

  /// The value as text: plain digits where that is short, else with an exponent.
  package static func format(_ bits: Decimal128Bits) -> String {
    let sign = bits.high & signBit != 0 ? "-" : ""
    switch bits.high >> 58 & 0x1F {
    case 0x1F: return "NaN"
    case 0x1E: return sign + "Infinity"
    default: break
    }
    // Two leading ones mark coefficients that no valid value has: they count as zero.
    guard bits.high >> 61 & 3 != 3 else { return sign + "0" }
    let exponent = Int(bits.high >> 49 & 0x3FFF) - exponentBias
    let digits = String(UInt128(bits.high & (1 << 49 - 1)) << 64 | UInt128(bits.low))
    if exponent == 0 { return sign + digits }
    if exponent > 0 { return "\(sign)\(digits)E+\(exponent)" }
    let point = digits.count + exponent
    if point > 0 { return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))" }
    if point > -6 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
    return "\(sign)\(digits)E\(exponent)"
  }
}
