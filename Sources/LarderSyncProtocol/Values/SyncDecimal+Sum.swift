import CDecimal

extension SyncDecimal {
  /// The sum, rounded half to even to 34 digits: what stores compute as well. Because of the rounding the order of several additions matters.
  public static func + (lhs: SyncDecimal, rhs: SyncDecimal) -> SyncDecimal {
    // Flags that nothing asks for.
    var flags: UInt32 = 0
    let sum = __bid128_add(lhs.quad, rhs.quad, halfToEven, &flags)
    return SyncDecimal(high: sum.w.1, low: sum.w.0)
  }

  private static let halfToEven: UInt32 = 0

  private var quad: BID_UINT128 { BID_UINT128(w: (low, high)) }
}
