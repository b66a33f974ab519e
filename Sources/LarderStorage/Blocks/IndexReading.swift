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
  /// Keys of the objects whose value is in the bounds, in (value, key) order; nulls are never included.
  func keys(from lower: IndexBound, to upper: IndexBound) throws -> [ObjectKey]
  /// Number of objects in the bounds.
  func count(from lower: IndexBound, to upper: IndexBound) throws -> Int
  /// Visits all keys in (value, key) order, nulls first, or wholly reversed, until `body` returns false.
  func forEach(descending: Bool, _ body: (ObjectKey) throws -> Bool) throws
  /// Visits the keys in the bounds in ascending or descending order of values, those of equal values always in ascending order,
  /// until `body` returns false. Nulls, if they are asked for, come first, or last when descending.
  func forEachSorted(
    from lower: IndexBound, to upper: IndexBound, withNulls: Bool, descending: Bool,
    _ body: (ObjectKey) throws -> Bool) throws
  /// Returns the number of entries that may be in the bounds: never too few, some number above `limit` when there are more than that.
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

/// The answer of an index about one value.
package enum IndexedKey: Hashable, Sendable {
  case noIndex
  /// No object has the value.
  case none
  case key(ObjectKey)

  init(_ key: ObjectKey?) { self = key.map { .key($0) } ?? .none }
}
