extension StoredValue {
  /// Two numbers of one type added up, integers or decimals; the second one where there is no first.
  ///
  /// - Throws: `.valueTooLarge` for a sum of integers beyond 64 bits, `.typeMismatch` for other types.
  static func sum(_ first: StoredValue?, _ second: StoredValue) throws -> StoredValue {
    switch (first, second) {
    case (nil, .int), (nil, .decimal128): return second
    case (.int(let first), .int(let second)):
      let (sum, isTooLarge) = first.addingReportingOverflow(second)
      guard !isTooLarge else {
        throw StorageError(.valueTooLarge, "\(first) and \(second) add up to more than an integer of 64 bits can hold.")
      }
      return .int(sum)
    case (.decimal128(let first), .decimal128(let second)):
      return .decimal128((DecimalNumber(first) + DecimalNumber(second)).bits)
    default: throw StorageError(.typeMismatch, "Only integers and decimals can be added to, by a number of their type.")
    }
  }
}
