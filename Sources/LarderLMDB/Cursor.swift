import CLMDB
import Foundation

/// Where a cursor stands after a move: its entry, or nil when there is none.
package struct Entry {
  package let key: ByteView
  package let value: ByteView
}

/// A position in a table that reads go through; the same for read and write transactions.
package protocol CursorReading: AnyObject {
  /// Moves to the first entry whose key is at or after `key`. `MDB_SET_RANGE`.
  func seek(_ key: KeyBytes) throws -> Entry?
  /// Moves to the entry with exactly this key. `MDB_SET_KEY`.
  func find(_ key: KeyBytes) throws -> Entry?
  func first() throws -> Entry?
  func last() throws -> Entry?
  func next() throws -> Entry?
  func previous() throws -> Entry?
  func current() throws -> Entry?
}

/// A cursor of a read transaction. It keeps its transaction alive and may be used by one thread at a time.
package final class ReadCursor: CursorReading {
  private let handle: OpaquePointer
  private let transaction: ReadTransaction

  init(_ transaction: ReadTransaction, _ table: Table) throws {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction.handle, table.handle, &cursor), "mdb_cursor_open")
    self.handle = cursor!
    self.transaction = transaction
  }

  deinit { mdb_cursor_close(handle) }

  package func seek(_ key: KeyBytes) throws -> Entry? { try moveCursor(handle, key, MDB_SET_RANGE) }
  package func find(_ key: KeyBytes) throws -> Entry? { try moveCursor(handle, key, MDB_SET_KEY) }
  package func first() throws -> Entry? { try moveCursor(handle, MDB_FIRST) }
  package func last() throws -> Entry? { try moveCursor(handle, MDB_LAST) }
  package func next() throws -> Entry? { try moveCursor(handle, MDB_NEXT) }
  package func previous() throws -> Entry? { try moveCursor(handle, MDB_PREV) }
  package func current() throws -> Entry? { try moveCursor(handle, MDB_GET_CURRENT) }
}

func moveCursor(_ handle: OpaquePointer, _ key: KeyBytes, _ operation: MDB_cursor_op) throws -> Entry? {
  try key.withBytes { bytes in
    var name = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    var value = MDB_val()
    let result = mdb_cursor_get(handle, &name, &value, operation)
    if result == MDB_NOTFOUND { return nil }
    try check(result, "mdb_cursor_get")
    return Entry(
      key: ByteView(base: name.mv_data, count: name.mv_size),
      value: ByteView(base: value.mv_data, count: value.mv_size))
  }
}

func moveCursor(_ handle: OpaquePointer, _ operation: MDB_cursor_op) throws -> Entry? {
  var name = MDB_val()
  var value = MDB_val()
  let result = mdb_cursor_get(handle, &name, &value, operation)
  if result == MDB_NOTFOUND || result == EINVAL { return nil }
  try check(result, "mdb_cursor_get")
  return Entry(
    key: ByteView(base: name.mv_data, count: name.mv_size),
    value: ByteView(base: value.mv_data, count: value.mv_size))
}
