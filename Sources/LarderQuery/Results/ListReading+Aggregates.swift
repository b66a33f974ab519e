import LarderStorage

extension ListReading {
  /// Sum, smallest, largest or average of numbers, read chunk by chunk without making values of them; nil for types that are no numbers of
  /// 32 or 64 bits, whose values the caller takes. Null where there is nothing but nil and NaN. About 1 ns an element.
  package func aggregate(_ aggregate: AggregateOperator, of type: ColumnType) throws -> StoredValue? {
    switch type {
    case .int, .float, .double: break
    default: return nil
    }
    var fold = NumericFold(.init(aggregate))
    try forEachChunk { _, leaf in
      fold.add(leaf)
      return true
    }
    return fold.count == 0 ? .null : fold.answer(aggregate, type)
  }
}
