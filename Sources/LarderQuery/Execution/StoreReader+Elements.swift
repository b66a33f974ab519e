import LarderStorage

extension StoreReader {
  /// The elements of a list or set, or the values of a map, in the collection's order.
  package func elements(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any ListReading {
    switch try descriptor(classID, column).collection {
    case .set: try set(classID, column, key)
    case .map: try map(classID, column, key).values
    case .list, .none: try list(classID, column, key)
    }
  }
}
