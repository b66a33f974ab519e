import CLMDB
import Foundation

/// The write transaction of an environment: begun, used and ended on one OS thread.
///
/// Dropping it without `commit()` aborts it. Mirrors `mdb_txn_begin`, `mdb_put`, `mdb_del`, `mdb_txn_commit`.
package final class WriteTransaction {
  private var handle: OpaquePointer?
  package let environment: Environment
  package let transactionID: UInt64
  private let thread: pthread_t

  init(handle: OpaquePointer, environment: Environment) {
    self.handle = handle
    self.environment = environment
    self.transactionID = UInt64(mdb_txn_id(handle))
    self.thread = pthread_self()
  }

  deinit { abort() }

  private func live() throws -> OpaquePointer {
    guard let handle else { throw LMDBError(.badTransaction, "write", detail: "the transaction has ended") }
    guard pthread_equal(thread, pthread_self()) != 0 else {
      throw LMDBError(.badTransaction, "write", detail: "a write transaction belongs to the thread that began it")
    }
    return handle
  }

  /// The value stored under a key, or nil; valid until the next change. `mdb_get`.
  package func get(_ table: Table, _ key: KeyBytes) throws -> ByteView? { try getValue(live(), table, key) }

  /// Stores a value. With `append`, the key must be above every key of the table. `mdb_put`.
  package func put(_ table: Table, _ key: KeyBytes, _ value: UnsafeRawBufferPointer, append: Bool = false) throws {
    let handle = try live()
    try key.withBytes { bytes in
      var name = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      var data = MDB_val(mv_size: value.count, mv_data: UnsafeMutableRawPointer(mutating: value.baseAddress))
      try check(mdb_put(handle, table.handle, &name, &data, append ? UInt32(MDB_APPEND) : 0), "mdb_put")
    }
  }

  /// Stores a value given as an array.
  package func put(_ table: Table, _ key: KeyBytes, _ value: [UInt8], append: Bool = false) throws {
    try value.withUnsafeBytes { try put(table, key, $0, append: append) }
  }

  /// Removes an entry; false when there was none. `mdb_del`.
  @discardableResult
  package func delete(_ table: Table, _ key: KeyBytes) throws -> Bool {
    let handle = try live()
    return try key.withBytes { bytes in
      var name = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      let result = mdb_del(handle, table.handle, &name, nil)
      if result == MDB_NOTFOUND { return false }
      try check(result, "mdb_del")
      return true
    }
  }

  /// A cursor that reads this transaction's state. It must not outlive the transaction.
  package func cursor(_ table: Table) throws -> WriteCursor {
    var cursor: OpaquePointer?
    try check(mdb_cursor_open(live(), table.handle, &cursor), "mdb_cursor_open")
    return WriteCursor(handle: cursor!, transaction: self)
  }

  package func statistics(_ table: Table) throws -> TableStatistics { try tableStatistics(live(), table) }

  /// Makes every change durable and visible, and ends the transaction. `mdb_txn_commit`.
  package func commit() throws {
    let handle = try live()
    self.handle = nil
    defer { environment.writeEnded() }
    try check(mdb_txn_commit(handle), "mdb_txn_commit")
  }

  /// Drops every change and ends the transaction; harmless when it has ended. `mdb_txn_abort`.
  package func abort() {
    guard let handle else { return }
    self.handle = nil
    mdb_txn_abort(handle)
    environment.writeEnded()
  }

  var isLive: Bool { handle != nil }
}

/// A cursor of a write transaction. Entries it returns are valid until the next change.
package final class WriteCursor: CursorReading {
  private let handle: OpaquePointer
  private let transaction: WriteTransaction

  init(handle: OpaquePointer, transaction: WriteTransaction) {
    self.handle = handle
    self.transaction = transaction
  }

  // Cursors of a write transaction are freed by its end; closing one later would be a use after free.
  deinit { if transaction.isLive { mdb_cursor_close(handle) } }

  package func seek(_ key: KeyBytes) throws -> Entry? { try moveCursor(handle, key, MDB_SET_RANGE) }
  package func find(_ key: KeyBytes) throws -> Entry? { try moveCursor(handle, key, MDB_SET_KEY) }
  package func first() throws -> Entry? { try moveCursor(handle, MDB_FIRST) }
  package func last() throws -> Entry? { try moveCursor(handle, MDB_LAST) }
  package func next() throws -> Entry? { try moveCursor(handle, MDB_NEXT) }
  package func previous() throws -> Entry? { try moveCursor(handle, MDB_PREV) }
  package func current() throws -> Entry? { try moveCursor(handle, MDB_GET_CURRENT) }

  /// Removes the entry the cursor stands on; the cursor then stands on the one after it. `mdb_cursor_del`.
  package func delete() throws { try check(mdb_cursor_del(handle, 0), "mdb_cursor_del") }
}
