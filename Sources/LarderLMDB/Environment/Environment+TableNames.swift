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
