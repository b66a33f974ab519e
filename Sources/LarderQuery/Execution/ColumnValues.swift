import LarderStorage

/// Reads values of one column for keys in any order, keeping the leaves it has seen: for readers that go object by object.
///
/// Belongs to one thread. The reader must not change meanwhile.
package final class ColumnValues {
  private let access: ColumnAccess

  /// Throws `StorageError` for a column that the class does not have.
  package init(_ reader: any StoreReader, _ classID: ClassID, _ column: ColumnID) throws {
    access = try ColumnAccess(ExecutionContext(reader), classID, column)
  }

  package var column: ColumnDescriptor { access.column }

  /// The value of objects that no leaf has one of.
  package var initial: StoredValue { access.initial }

  /// The value of an object that exists; links only as far as they lead to an object.
  package func value(_ key: ObjectKey) throws -> StoredValue {
    // A link to an object that was deleted reads as nil, as do those in values of any type.
    guard !access.column.holdsLinks else {
      return try access.context.reader.value(access.classID, access.column.id, key)
    }
    return try access.value(key.rawValue)
  }

  /// The leaf with the values of a key and its neighbours, and the first key that it has a place for; its links may lead to deleted
  /// objects. Valid as long as the reader.
  package func leaf(of key: UInt64) throws -> (first: UInt64, leaf: LeafView?) {
    let size = UInt64(access.context.clusterSize)
    let cluster = key / size
    return (cluster * size, try access.leaf(Int(truncatingIfNeeded: min(cluster, UInt64(UInt32.max)))))
  }
}
