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

/// What an index says about one value.
package enum IndexedKey: Hashable, Sendable {
  case noIndex
  /// No object has the value.
  case none
  case key(ObjectKey)

  init(_ key: ObjectKey?) { self = key.map { .key($0) } ?? .none }
}

/// Read access to a list.
package protocol ListReading {
  var count: Int { get }
  /// The element at a position; traps outside of `0..<count`. O(log count).
  func value(at position: Int) throws -> StoredValue
  /// Calls `body` with each stored chunk's encoded elements in order and the position of its first element, until it returns false.
  func forEachChunk(_ body: (_ firstPosition: Int, LeafView) throws -> Bool) throws
  /// All elements in order, read chunk by chunk.
  func values() throws -> [StoredValue]
}

extension ListReading {
  package func values() throws -> [StoredValue] {
    var result: [StoredValue] = []
    // What a root counts is believed as its chunks are read.
    result.reserveCapacity(min(count, 1 << 16))
    try forEachChunk { first, leaf in
      for slot in 0..<leaf.count {
        result.append(leaf.isLarge(slot) ? try value(at: first + slot) : try leaf.value(slot))
      }
      return true
    }
    return result
  }
}

/// Read access to a set: its elements without duplicates, in the order of `StoredOrder`.
package protocol SetReading: ListReading {
  /// Where an element is that equals the value, or nil. O(log count).
  func position(of value: StoredValue) throws -> Int?
}

/// Read access to a map: values by key, in bytewise order of the keys.
package protocol MapReading {
  var count: Int { get }
  /// The key at a position; traps outside of `0..<count`. O(log count).
  func key(at position: Int) throws -> String
  /// The value at a position; traps outside of `0..<count`. O(log count).
  func value(at position: Int) throws -> StoredValue
  /// Where a key is, or nil. O(log count).
  func position(of key: String) throws -> Int?
  /// The keys as a list of strings, and the values, each in order of the keys.
  var keys: any ListReading { get }
  var values: any ListReading { get }
}

extension MapReading {
  /// The value of a key, or nil when there is none; a stored nil is `.null`.
  package func value(of key: String) throws -> StoredValue? { try position(of: key).map { try value(at: $0) } }
}

/// Read access to a secondary or primary-key index: pairs of (value, object key) in value order, nulls first.
///
/// Value order is the order of `StoredValue`s of the column's type: numbers by value, strings and data bytewise, dates, UUIDs and
/// ObjectIds by bytes, false before true.
package protocol IndexReading {
  /// False in an encrypted store, whose index holds hashes: then nothing may be asked but what is equal to a value, the number of
  /// entries, and all keys in no order.
  var isOrdered: Bool { get }
  /// Number of objects with this value; walks block headers where whole blocks hold the value.
  func count(equalTo value: StoredValue) throws -> Int
  /// The smallest key with this value, or nil.
  func firstKey(equalTo value: StoredValue) throws -> ObjectKey?
  /// Keys of the objects with this value, ascending.
  func keys(equalTo value: StoredValue) throws -> [ObjectKey]
  /// Keys of the objects whose value lies in the bounds, in (value, key) order; nulls are never included.
  func keys(from lower: IndexBound, to upper: IndexBound) throws -> [ObjectKey]
  /// Number of objects in the bounds.
  func count(from lower: IndexBound, to upper: IndexBound) throws -> Int
  /// Visits all keys in (value, key) order, nulls first, or wholly reversed, until `body` returns false.
  func forEach(descending: Bool, _ body: (ObjectKey) throws -> Bool) throws
  /// Visits the keys in the bounds in rising or falling order of values, those of equal values always in rising order,
  /// until `body` returns false. Nulls, if they are asked for, come first, or last when falling.
  func forEachSorted(
    from lower: IndexBound, to upper: IndexBound, withNulls: Bool, descending: Bool,
    _ body: (ObjectKey) throws -> Bool) throws
  /// How many entries may lie in the bounds: never too few, some number above `limit` when there are more than that.
  func count(from lower: IndexBound, to upper: IndexBound, limit: Int) throws -> Int
  /// Number of entries.
  func entryCount() throws -> Int
}

/// An end of an index range.
package enum IndexBound {
  case unbounded
  case inclusive(StoredValue)
  case exclusive(StoredValue)
}
