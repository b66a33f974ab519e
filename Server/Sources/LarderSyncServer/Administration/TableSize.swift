/// The size of a table in the database.
public struct TableSize: Hashable, Sendable {
  /// The name of the table.
  public var table: String
  /// Bytes of its rows, with what deleted ones have left.
  public var rows: Int64
  /// Bytes of its indexes.
  public var indexes: Int64
}

extension StoreAdministration {
  /// Returns the size of each table, by the database's own account. It reads all of an SQLite file, and blocks the thread meanwhile.
  ///
  /// - Throws: `SyncStoreError`.
  public static func sizes(of location: StoreLocation) throws -> [TableSize] {
    let connection = try location.connect(.write)
    var result: [TableSize] = []
    for table in SQLTable.all {
      do {
        for row in try connection.rows(location.size(of: table)()) {
          result.append(TableSize(table: table.name, rows: try row.int(0), indexes: try row.int(1)))
        }
      } catch let failure as SQLFailure {
        throw failure.error
      }
    }
    return result
  }
}

extension StoreLocation {
  /// The statement that tells the size of a table, for which each database has functions of its own.
  fileprivate func size(of table: SQLTable) -> SQLStatement {
    let name = table.name
    switch self {
    case .postgres: return SQLStatement("SELECT pg_table_size('\(name)'), pg_indexes_size('\(name)')")
    case .file:
      let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = '\(name)'"
      return SQLStatement(
        """
        SELECT (SELECT COALESCE(SUM(pgsize), 0) FROM dbstat WHERE name = '\(name)'), \
        (SELECT COALESCE(SUM(pgsize), 0) FROM dbstat WHERE name IN (\(indexes)))
        """)
    }
  }
}
