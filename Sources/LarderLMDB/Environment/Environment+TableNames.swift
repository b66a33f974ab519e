import CLMDB

extension Environment {
  /// The names of all tables in the file, also of those that were not opened.
  package func tableNames() throws -> [String] {
    let transaction = try beginRead()
    var main: MDB_dbi = 0
    try check(mdb_dbi_open(transaction.handle, nil, 0, &main), "mdb_dbi_open")
    let cursor = try transaction.cursor(Table(handle: main, name: ""))
    var names: [String] = []
    var entry = try cursor.first()
    while let found = entry {
      names.append(String(decoding: found.key.buffer, as: UTF8.self))
      entry = try cursor.next()
    }
    return names
  }
}

extension Environment {
  /// An optional table; nil while it is not known that the file has it (`findOptionalTables`).
  package func optionalTable(_ name: String) -> Table? { tables.optional.first { $0.name == name } }

  /// Looks for the optional tables, which another process may have made; false when there are none. Read transactions that began before
  /// do not know them.
  package func findOptionalTables() throws -> Bool {
    if !tables.optional.isEmpty { return true }
    return try tables.find {
      let begun = try beginHandle(UInt32(MDB_RDONLY))
      defer { ledger.leave() }
      do {
        let found = try EnvironmentOpening.openTables(begun, options.optionalTables, create: false)
        try check(mdb_txn_commit(begun), "mdb_txn_commit")
        return found.count == options.optionalTables.count ? found : []
      } catch let error as LMDBError where error.operation != "mdb_txn_commit" {
        mdb_txn_abort(begun)
        throw error
      }
    }
  }
}
