@testable import LarderSyncProtocol

extension SyncDecimal {
  /// A number by its digits, of which there are at most 34, and an exponent of ten.
  init(_ coefficient: UInt128, exponent: Int = 0, isNegative: Bool = false) {
    let sign: UInt64 = isNegative ? 1 << 63 : 0
    self.init(
      high: sign | UInt64(exponent + Self.bias) << 49 | UInt64(coefficient >> 64),
      low: UInt64(truncatingIfNeeded: coefficient))
  }

  private static let bias = 6_176

  /// Digits and exponent: `535E-2` is 5.35.
  var text: String {
    guard high >> 61 & 3 != 3 else { return "none" }
    let coefficient = UInt128(high & (1 << 49 - 1)) << 64 | UInt128(low)
    let exponent = Int(high >> 49 & 0x3FFF) - Self.bias
    return (high >> 63 == 1 ? "-" : "") + "\(coefficient)" + (exponent == 0 ? "" : "E\(exponent)")
  }
}
