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
  /// The values that it has opened of a sealed environment; nil where values are stored as they are.
  let opened: OpenedValues?

  init(handle: OpaquePointer, environment: Environment) {
    self.handle = handle
    self.environment = environment
    opened = environment.sealing.map { OpenedValues($0) }
    self.transactionID = UInt64(mdb_txn_id(handle))
  }

  deinit { environment.recycle(handle) }

  /// The transaction of LMDB; throws `forked` in a child, for which nothing keeps the version's pages.
  @inline(__always)
  func live() throws -> OpaquePointer {
    try environment.checkProcess("read transaction")
    return handle
  }

  /// The value stored under a key, or nil. The view lives as long as this transaction. `mdb_get`.
  ///
  /// Throws `badValueSize` for a key that no entry can have, `corrupted` and its kin for a damaged file.
  @inline(__always)
  package func get(_ table: Table, _ key: KeyBytes) throws -> ByteView? {
    guard let found = try getValue(live(), table, key) else { return nil }
    guard let opened else { return found }
    return try key.withBytes { try opened.open(found, table, $0) }
  }

  /// A cursor on a table, owned by the caller. `mdb_cursor_open`.
  ///
  /// Values it reads are valid as long as this transaction, unless it is made for another purpose.
  package func cursor(_ table: Table, for purpose: CursorPurpose = .reading) throws -> ReadCursor {
    try ReadCursor(self, table, purpose: purpose)
  }

  /// Number of entries and pages of a table. `mdb_stat`.
  package func statistics(_ table: Table) throws -> TableStatistics { try tableStatistics(live(), table) }

  /// Number of pages that are free at this version, whether or not an older reader still pins them.
  ///
  /// - Parameter transaction: Only those that transactions after it have freed: a reader of it keeps them from being used again.
  package func freePages(after transaction: UInt64 = 0) throws -> Int {
    // Table 0 is LMDB's free list: a record is the number of pages and then the pages, under the transaction that freed them.
    let cursor = try ReadCursor(self, Table(handle: 0, name: "free list"))
    var count = 0
    var entry = try cursor.first()
    while let record = entry {
      if record.key.load(0, as: UInt64.self) > transaction { count += Int(record.value.load(0, as: UInt64.self)) }
      entry = try cursor.next()
    }
    return count
  }
}

/// Looks a key up. LMDB would answer "not found" to a key of an impossible length; here it is an error.
@inline(__always)
func getValue(_ handle: OpaquePointer, _ table: Table, _ key: KeyBytes) throws -> ByteView? {
  try key.withBytes { bytes in
    guard isPossibleKey(bytes.count) else { throw badKeySize(bytes.count, "mdb_get") }
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
