import CSQLite
import LarderExchange
import LarderStorage

@testable import LarderSQL

/// A database of SQLite's own tables, for what a statement has to give.
final class SQLiteOracle {
  private let handle: OpaquePointer

  init(_ path: String = ":memory:") throws {
    var opened: OpaquePointer?
    guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
      throw SQLError(.failed, "no database", statement: "")
    }
    handle = opened
  }

  /// A copy of the tables of a store, read without conditions, with each object's key as the row's number.
  init(copying database: SQLDatabase, _ schema: StoreSchema) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(":memory:", &opened) == SQLITE_OK, let opened else {
      throw SQLError(.failed, "no database", statement: "")
    }
    handle = opened
    for table in SQLTables(schema).all {
      try rows(table.description)
      let names = table.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
      let all = (table.isElements ? "" : "rowid, ") + names
      let marks = Array(repeating: "?", count: table.columns.count + (table.isElements ? 0 : 1)).joined(separator: ", ")
      for row in try database.prepare("SELECT \(all) FROM \(SQLName.quoted(table.name))").rows() {
        try rows("INSERT INTO \(SQLName.quoted(table.name))(\(all)) VALUES (\(marks))", row)
      }
    }
  }

  deinit { sqlite3_close_v2(handle) }

  @discardableResult
  func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [[SQLValue]] {
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
      throw SQLError(.statement, String(cString: sqlite3_errmsg(handle)), statement: sql)
    }
    for (place, value) in values.enumerated() { _ = value.bind(to: statement, Int32(place + 1)) }
    var rows: [[SQLValue]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append((0..<sqlite3_column_count(statement)).map { SQLValue(sqlite3_column_value(statement, $0)) })
    }
    return rows
  }
}
