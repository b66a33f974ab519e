import CSQLite3

/// A connection to an SQLite file, or a database in memory that ends with it.
final class SQLiteConnection: SQLConnection {
  enum Access {
    /// Makes the file when it is not there.
    case create
    case write
    case read
  }

  let location: String
  private let handle: OpaquePointer
  private var prepared: [SQLStatement: OpaquePointer] = [:]
  /// Beyond so many statements all are forgotten.
  private static let largestPrepared = 500

  /// - Parameter path: nil for a database in memory.
  init(_ path: String?, _ access: Access) throws(SQLFailure) {
    location = path.map { "SQLite file \($0)" } ?? "SQLite in memory"
    var opened: OpaquePointer?
    let flags =
      switch access {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .write: SQLITE_OPEN_READWRITE
      case .read: SQLITE_OPEN_READONLY
      }
    let number = sqlite3_open_v2(path ?? ":memory:", &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard number == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteErrors.failure(number, message: String(cString: sqlite3_errstr(number)), location: location)
    }
    handle = opened
    sqlite3_busy_timeout(handle, 5000)
    // A commit is on the disk when it returns, as a server's database has to have it.
    try script("PRAGMA synchronous = FULL")
    if access != .read { try script("PRAGMA journal_mode = WAL") }
  }

  deinit {
    for statement in prepared.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  func run(_ commands: [SQLCommand]) throws(SQLFailure) -> [[SQLRow]] {
    var result: [[SQLRow]] = []
    result.reserveCapacity(commands.count)
    for command in commands { result.append(try run(command)) }
    return result
  }

  func rollback() throws(SQLFailure) {
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    try script("ROLLBACK")
  }

  /// Runs statements that give no rows.
  func script(_ text: String) throws(SQLFailure) {
    guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  // MARK: - Statements

  private func run(_ command: SQLCommand) throws(SQLFailure) -> [SQLRow] {
    let statement = try prepare(command.statement)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in command.values.enumerated() {
      guard SQLiteCells.bind(value, to: statement, Int32(index + 1)) == SQLITE_OK else { throw failure() }
    }
    var rows: [SQLRow] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(try SQLiteCells.row(statement, location))
      case SQLITE_DONE: return rows
      default: throw failure()
      }
    }
  }

  private func prepare(_ statement: SQLStatement) throws(SQLFailure) -> OpaquePointer {
    if let known = prepared[statement] { return known }
    if prepared.count >= SQLiteConnection.largestPrepared {
      for statement in prepared.values { sqlite3_finalize(statement) }
      prepared = [:]
    }
    var made: OpaquePointer?
    guard sqlite3_prepare_v3(handle, statement.text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil) == SQLITE_OK,
      let made
    else { throw failure() }
    prepared[statement] = made
    return made
  }

  private func failure() -> SQLFailure {
    SQLiteErrors.failure(
      sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), location: location)
  }
}
