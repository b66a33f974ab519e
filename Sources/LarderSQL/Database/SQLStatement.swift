import CSQLite
import Foundation
import LarderExchange

/// A statement of a database, which gives rows. Belongs to the thread that uses the database.
package final class SQLStatement {
  private let connection: SQLConnection
  private let handle: OpaquePointer
  /// Its text.
  package let sql: String

  init(_ connection: SQLConnection, _ handle: OpaquePointer, _ sql: String) {
    (self.connection, self.handle, self.sql) = (connection, handle, sql)
  }

  deinit { sqlite3_finalize(handle) }

  /// The names of the columns of its rows.
  package var columns: [String] {
    (0..<sqlite3_column_count(handle)).map { index in
      sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }
  }

  /// The names of its parameters, without what is before each.
  var parameters: Set<String> {
    let names = (0..<sqlite3_bind_parameter_count(handle)).compactMap { number in
      sqlite3_bind_parameter_name(handle, number + 1).map { String(String(cString: $0).dropFirst()) }
    }
    return Set(names)
  }

  /// Gives the parameters their values.
  ///
  /// - Throws: `SQLError` for a parameter without a value and a value without a parameter.
  func bind(_ values: [String: SQLValue]) throws {
    var unused = Set(values.keys)
    for number in 0..<sqlite3_bind_parameter_count(handle) {
      guard let given = sqlite3_bind_parameter_name(handle, number + 1) else {
        throw SQLError(.statement, "Parameters have names here: write :name for ?", statement: sql)
      }
      let name = String(cString: given).dropFirst()
      guard let value = values[String(name)] else {
        throw SQLError(.statement, "There is no value for the parameter '\(name)'", statement: sql)
      }
      unused.remove(String(name))
      guard value.bind(to: handle, number + 1) == SQLITE_OK else { throw connection.failure(sql) }
    }
    if let name = unused.min() {
      throw SQLError(.statement, "The statement has no parameter '\(name)'", statement: sql)
    }
  }

  /// The next row; nil at the end.
  ///
  /// - Throws: `SQLError`, and `StorageError` for a store that cannot be read.
  package func next() throws -> [SQLValue]? {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return (0..<sqlite3_column_count(handle)).map { SQLValue(sqlite3_column_value(handle, $0)) }
    case SQLITE_DONE: return nil
    default: throw connection.failure(sql)
    }
  }

  /// All rows that are left.
  package func rows() throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    while let row = try next() { rows.append(row) }
    return rows
  }
}
