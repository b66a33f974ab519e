import CSQLite
import Foundation
import LarderExchange
import LarderStorage

/// A store's classes as tables that SQL can be asked about, and never changed.
///
/// The connection is one to an empty database in memory: SQLite reads and writes no file, and an authorizer refuses all but reading. One
/// thread at a time may use it.
package final class SQLDatabase {
  private let connection: SQLConnection
  private var handle: OpaquePointer { connection.handle }
  private var store: TableStore { connection.store }

  /// Opens the tables of one version of a store. Takes a few microseconds a table.
  ///
  /// - Throws: `SQLError` when SQLite cannot be started.
  package init(_ reader: any StoreReader) throws { connection = try SQLConnection(reader) }

  /// The memory of scans, for statements that are prepared from now on.
  var memory: SQLMemory {
    get { store.memory }
    set { store.memory = newValue }
  }

  /// The number of times that statements asked the store for the rows of a scan.
  var queryCount: Int { store.queryCount }

  /// The tables with their columns, as statements would make them, one a line.
  package var schemaText: String { store.tables.map { $0.description + ";\n" }.joined() }

  /// Prepares one statement.
  ///
  /// - Parameters:
  ///   - sql: One statement that reads; a semicolon may end it.
  ///   - parameters: Values by the names of parameters, without what is before the name.
  /// - Throws: `SQLError` with the position of the mistake.
  package func prepare(_ sql: String, _ parameters: [String: SQLValue] = [:]) throws -> SQLStatement {
    store.failure = nil
    // Stays true: SQLite may plan an earlier statement once more.
    if sql.range(of: "collate", options: .caseInsensitive) != nil { store.mayCollate = true }
    var prepared: OpaquePointer?
    var rest = ""
    let code = sql.withCString { text -> Int32 in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, text, -1, &prepared, &tail)
      rest = tail.map { String(cString: $0) } ?? ""
      return code
    }
    guard code == SQLITE_OK else { throw connection.failure(sql) }
    guard let prepared else { throw SQLError(.statement, "There is no statement", statement: sql) }
    let statement = SQLStatement(connection, prepared, sql)
    guard isEmpty(rest) else {
      throw SQLError(
        .statement, "More than one statement; give them one at a time", statement: sql,
        position: sql.unicodeScalars.count - rest.unicodeScalars.count)
    }
    try statement.bind(parameters)
    return statement
  }

  /// The statements of a text, in their order, each with the names of its parameters.
  ///
  /// - Throws: `SQLError` with the position of the first mistake in the whole text.
  package func statements(in sql: String) throws -> [(text: String, parameters: Set<String>)] {
    var found: [(String, Set<String>)] = []
    var rest = sql[...]
    while !rest.allSatisfy({ $0.isWhitespace || $0 == ";" }) {
      var prepared: OpaquePointer?
      let text = String(rest)
      store.failure = nil
      let (code, length) = text.withCString { start -> (Int32, Int) in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v2(handle, start, -1, &prepared, &tail)
        return (code, tail.map { $0 - start } ?? 0)
      }
      guard code == SQLITE_OK else {
        let failure = connection.failure(text)
        guard var error = failure as? SQLError else { throw failure }
        let before = sql.unicodeScalars.count - rest.unicodeScalars.count
        error.position = error.position.map { $0 + before }
        error.statement = sql
        throw error
      }
      let end = rest.utf8.index(rest.startIndex, offsetBy: length)
      if let prepared {
        let statement = SQLStatement(connection, prepared, text)
        found.append((String(rest[..<end]), statement.parameters))
      }
      rest = rest[end...]
    }
    return found
  }

  /// Returns true if a text has no statement: nothing but spaces, semicolons and comments.
  private func isEmpty(_ sql: String) -> Bool {
    guard !sql.allSatisfy({ $0.isWhitespace || $0 == ";" }) else { return true }
    var prepared: OpaquePointer?
    var isAtEnd = false
    let code = sql.withCString { text -> Int32 in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, text, -1, &prepared, &tail)
      isAtEnd = tail?.pointee == 0
      return code
    }
    defer { sqlite3_finalize(prepared) }
    return code == SQLITE_OK && prepared == nil && isAtEnd
  }

  /// Ends statements when a condition holds: they then throw `SQLError.Code.interrupted`. It is asked every few microseconds while SQLite
  /// works, and not while the store filters or sorts.
  package func end(when condition: @escaping @Sendable () -> Bool) { store.isCancelled = condition }

  /// Returns the plan of a statement: a line for each step, those within another after it and further to the right.
  ///
  /// - Throws: `SQLError` as `prepare` does.
  package func explanation(_ sql: String, _ parameters: [String: SQLValue] = [:]) throws -> String {
    try steps(sql, parameters).map { String(repeating: "  ", count: $0.depth) + $0.does + "\n" }.joined()
  }

  /// Returns the plan of a statement: its steps, those within another after it with a larger depth.
  ///
  /// - Throws: `SQLError` as `prepare` does.
  package func steps(_ sql: String, _ parameters: [String: SQLValue] = [:]) throws -> [(depth: Int, does: String)] {
    // Reports mistakes where they are in the statement itself.
    _ = try prepare(sql, parameters)
    var depths: [SQLValue: Int] = [:]
    var steps: [(depth: Int, does: String)] = []
    for row in try prepare("EXPLAIN QUERY PLAN " + sql, parameters).rows() where row.count > 3 {
      let depth = depths[row[1]] ?? 0
      depths[row[0]] = depth + 1
      let detail = (row[3].plain ?? "").replacing(#/VIRTUAL TABLE INDEX \d+:/#, with: "→ ")
      steps.append((depth, detail))
    }
    return steps
  }
}
