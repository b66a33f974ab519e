import CSQLite
import LarderExchange
import LarderStorage

/// A store's classes as tables that SQL can be asked about, and never changed.
///
/// The connection is one to an empty database in memory: SQLite reads and writes no file, and an authorizer refuses all but reading. One
/// thread at a time may use it.
package final class SQLDatabase {
  private let handle: OpaquePointer
  private let store: TableStore

  /// Opens the tables of one version of a store. Takes a few microseconds a table.
  ///
  /// - Throws: `SQLError` when SQLite cannot be started.
  package init(_ reader: any StoreReader) throws {
    store = TableStore(reader)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(":memory:", &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw SQLError(.failed, "SQLite cannot be started: \(String(cString: sqlite3_errstr(code)))", statement: "")
    }
    handle = opened
    let data = Unmanaged.passUnretained(store).toOpaque()
    sqlite3_create_module_v2(handle, TableModule.name, TableModule.module, data, nil)
    for (number, table) in store.tables.enumerated() {
      try run("CREATE VIRTUAL TABLE \(SQLName.quoted(table.name)) USING \(TableModule.name)(\(number))")
    }
    sqlite3_set_authorizer(handle, Self.authorizer, nil)
    sqlite3_progress_handler(handle, 1000, Self.progress, data)
  }

  deinit { sqlite3_close_v2(handle) }

  /// The tables with their columns, as statements would make them, one a line.
  package var schemaText: String { store.tables.map { $0.description + ";\n" }.joined() }

  private func run(_ statement: String) throws {
    guard sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK else { throw failure(statement) }
  }

  /// Prepares one statement.
  ///
  /// - Parameters:
  ///   - sql: One statement that reads; a semicolon may end it.
  ///   - parameters: Values by the names of parameters, without what is before the name.
  /// - Throws: `SQLError` with the position of the mistake.
  package func prepare(_ sql: String, _ parameters: [String: SQLValue] = [:]) throws -> SQLStatement {
    store.failure = nil
    var prepared: OpaquePointer?
    var rest = ""
    let code = sql.withCString { text -> Int32 in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, text, -1, &prepared, &tail)
      rest = tail.map { String(cString: $0) } ?? ""
      return code
    }
    guard code == SQLITE_OK else { throw failure(sql) }
    guard let prepared else { throw SQLError(.statement, "There is no statement", statement: sql) }
    let statement = SQLStatement(self, prepared, sql)
    guard rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) else {
      throw SQLError(
        .statement, "More than one statement; give them one at a time", statement: sql,
        position: sql.unicodeScalars.count - rest.unicodeScalars.count)
    }
    try statement.bind(parameters)
    return statement
  }

  /// Ends statements when a condition holds: they then throw `SQLError.Code.interrupted`. It is asked every few microseconds while SQLite
  /// works, and not while the store filters or sorts.
  package func end(when condition: @escaping @Sendable () -> Bool) { store.isCancelled = condition }

  /// How a statement is answered: a line for each step, those within another after it and further to the right.
  ///
  /// - Throws: `SQLError` as `prepare` does.
  package func explanation(_ sql: String, _ parameters: [String: SQLValue] = [:]) throws -> String {
    // Reports mistakes where they are in the statement itself.
    _ = try prepare(sql, parameters)
    var depths: [SQLValue: Int] = [:]
    var text = ""
    for row in try prepare("EXPLAIN QUERY PLAN " + sql, parameters).rows() where row.count > 3 {
      let depth = depths[row[1]] ?? 0
      depths[row[0]] = depth + 1
      let detail = (row[3].plain ?? "").replacing(#/VIRTUAL TABLE INDEX \d+:/#, with: "→ ")
      text += String(repeating: "  ", count: depth) + detail + "\n"
    }
    return text
  }

  /// The error for what SQLite reports.
  func failure(_ statement: String) -> any Error {
    if let failure = store.failure { return failure }
    let text = String(cString: sqlite3_errmsg(handle))
    let offset = Int(sqlite3_error_offset(handle))
    let position =
      offset < 0 ? nil : String(decoding: statement.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count
    switch sqlite3_errcode(handle) & 0xFF {
    case SQLITE_AUTH:
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
