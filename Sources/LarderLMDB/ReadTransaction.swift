import CLMDB

/// A read transaction, warmed (every table touched once) and from then on immutable, so that any number of
/// threads may read through it at once.
///
/// Its end (the last reference going away) returns the LMDB transaction to the environment's pool.
/// Mirrors `mdb_txn_begin` with `MDB_RDONLY`, `mdb_txn_reset` and `mdb_txn_renew`.
package final class ReadTransaction: @unchecked Sendable {
  // Unchecked: after warming, reads touch only immutable state of the transaction.
  let handle: OpaquePointer
  package let environment: Environment
  /// LMDB's transaction id: identifies a version inside this file's life only.
  package let transactionID: UInt64

  init(handle: OpaquePointer, environment: Environment) {
    self.handle = handle
    self.environment = environment
    self.transactionID = UInt64(mdb_txn_id(handle))
  }

  deinit { environment.recycle(handle) }

  /// The value stored under a key, or nil. The view lives as long as this transaction. `mdb_get`.
  package func get(_ table: Table, _ key: KeyBytes) throws -> ByteView? {
    try getValue(handle, table, key)
  }

  /// A cursor on a table, owned by the caller. `mdb_cursor_open`.
  package func cursor(_ table: Table) throws -> ReadCursor { try ReadCursor(self, table) }

  /// Number of entries and pages of a table. `mdb_stat`.
  package func statistics(_ table: Table) throws -> TableStatistics { try tableStatistics(handle, table) }
}

@inline(__always)
func getValue(_ handle: OpaquePointer, _ table: Table, _ key: KeyBytes) throws -> ByteView? {
  try key.withBytes { bytes in
    var name = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    var value = MDB_val()
    let result = mdb_get(handle, table.handle, &name, &value)
    if result == MDB_NOTFOUND { return nil }
    try check(result, "mdb_get")
    return ByteView(base: value.mv_data, count: value.mv_size)
  }
}

func tableStatistics(_ handle: OpaquePointer, _ table: Table) throws -> TableStatistics {
  var stat = MDB_stat()
  try check(mdb_stat(handle, table.handle, &stat), "mdb_stat")
  return TableStatistics(
    entries: stat.ms_entries, branchPages: stat.ms_branch_pages, leafPages: stat.ms_leaf_pages,
    overflowPages: stat.ms_overflow_pages, depth: Int(stat.ms_depth), pageSize: Int(stat.ms_psize))
}
