extension StoredValue {
  /// Returns true if a cell keeps both values as the same bytes. Equal values need not be alike: two zeros, and two decimals of one number.
  package func isStoredAlike(_ other: StoredValue) -> Bool {
    switch (self, other) {
    case (.double(let one), .double(let two)): one.bitPattern == two.bitPattern
    case (.float(let one), .float(let two)): one.bitPattern == two.bitPattern
    case (.string(let one), .string(let two)): one.utf8.elementsEqual(two.utf8)
    case (.decimal128(let one), .decimal128(let two)): one.high == two.high && one.low == two.low
    case (.list(let one), .list(let two)): one.elementsEqual(two) { $0.isStoredAlike($1) }
    case (.dictionary(let one), .dictionary(let two)):
      one.elementsEqual(two) { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isStoredAlike($1.value) }
    default: self == other
    }
  }

  /// The value as an element of a set of a synchronised class has it. Both zeros are one element, which is without a sign whichever came first: else devices that
  /// insert one each would keep different bits for ever.
  var asSetElement: StoredValue {
    switch self {
    case .double(let value) where value == 0: .double(0)
    case .float(let value) where value == 0: .float(0)
    default: self
    }
  }
}
