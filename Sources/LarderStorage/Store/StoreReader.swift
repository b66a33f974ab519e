import LarderLMDB

/// Everything that can be read at one version of a store; the same for a snapshot and for the write transaction.
///
/// A `Snapshot` may be read by any number of threads at once. A `StoreWriter` belongs to the code that began it.
/// Leaves and views returned are valid while the reader lives and, from a writer, until its next change.
package protocol StoreReader: AnyObject {
  var schema: StoreSchema { get }
  /// The store's own version counter (L-1). In a writer: the version its commit will have.
  var version: UInt64 { get }
  /// K: objects per cluster. `cluster = key / K`, `slot = key % K`.
  var clusterSize: Int { get }

  /// Has everything written that reading might write, so that no view is lost by what is read beside it.
  func settle() throws

  /// Number of live objects of a class. O(1).
  func count(of classID: ClassID) throws -> Int
  /// Number of clusters ever begun: live objects have `cluster < clusterCount`.
  func clusterCount(of classID: ClassID) throws -> Int
  /// The clusters that may hold objects: at most a few times as many as do, however many were ever begun.
  func liveClusters(of classID: ClassID) throws -> LiveClusters
  /// Presence bitmap of a cluster (a bits leaf: bit set = the slot holds an object), nil when it holds no objects.
  func presence(_ classID: ClassID, cluster: Int) throws -> LeafView?
  /// Encoded leaf of a scalar or to-one column in one cluster, its checksum verified on first touch.
  /// Nil when no leaf is stored: then every present object has nil there (optional) or the type's zero (required).
  func leaf(_ classID: ClassID, _ column: ColumnID, cluster: Int) throws -> LeafView?

  func contains(_ classID: ClassID, _ key: ObjectKey) throws -> Bool
  /// A scalar or to-one value; throws `noSuchObject` for a missing object. A link to a missing object reads `.null`.
  func value(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> StoredValue
  /// Returns true if links may lead to objects of a class that are not here. O(log n), for synced classes only.
  func hasGhosts(of classID: ClassID) throws -> Bool
  /// The bytes of a value that is too large for its leaf (`LeafView.isLarge`).
  func largeValue(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> [UInt8]
  /// A list's contents at this version; of a set its elements in order, of a map its values in order of the keys.
  func list(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any ListReading
  /// A set's contents at this version; throws `.typeMismatch` for another kind of column.
  func set(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any SetReading
  /// A map's contents at this version; throws `.typeMismatch` for another kind of column.
  func map(_ classID: ClassID, _ column: ColumnID, _ key: ObjectKey) throws -> any MapReading
  /// The index of a column that has one (`hasIndex`), else nil.
  func index(_ classID: ClassID, _ column: ColumnID) throws -> (any IndexReading)?
  /// The smallest key with a value in an indexed column: the look-up without a view.
  func indexedKey(_ classID: ClassID, _ column: ColumnID, equalTo value: StoredValue) throws -> IndexedKey
  /// Number of objects with a value in a column; nil where that has no index.
  func indexedCount(_ classID: ClassID, _ column: ColumnID, equalTo value: StoredValue) throws -> Int?
  /// The index over several columns with that number in its class (`ClassDescriptor.indexes`), or nil.
  func index(_ classID: ClassID, composite id: UInt16) throws -> CompositeIndexView?
  /// The full-text index of a column that has one (`isFullText`), else nil.
  func textIndex(_ classID: ClassID, _ column: ColumnID) throws -> TextIndexView?
  /// Keys of the objects that link to `target` through the given column, ascending, once for each link.
  func backlinks(to target: ObjectLink, from origin: ClassID, _ column: ColumnID) throws -> [ObjectKey]
  /// The backlinks from a column to objects of a class, for any number of look-ups by one thread until the next change.
  func backlinks(to target: ClassID, from origin: ClassID, _ column: ColumnID) throws -> BacklinkView?
  /// The object with that primary key value, or nil.
  func object(_ classID: ClassID, primaryKey: StoredValue) throws -> ObjectKey?
}

extension StoreReader {
  package func settle() throws {}
}

extension StoreReader {
  package func indexedKey(
    _ classID: ClassID, _ column: ColumnID, equalTo value: StoredValue
  ) throws -> IndexedKey {
    guard let index = try index(classID, column) else { return .noIndex }
    return IndexedKey(try index.firstKey(equalTo: value))
  }

  package func indexedCount(_ classID: ClassID, _ column: ColumnID, equalTo value: StoredValue) throws -> Int? {
    try index(classID, column)?.count(equalTo: value)
  }
}
