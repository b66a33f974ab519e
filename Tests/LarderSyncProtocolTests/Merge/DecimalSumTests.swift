@testable import LarderSyncProtocol
import Testing

@Suite("Sums of decimals")
struct DecimalSumTests {
  @Test(
    "sums have 34 digits, rounded half to even, and the smaller exponent",
    arguments: [
      (SyncDecimal(1), SyncDecimal(2, exponent: -3), "1002E-3"),
      (SyncDecimal(1, exponent: -2), SyncDecimal(1, exponent: -2, isNegative: true), "0E-2"),
      (MergeVector.nines, SyncDecimal(1), "1000000000000000000000000000000000E1"),
      (MergeVector.nines, SyncDecimal(5, exponent: -1), "1000000000000000000000000000000000E1"),
      (MergeVector.nines, SyncDecimal(4, exponent: -1), "9999999999999999999999999999999999"),
      (SyncDecimal(high: .max, low: 3), SyncDecimal(1), "none"),
    ])
  func sum(_ left: SyncDecimal, _ right: SyncDecimal, _ expected: String) {
    #expect((left + right).text == expected)
    #expect(left + right == right + left)
  }

  @Test("MR-8: an author takes over a sum that was rounded in another order, and one of other numbers than its own")
  func results() {
    var object = VectorObject()
    _ = MergeVector.decimals.first { $0.id == "D15" }?.run(&object)
    #expect(object.results == [.plain, .plain, .plain])
    var other = VectorObject()
    _ = MergeVector.decimals.first { $0.id == "D16" }?.run(&other)
    #expect(other.results == [.plain, .plain, .echo])
    #expect(other.state.encoded() == object.state.encoded())
    var mixed = VectorObject()
    _ = MergeVector.decimals.first { $0.id == "D17" }?.run(&mixed)
    #expect(mixed.results == [.plain, .plain, .echo])
  }

  @Test("MR-8, MR-22: trimming makes one of many adds, unless rounding would show")
  func trimmed() {
    var (many, one) = (VectorObject(), VectorObject())
    for time in 10..<20 as Range<UInt64> { many.add(.a, time, SyncDecimal(1, exponent: -1)) }
    one.add(.a, 19, SyncDecimal(10, exponent: -1))
    for _ in 0..<2 {
      many.create(.a, 1, decimal: SyncDecimal(5))
      one.create(.a, 1, decimal: SyncDecimal(5))
    }
    many.state.trim()
    one.state.trim()
    #expect(many.state.encoded() == one.state.encoded())
    #expect(many.state.value(of: "d") == .decimal(SyncDecimal(60, exponent: -1)))

    var rounded = VectorObject()
    _ = MergeVector.decimals.first { $0.id == "D15" }?.run(&rounded)
    let before = rounded.state.value(of: "d")
    rounded.state.trim()
    #expect(rounded.state.value(of: "d") == before)
  }
}
