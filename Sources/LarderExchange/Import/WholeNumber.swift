/// Reads whole numbers that are written with a point or an exponent, to the last digit.
enum WholeNumber {
  /// Returns the number that a text in JSON's form says, such as `12`, `1.20e1` and `-3.0`; nil if it is no whole number or does not fit.
  static func exactly(_ text: String) -> Int64? {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard let mantissa = parts.first else { return nil }
    let isNegative = mantissa.hasPrefix("-")
    let pieces = mantissa.drop { $0 == "-" || $0 == "+" }.split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = pieces.count == 2 ? pieces[1] : ""
    var digits = (pieces.first ?? "") + fraction
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    digits = digits.drop { $0 == "0" }
    guard !digits.isEmpty else { return 0 }
    guard let exponent = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
    let (scale, isTooSmall) = exponent.subtractingReportingOverflow(fraction.utf8.count)
    guard !isTooSmall else { return nil }
    if scale < 0 {
      guard scale > -digits.utf8.count, digits.suffix(-scale).allSatisfy({ $0 == "0" }) else { return nil }
      digits = digits.dropLast(-scale)
    } else {
      // No number of more digits fits.
      guard scale < 20 else { return nil }
      digits += String(repeating: "0", count: scale)
    }
    return Int64("\(isNegative ? "-" : "")\(digits)")
  }
}
