@testable import LarderSyncProtocol

extension MergeVector {
  /// A vector over the decimal `d` of an object.
  private static func decimal(
    _ id: String, _ expected: String, _ run: @escaping @Sendable (inout VectorObject) -> Void
  ) -> MergeVector {
    MergeVector(id, expected) { object in
      run(&object)
      guard case .decimal(let value) = object.state.value(of: "d") else { return "-" }
      return value.text
    }
  }

  /// 34 nines: what is added to it is rounded.
  static let nines = SyncDecimal(9_999_999_999_999_999_999_999_999_999_999_999)

  /// Sums of decimals, with T11 to T14 as their pattern.
  static let decimals = [
    decimal("D11", "535E-2") {
      $0.create(.a, 1, decimal: SyncDecimal(500, exponent: -2))
      $0.add(.a, 10, SyncDecimal(10, exponent: -2)); $0.add(.b, 12, SyncDecimal(25, exponent: -2))
    },
    decimal("D12", "1045E-1") {
      $0.create(.a, 1, decimal: SyncDecimal(5))
      $0.add(.a, 10, SyncDecimal(3)); $0.add(.b, 14, SyncDecimal(45, exponent: -1))
      $0.set(.a, 12, "d", .decimal(SyncDecimal(100)))
    },
    decimal("D13", "10") {
      $0.create(.a, 1, decimal: SyncDecimal(7), rank: .byDefault); $0.add(.b, 12, SyncDecimal(3))
      $0.create(.c, 20, decimal: SyncDecimal(7), rank: .byDefault)
    },
    decimal("D14", "7") {
      $0.create(.a, 1, decimal: SyncDecimal(5)); $0.add(.a, 10, SyncDecimal(3)); $0.apply(.a, 11, .delete)
      $0.create(.a, 12, decimal: SyncDecimal(7), rank: .byDefault)
    },
    // One after the other in the order of stamps: 1E34 is rounded, and 4 less than that is not.
    decimal("D15", "9999999999999999999999999999999996") {
      $0.create(.a, 1, decimal: nines)
      $0.add(.a, 10, SyncDecimal(4)); $0.add(.b, 12, SyncDecimal(4, isNegative: true))
    },
    decimal("D16", "9999999999999999999999999999999996") {
      $0.create(.a, 1, decimal: nines)
      $0.add(.b, 12, SyncDecimal(4, isNegative: true)); $0.add(.a, 10, SyncDecimal(4))
    },
    decimal("D17", "8") {
      $0.create(.a, 1, decimal: SyncDecimal(5)); $0.add(.a, 10, SyncDecimal(3))
      $0.apply(.b, 12, .add(SyncPath("d"), .int(4)))
    },
    // Two devices create the object and count up, each in one transaction, and one of them assigns.
    decimal("D71", "120E-1") {
      $0.create(.a, 10, decimal: SyncDecimal(0)); $0.add(.a, 11, SyncDecimal(50, exponent: -1))
      $0.create(.b, 20, decimal: SyncDecimal(0)); $0.add(.b, 21, SyncDecimal(7))
    },
    decimal("D74", "7") {
      $0.create(.b, 20, decimal: SyncDecimal(0)); $0.add(.b, 21, SyncDecimal(7))
      $0.create(.a, 10, decimal: SyncDecimal(0)); $0.add(.a, 11, SyncDecimal(5))
      $0.set(.a, 15, "d", .decimal(SyncDecimal(100)))
    },
  ]
}
