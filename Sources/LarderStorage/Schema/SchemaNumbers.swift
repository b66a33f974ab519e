/// Gives classes and columns their numbers, none twice, and none that `SchemaRecord` refuses to read.
package struct SchemaNumbers {
  /// The greatest number of classes of a store, and of columns of a class, in the lifetime of the store.
  package static let countLimit = Int(SchemaRecord.numberLimit) - 2

  /// The highest numbers that were given out, by class for columns.
  private var lastClass: UInt16 = 0
  private var lastColumn: [ClassID: UInt16] = [:]

  /// A number that no class has had.
  ///
  /// - Throws: `.invalidSchema` when there is none left.
  mutating func give(toClass name: String, from next: UInt16) throws -> ClassID {
    let number = max(next, lastClass + 1)
    guard number <= Self.countLimit else {
      throw StorageError(
        .invalidSchema,
        "There is no room for the class '\(name)': a store has at most \(Self.countLimit) classes in its lifetime, deleted ones "
          + "included. Copy the objects to a new store.", className: name)
    }
    lastClass = number
    return ClassID(rawValue: number)
  }

  /// A number that no column of the class has had.
  ///
  /// - Throws: `.invalidSchema` when there is none left.
  mutating func give(toColumn name: String, of owner: ClassDescriptor, from next: UInt16) throws -> ColumnID {
    let number = max(next, (lastColumn[owner.id] ?? 0) + 1)
    guard number <= Self.countLimit else {
      throw StorageError(
        .invalidSchema,
        "There is no room for '\(owner.name).\(name)': a class has at most \(Self.countLimit) properties in the lifetime of a store, "
          + "deleted ones included. Declare fewer, or copy the objects to a new store.", className: owner.name,
        property: name)
    }
    lastColumn[owner.id] = number
    return ColumnID(rawValue: number)
  }
}
