extension DecimalNumber: CustomStringConvertible {
  /// Reads `[+-]digits[.digits][e[+-]digits]`, `inf`, `infinity` or `nan`; nil for anything else. Further digits are rounded.
  init?(_ text: some StringProtocol) {
    var rest = Substring(text)
    var negative = false
    if let sign = rest.first, sign == "-" || sign == "+" {
      negative = sign == "-"
      rest.removeFirst()
    }
    switch rest.lowercased() {
    case "inf", "infinity":
      self = .infinity(negative: negative)
      return
    case "nan":
      self = DecimalNumber(kind: .quietNaN, isNegative: negative)
      return
    case "snan":
      self = DecimalNumber(kind: .signalingNaN, isNegative: negative)
      return
    default: break
    }
    guard let scanned = DecimalScanner(rest.utf8).scan() else { return nil }
    self = .rounded(
      negative: negative, scanned.coefficient, exponent: scanned.exponent, inexact: scanned.isInexact)
  }

  /// Scientific notation as in IEEE 754: `12.50`, `1.5E+20`, `1E-7`, `NaN`, `Infinity`.
  var description: String {
    let sign = isNegative ? "-" : ""
    switch kind {
    case .infinity: return sign + "Infinity"
    case .quietNaN: return "NaN"
    case .signalingNaN: return "sNaN"
    case .finite: break
    }
    let digits = String(coefficient)
    let adjusted = exponent + digits.count - 1
    if exponent <= 0, adjusted >= -6 {
      return sign + plain(digits)
    }
    let tail = digits.dropFirst()
    let mantissa = tail.isEmpty ? digits : "\(digits.prefix(1)).\(tail)"
    return "\(sign)\(mantissa)E\(adjusted < 0 ? "-" : "+")\(abs(adjusted))"
  }

  private func plain(_ digits: String) -> String {
    guard exponent < 0 else { return digits }
    let point = digits.count + exponent
    if point > 0 { return "\(digits.prefix(point)).\(digits.dropFirst(point))" }
    return "0." + String(repeating: "0", count: -point) + digits
  }
}

/// Reads the digits of a decimal number; keeps 38 of them and remembers whether others were not zero.
private struct DecimalScanner {
  var coefficient: UInt128 = 0
  var exponent = 0
  var isInexact = false
  private let bytes: [UInt8]
  private var position = 0
  private var kept = 0
  private var digitCount = 0

  init(_ text: Substring.UTF8View) { bytes = Array(text) }

  func scan() -> DecimalScanner? {
    var scanner = self
    return scanner.run() ? scanner : nil
  }

  private mutating func run() -> Bool {
    digits(afterPoint: false)
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      digits(afterPoint: true)
    }
    guard digitCount > 0 else { return false }
    if position < bytes.count {
      guard bytes[position] | 0x20 == UInt8(ascii: "e") else { return false }
      position += 1
      guard let value = Int(String(decoding: bytes[position...], as: UTF8.self)) else { return false }
      exponent += min(max(value, -20_000), 20_000)
    }
    return true
  }

  private mutating func digits(afterPoint: Bool) {
    while position < bytes.count, case let digit = Int(bytes[position]) - 48, 0...9 ~= digit {
      position += 1
      digitCount += 1
      if kept < 38 {
        coefficient = coefficient * 10 + UInt128(digit)
        if coefficient != 0 { kept += 1 }
        if afterPoint { exponent -= 1 }
      } else {
        if digit != 0 { isInexact = true }
        if !afterPoint { exponent += 1 }
      }
    }
  }
}
