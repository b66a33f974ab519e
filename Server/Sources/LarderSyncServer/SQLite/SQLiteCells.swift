import CSQLite3

/// Values as SQLite takes and gives them.
enum SQLiteCells {
  /// Says that SQLite is to copy what it is given.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  static func bind(_ value: SQLValue, to statement: OpaquePointer, _ index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .int(let number): return sqlite3_bind_int64(statement, index, number)
    case .bytes(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return bytes.withUnsafeBytes { sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copied) }
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          // An empty text has no address, which SQLite would take for null.
          guard let start = $0.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
          return sqlite3_bind_text64(statement, index, start, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
        }
      }
    }
  }

  static func row(_ statement: OpaquePointer, _ location: String) throws(SQLFailure) -> SQLRow {
    var cells: [SQLValue] = []
    for column in 0..<sqlite3_column_count(statement) {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_NULL: cells.append(.null)
      case SQLITE_INTEGER: cells.append(.int(sqlite3_column_int64(statement, column)))
      case SQLITE_BLOB:
        let count = Int(sqlite3_column_bytes(statement, column))
        cells.append(.bytes(Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count))))
      case SQLITE_TEXT:
        let start = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        cells.append(.text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)))
      default:
        throw SQLFailure(
          SyncStoreError(.damaged, "a cell has a real number, which no table of the server has", location: location))
      }
    }
    return SQLRow(cells: cells)
  }
}
