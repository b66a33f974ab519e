import CDecimal

/// A decimal floating-point number of 34 digits: the arithmetic of IEEE 754-2008 decimal128, done by Intel's library.
///
/// Rounds half to even. Zeros and trailing zeros are kept, so that 1.50 prints as it was written. Compared by number; a NaN
/// equals a NaN and is below every number.
package struct DecimalNumber: Sendable {
  package var bits: Decimal128Bits

  package init(_ bits: Decimal128Bits) { self.bits = bits }

  package static let zero = DecimalNumber(.zero)
  package static let nan = DecimalNumber(Decimal128Bits(high: 0x7C00_0000_0000_0000, low: 0))
  /// 34 nines and the largest exponent.
  package static let greatestFinite = DecimalNumber("9999999999999999999999999999999999E+6111") ?? .nan

  package init(_ value: Int64) { self.init(__bid128_from_int64(value)) }

  /// The number that the shortest text of a binary number means.
  package init(_ value: Double) { self = DecimalNumber("\(value)") ?? .nan }
  package init(_ value: Float) { self = DecimalNumber("\(value)") ?? .nan }

  /// A number of the store as a decimal; NaN for anything else.
  package init(number: StoredValue) {
    switch number {
    case .int(let value): self.init(value)
    case .float(let value): self.init(value)
    case .double(let value): self.init(value)
    case .decimal128(let bits): self.init(bits)
    default: self = .nan
    }
  }

  package var isNaN: Bool { __bid128_isNaN(quad) != 0 }
  package var isSignalingNaN: Bool { __bid128_isSignaling(quad) != 0 }
  package var isFinite: Bool { __bid128_isFinite(quad) != 0 }
  package var isZero: Bool { __bid128_isZero(quad) != 0 }
  package var isNegative: Bool { __bid128_isSigned(quad) != 0 }
  package var magnitude: DecimalNumber { DecimalNumber(__bid128_abs(quad)) }
  package static prefix func - (value: DecimalNumber) -> DecimalNumber { DecimalNumber(__bid128_negate(value.quad)) }

  /// The nearest binary number.
  package var doubleValue: Double { quiet { __bid128_to_binary64(quad, Self.halfToEven, &$0) } }

  package static func + (lhs: DecimalNumber, rhs: DecimalNumber) -> DecimalNumber {
    DecimalNumber(quiet { __bid128_add(lhs.quad, rhs.quad, halfToEven, &$0) })
  }
  package static func - (lhs: DecimalNumber, rhs: DecimalNumber) -> DecimalNumber {
    DecimalNumber(quiet { __bid128_sub(lhs.quad, rhs.quad, halfToEven, &$0) })
  }
  package static func * (lhs: DecimalNumber, rhs: DecimalNumber) -> DecimalNumber {
    DecimalNumber(quiet { __bid128_mul(lhs.quad, rhs.quad, halfToEven, &$0) })
  }
  package static func / (lhs: DecimalNumber, rhs: DecimalNumber) -> DecimalNumber {
    DecimalNumber(quiet { __bid128_div(lhs.quad, rhs.quad, halfToEven, &$0) })
  }

  /// Returns the remainder of the number after a whole number of others, with its sign; exact. NaN for zero.
  package func remainder(dividingBy other: DecimalNumber) -> DecimalNumber {
    DecimalNumber(quiet { __bid128_fmod(quad, other.quad, &$0) })
  }

  /// One encoding for all forms of a number: as many digits as fit, one zero, one NaN.
  package var canonicalBits: Decimal128Bits {
    if isNaN { return Self.nan.bits }
    if isZero { return .zero }
    guard isFinite else { return bits }
    let digits = quiet { __bid128_ilogb(quad, &$0) } - 33
    let unit = quiet { __bid128_scalbn(DecimalNumber(1 as Int64).quad, max(digits, -6176), Self.halfToEven, &$0) }
    return DecimalNumber(quiet { __bid128_quantize(quad, unit, Self.halfToEven, &$0) }).bits
  }
}

extension DecimalNumber: Comparable {
  package static func == (lhs: DecimalNumber, rhs: DecimalNumber) -> Bool {
    quiet { __bid128_quiet_equal(lhs.quad, rhs.quad, &$0) } != 0 || (lhs.isNaN && rhs.isNaN)
  }

  package static func < (lhs: DecimalNumber, rhs: DecimalNumber) -> Bool {
    quiet { __bid128_quiet_less(lhs.quad, rhs.quad, &$0) } != 0 || (lhs.isNaN && !rhs.isNaN)
  }
}

extension DecimalNumber: CustomStringConvertible {
  /// Reads `[+-]digits[.digits][e[+-]digits]`, `inf`, `infinity`, `nan` or `snan`; nil for anything else. Digits beyond the
  /// 34th are rounded.
  package init?(_ text: some StringProtocol) {
    guard let (number, _) = Self.read(text) else { return nil }
    self = number
  }

  /// The same, and nil also when the number has to be rounded or is too large.
  package init?(exactly text: some StringProtocol) {
    guard let (number, flags) = Self.read(text), number.isFinite, flags == 0 else { return nil }
    self = number
  }

  private static func read(_ text: some StringProtocol) -> (DecimalNumber, flags: UInt32)? {
    guard isNumber(text.utf8) || isName(text) else { return nil }
    var bytes = text.utf8.map { CChar(bitPattern: $0) }
    bytes.append(0)
    var flags: UInt32 = 0
    let number = DecimalNumber(__bid128_from_string(&bytes, halfToEven, &flags))
    return (number, flags)
  }

  /// The library overlooks spaces, lone points and whatever follows an exponent: the form is checked before.
  private static func isNumber(_ text: some Collection<UInt8>) -> Bool {
    var scanner = Scanner(rest: Array(text)[...])
    scanner.skip("+-")
    let digits = scanner.skipDigits() + (scanner.skip(".") ? scanner.skipDigits() : 0)
    let exponent = scanner.skip("eE") ? (scanner.skip("+-"), scanner.skipDigits()).1 : 1
    return digits > 0 && exponent > 0 && scanner.rest.isEmpty
  }

  private static func isName(_ text: some StringProtocol) -> Bool {
    let isSigned = text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+")
    return ["nan", "snan", "inf", "infinity"].contains((isSigned ? text.dropFirst() : text[...]).lowercased())
  }

  private struct Scanner {
    var rest: ArraySlice<UInt8>

    @discardableResult
    mutating func skip(_ choices: StaticString) -> Bool {
      guard let first = rest.first, choices.description.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func skipDigits() -> Int {
      let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }.count
      rest.removeFirst(digits)
      return digits
    }
  }

  /// Scientific notation as in IEEE 754: `12.50`, `1.5E+20`, `1E-7`, `NaN`, `Infinity`.
  package var description: String {
    if isNaN { return isSignalingNaN ? "sNaN" : "NaN" }
    let sign = isNegative ? "-" : ""
    guard isFinite else { return sign + "Infinity" }
    // Sign, digits, "E" and exponent, which is 0 at the last digit.
    var buffer = [CChar](repeating: 0, count: 64)
    quiet { __bid128_to_string(&buffer, quad, &$0) }
    let parts = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .dropFirst().split(separator: "E")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return sign + parts.joined(separator: "E") }
    return sign + Self.text(of: parts[0], exponent: exponent)
  }

  /// The number without zeros at the end of a fraction, and with short exponents: `12.5`, `1.5E20`, `1E-7`, `Inf`.
  package var shortText: String {
    let text = description
    guard isFinite else { return isNaN ? "NaN" : isNegative ? "-Inf" : "Inf" }
    if isZero { return isNegative ? "-0" : "0" }
    let parts = text.split(separator: "E", maxSplits: 1)
    var mantissa = parts[0]
    if mantissa.contains(".") {
      mantissa = mantissa.dropLast(mantissa.reversed().prefix { $0 == "0" }.count)
      if mantissa.last == "." { mantissa.removeLast() }
    }
    guard parts.count == 2 else { return String(mantissa) }
    return "\(mantissa)E\(parts[1].first == "+" ? parts[1].dropFirst() : parts[1])"
  }

  private static func text(of digits: Substring, exponent: Int) -> String {
    let adjusted = exponent + digits.count - 1
    guard exponent <= 0, adjusted >= -6 else {
      let mantissa = digits.count == 1 ? String(digits) : "\(digits.prefix(1)).\(digits.dropFirst())"
      return "\(mantissa)E\(adjusted < 0 ? "-" : "+")\(abs(adjusted))"
    }
    if exponent == 0 { return String(digits) }
    let point = digits.count + exponent
    if point > 0 { return "\(digits.prefix(point)).\(digits.dropFirst(point))" }
    return "0." + String(repeating: "0", count: -point) + digits
  }
}

extension DecimalNumber {
  private static let halfToEven: UInt32 = 0

  private init(_ quad: BID_UINT128) { bits = Decimal128Bits(high: quad.w.1, low: quad.w.0) }

  private var quad: BID_UINT128 { BID_UINT128(w: (bits.low, bits.high)) }

  /// Calls the library with flags that nothing asks for.
  @inline(__always)
  private static func quiet<Result>(_ body: (inout UInt32) -> Result) -> Result {
    var flags: UInt32 = 0
    return body(&flags)
  }

  @inline(__always)
  private func quiet<Result>(_ body: (inout UInt32) -> Result) -> Result { Self.quiet(body) }
}
