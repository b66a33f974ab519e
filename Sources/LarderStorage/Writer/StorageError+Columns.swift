/// Errors of values and positions that do not fit a column.
extension StorageError {
  static func notSingle(_ owner: ClassDescriptor, _ column: ColumnDescriptor) -> StorageError {
    StorageError(
      .typeMismatch, "'\(owner.name).\(column.name)' is a collection; change its elements.", className: owner.name,
      property: column.name)
  }

  static func outOfBounds(
    _ position: Int, _ count: Int, _ owner: ClassDescriptor, _ column: ColumnDescriptor
  ) -> StorageError {
    StorageError(
      .indexOutOfRange, "Index \(position) is out of bounds (count \(count)) in '\(owner.name).\(column.name)'.",
      className: owner.name, property: column.name)
  }
}
