import Foundation

/// An index over several columns as queries see it: values of the columns in, object keys out.
///
/// To its tree a tuple of values is one value of a data column (`IndexTuple`), so long ones are cut and checked again.
package struct CompositeIndexView {
  package let columns: [ColumnDescriptor]
  private let view: IndexView

  /// - Parameter value: the value of an object in a column.
  init(
    _ reader: PairReader, columns: [ColumnDescriptor],
    value: @escaping (ObjectKey, ColumnDescriptor) throws -> StoredValue
  ) {
    self.columns = columns
    view = IndexView(reader, type: .data) { key in
      .data(Data(try IndexTuple.bytes(try columns.map { try value(key, $0) }, columns)))
    }
  }

  /// False in an encrypted store: then it knows nothing but the objects that have given values in all columns.
  package var isOrdered: Bool { view.isOrdered }

  /// Keys of the objects that have these values in all columns or in the first ones, in order of the further values, then of
  /// keys.
  ///
  /// - Throws: `.typeMismatch` for a value of another type than its column's.
  package func keys(equalTo values: [StoredValue]) throws -> [ObjectKey] {
    let prefix = try IndexTuple.bytes(values, columns)
    if values.count == columns.count { return try view.keys(equalTo: .data(Data(prefix))) }
    return try keys(from: prefix, to: IndexTuple.end(of: prefix))
  }

  /// Number of the objects that have these values in all columns or in the first ones.
  package func count(equalTo values: [StoredValue]) throws -> Int {
    let prefix = try IndexTuple.bytes(values, columns)
    if values.count == columns.count { return try view.count(equalTo: .data(Data(prefix))) }
    return try view.count(
      from: .inclusive(.data(Data(prefix))), to: .exclusive(.data(Data(IndexTuple.end(of: prefix)))))
  }

  /// Keys of the objects that have these values in the first columns and one within the bounds in the next, in order of values;
  /// nil is in no bounds.
  package func keys(
    equalTo values: [StoredValue], from lower: IndexBound, to upper: IndexBound
  ) throws -> [ObjectKey] {
    let (start, end) = try limits(equalTo: values, from: lower, to: upper)
    return try keys(from: start, to: end)
  }

  /// Returns the number of those that may be in the bounds: never too few, some number above `limit` when there are more than that.
  package func count(
    equalTo values: [StoredValue], from lower: IndexBound, to upper: IndexBound, limit: Int = .max
  ) throws -> Int {
    let (start, end) = try limits(equalTo: values, from: lower, to: upper)
    guard start.lexicographicallyPrecedes(end) else { return 0 }
    return try view.count(from: .inclusive(.data(Data(start))), to: .exclusive(.data(Data(end))), limit: limit)
  }

  /// Visits the objects that have these values in the first columns in ascending or descending order of the further ones, those with
  /// equal values always in ascending order of keys, until `body` returns false.
  package func forEachSorted(
    equalTo values: [StoredValue], descending: Bool, _ body: (ObjectKey) throws -> Bool
  ) throws {
    let prefix = try IndexTuple.bytes(values, columns)
    try view.forEachSorted(
      from: .inclusive(.data(Data(prefix))), to: .exclusive(.data(Data(IndexTuple.end(of: prefix)))), withNulls: false,
      descending: descending, body)
  }

  /// The byte strings between which the tuples are: the first one is included.
  private func limits(
    equalTo values: [StoredValue], from lower: IndexBound, to upper: IndexBound
  ) throws -> (start: [UInt8], end: [UInt8]) {
    guard values.count < columns.count else {
      throw StorageError(
        .typeMismatch, "The index has \(columns.count) columns; there is none after \(values.count) values.")
    }
    let prefix = try IndexTuple.bytes(values, columns)
    let next = columns[values.count]
    func with(_ value: StoredValue) throws -> [UInt8] {
      var bytes = prefix
      try IndexTuple.append(value, next, &bytes)
      return bytes
    }
    let start =
      switch lower {
      case .unbounded: prefix + [1]
      case .inclusive(let value): try with(value)
      case .exclusive(let value): IndexTuple.end(of: try with(value))
      }
    let end =
      switch upper {
      case .unbounded: IndexTuple.end(of: prefix)
      case .inclusive(let value): IndexTuple.end(of: try with(value))
      case .exclusive(let value): try with(value)
      }
    return (max(start, prefix + [1]), end)
  }

  private func keys(from start: [UInt8], to end: [UInt8]) throws -> [ObjectKey] {
    guard start.lexicographicallyPrecedes(end) else { return [] }
    return try view.keys(from: .inclusive(.data(Data(start))), to: .exclusive(.data(Data(end))))
  }

  /// Visits all keys in order of values and keys, or wholly reversed, until `body` returns false.
  package func forEach(descending: Bool, _ body: (ObjectKey) throws -> Bool) throws {
    try view.forEach(descending: descending, body)
  }

  package func entryCount() throws -> Int { try view.entryCount() }
}

private func max(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { a.lexicographicallyPrecedes(b) ? b : a }
