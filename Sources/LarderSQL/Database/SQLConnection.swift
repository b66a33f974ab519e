import CSQLite
import LarderExchange
import LarderStorage

/// A connection of SQLite's to an empty database in memory, with the tables of a store, that can only be read.
final class SQLConnection {
  let handle: OpaquePointer
  let store: TableStore

  /// Opens the tables of one version of a store. Takes a few microseconds a table.
  ///
  /// - Throws: `SQLError` when SQLite cannot be started.
  init(_ reader: any StoreReader) throws {
    store = TableStore(reader)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(":memory:", &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw SQLError(.failed, "SQLite cannot be started: \(String(cString: sqlite3_errstr(code)))", statement: "")
    }
    handle = opened
    // What is sorted may be of an encrypted store.
    try run("PRAGMA temp_store = MEMORY")
    let data = Unmanaged.passUnretained(store).toOpaque()
    sqlite3_create_module_v2(handle, TableModule.name, TableModule.module, data, nil)
    for (number, table) in store.tables.enumerated() {
      try run("CREATE VIRTUAL TABLE \(SQLName.quoted(table.name)) USING \(TableModule.name)(\(number))")
    }
    SQLFunctions.add(to: handle)
    sqlite3_set_authorizer(handle, Self.authorizer, nil)
    sqlite3_progress_handler(handle, 1000, Self.progress, data)
  }

  deinit { sqlite3_close_v2(handle) }

  private func run(_ statement: String) throws {
    guard sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK else { throw failure(statement) }
  }

  /// The error for what SQLite reports.
  func failure(_ statement: String) -> any Error {
    if let failure = store.failure { return failure }
    let text = String(cString: sqlite3_errmsg(handle))
    let offset = Int(sqlite3_error_offset(handle))
    let position =
      offset < 0 ? nil : String(decoding: statement.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count
    switch sqlite3_errcode(handle) & 0xFF {
    case SQLITE_AUTH,
      SQLITE_ERROR where text.hasPrefix("not authorized"):
      return SQLError(.readOnly, "SQL reads a store and changes nothing: write SELECT", statement: statement)
    case SQLITE_INTERRUPT: return SQLError(.interrupted, "The statement was interrupted", statement: statement)
    case SQLITE_ERROR:
      return SQLError(.statement, message(text), statement: statement, position: position)
    default: return SQLError(.failed, "SQLite: \(text)", statement: statement, position: position)
    }
  }

  private func message(_ text: String) -> String {
    guard text.hasPrefix("no such table") else { return text }
    let names = store.tables.prefix(12).map(\.name).joined(separator: ", ")
    return "\(text); there are \(names)\(store.tables.count > 12 ? " and others" : "")"
  }

  /// Ends a statement that is cancelled.
  private static let progress: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { data in
    guard let data else { return 0 }
    return Unmanaged<TableStore>.fromOpaque(data).takeUnretainedValue().isCancelled() ? 1 : 0
  }

  private typealias Authorizer =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?
    ) -> Int32

  /// Allows reading, and functions other than those that reach out of the database.
  private static let authorizer: Authorizer = { _, action, _, name, _, _ in
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_FUNCTION:
      let refused: Set<String> = ["load_extension", "fts3_tokenizer"]
      return name.map { refused.contains(String(cString: $0).lowercased()) } ?? false ? SQLITE_DENY : SQLITE_OK
    default: return SQLITE_DENY
    }
  }
}
