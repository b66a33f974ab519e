import CLMDB
import Foundation

/// The entry that a cursor is at after a move; nil when there is none.
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
  /// Moves on; to the first entry when the cursor stood nowhere. `MDB_NEXT`.
  func next() throws -> Entry?
  /// Moves back; to the last entry when the cursor stood nowhere. `MDB_PREV`.
  func previous() throws -> Entry?
  /// The entry it is on; nil when it is on none. `MDB_GET_CURRENT`.
  func current() throws -> Entry?
}

/// A cursor of a read transaction. It keeps its transaction alive and may be used by one thread at a time.
package final class ReadCursor: CursorReading {
  private let handle: OpaquePointer
  private let transaction: ReadTransaction
  private let table: Table
  private let purpose: CursorPurpose
  /// The value it is on, where it keeps none.
  private var held: OpenedValue?

  init(_ transaction: ReadTransaction, _ table: Table, purpose: CursorPurpose = .reading) throws {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(transaction.live(), table.handle, &cursor), "mdb_cursor_open")
    guard let cursor else { throw LMDBError(.outOfMemory, "mdb_cursor_open") }
    self.handle = cursor
    self.transaction = transaction
    self.table = table
    self.purpose = purpose
  }

  deinit { mdb_cursor_close(handle) }

  @inline(__always)
  private func live() throws -> OpaquePointer {
    try transaction.environment.checkProcess("cursor")
    return handle
  }

  @inline(__always)
  private func opened(_ entry: Entry?) throws -> Entry? {
    guard let opened = transaction.opened, let entry else { return entry }
    guard opened.sealing.seals(table, entry.key.buffer) else { return entry }
    if case .reading = purpose {
      return Entry(key: entry.key, value: try opened.open(entry.value, table, entry.key.buffer))
    }
    let value = try opened.sealing.openAnew(entry.value, table, entry.key.buffer, for: purpose)
    held = value
    return Entry(key: entry.key, value: value.view)
  }

  package func seek(_ key: KeyBytes) throws -> Entry? { try opened(moveCursor(live(), key, MDB_SET_RANGE)) }
  package func find(_ key: KeyBytes) throws -> Entry? { try opened(moveCursor(live(), key, MDB_SET_KEY)) }
  package func first() throws -> Entry? { try opened(moveCursor(live(), MDB_FIRST)) }
  package func last() throws -> Entry? { try opened(moveCursor(live(), MDB_LAST)) }
  package func next() throws -> Entry? { try opened(moveCursor(live(), MDB_NEXT)) }
  package func previous() throws -> Entry? { try opened(moveCursor(live(), MDB_PREV)) }
  package func current() throws -> Entry? { try opened(moveCursor(live(), MDB_GET_CURRENT)) }
}

/// A cursor of a write transaction. Entries it returns are valid until the next change.
package final class WriteCursor: CursorReading {
  private let handle: OpaquePointer
  private let transaction: WriteTransaction
  private let table: Table
  private let serial: Int
  private let purpose: CursorPurpose
  /// The value it is on, where it keeps none.
  private var held: OpenedValue?

  init(handle: OpaquePointer, table: Table, transaction: WriteTransaction, purpose: CursorPurpose) {
    self.purpose = purpose
    self.handle = handle
    self.table = table
    self.transaction = transaction
    serial = transaction.serial
  }

  // LMDB frees the cursors of a write transaction at its end; closing one later would be a use after free.
  deinit { if transaction.mayClose(serial) { mdb_cursor_close(handle) } }

  package func seek(_ key: KeyBytes) throws -> Entry? { try opened(moveCursor(live(), key, MDB_SET_RANGE)) }
  package func find(_ key: KeyBytes) throws -> Entry? { try opened(moveCursor(live(), key, MDB_SET_KEY)) }
  package func first() throws -> Entry? { try opened(moveCursor(live(), MDB_FIRST)) }
  package func last() throws -> Entry? { try opened(moveCursor(live(), MDB_LAST)) }
  package func next() throws -> Entry? { try opened(moveCursor(live(), MDB_NEXT)) }
  package func previous() throws -> Entry? { try opened(moveCursor(live(), MDB_PREV)) }
  package func current() throws -> Entry? { try opened(moveCursor(live(), MDB_GET_CURRENT)) }

  /// Removes the entry the cursor is on; the cursor then is on the one after it. `mdb_cursor_del`.
  package func delete() throws {
    let result = mdb_cursor_del(try live(), 0)
    if result != 0 { throw transaction.failure(result, "mdb_cursor_del") }
    transaction.forgetOpened()
  }

  @inline(__always)
  private func opened(_ entry: Entry?) throws -> Entry? {
    guard let sealing = transaction.sealing, let entry else { return entry }
    guard sealing.seals(table, entry.key.buffer) else { return entry }
    if case .reading = purpose {
      return Entry(key: entry.key, value: try transaction.open(entry.value, sealing, table, entry.key.buffer))
    }
    let value = try sealing.openAnew(entry.value, table, entry.key.buffer, for: purpose)
    held = value
    return Entry(key: entry.key, value: value.view)
  }

  @inline(__always)
  private func live() throws -> OpaquePointer {
    try transaction.verify(serial)
    return handle
  }
}

@inline(__always)
func moveCursor(_ handle: OpaquePointer, _ key: KeyBytes, _ operation: MDB_cursor_op) throws -> Entry? {
  try key.withBytes { bytes in
    guard isPossibleKey(bytes.count) else { throw badKeySize(bytes.count, "mdb_cursor_get") }
    var name = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    var value = MDB_val()
    let result = mdb_cursor_get(handle, &name, &value, operation)
    return try entry(result, name, value)
  }
}

@inline(__always)
func moveCursor(_ handle: OpaquePointer, _ operation: MDB_cursor_op) throws -> Entry? {
  var name = MDB_val()
  var value = MDB_val()
  let result = mdb_cursor_get(handle, &name, &value, operation)
  // EINVAL: the current entry of a cursor that stands nowhere.
  if result == EINVAL && operation == MDB_GET_CURRENT { return nil }
  return try entry(result, name, value)
}

@inline(__always)
private func entry(_ result: Int32, _ name: MDB_val, _ value: MDB_val) throws -> Entry? {
  if result == MDB_NOTFOUND { return nil }
  try check(result, "mdb_cursor_get")
  return Entry(
    key: ByteView(base: name.mv_data, count: name.mv_size),
    value: ByteView(base: value.mv_data, count: value.mv_size))
}
