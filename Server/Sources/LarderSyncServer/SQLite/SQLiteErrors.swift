import CSQLite3

/// The meaning of SQLite's error numbers.
enum SQLiteErrors {
  static func failure(_ number: Int32, message: String, location: String) -> SQLFailure {
    let (kind, advice, repeating) = meaning(of: number & 0xFF, message)
    return SQLFailure(
      SyncStoreError(kind, advice.isEmpty ? message : "\(message); \(advice)", location: location, code: "\(number)"),
      repeating: repeating)
  }

  private typealias Meaning = (kind: SyncStoreError.Kind, advice: String, repeating: SQLFailure.Repeating)

  private static func meaning(of number: Int32, _ message: String) -> Meaning {
    switch number {
    case SQLITE_BUSY, SQLITE_LOCKED: (.conflict, "another process writes to the file", .transaction)
    case SQLITE_FULL: (.full, "make space on the disk of the file", .no)
    case SQLITE_CANTOPEN: (.cannotConnect, "check that the folder is there and may be written to", .no)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: (.noPermission, "the file and its folder have to be writable", .no)
    case SQLITE_NOTADB: (.damaged, "the file is no SQLite database, or it is encrypted", .no)
    case SQLITE_CORRUPT: (.damaged, "restore a backup, or try 'sqlite3 FILE .recover'", .no)
    case SQLITE_INTERRUPT: (.timedOut, "", .no)
    case SQLITE_ERROR where message.hasPrefix("no such table"):
      (.notMigrated, "run 'larder-sync migrate' on this file", .no)
    default: (.refused, "", .no)
    }
  }
}
