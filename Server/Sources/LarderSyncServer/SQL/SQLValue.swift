/// The types that columns and parameters have.
enum SQLType: UInt8, Hashable, Sendable {
  case int, bytes, text
  /// Text that the database takes for JSON.
  case json
}

/// The value of a cell.
enum SQLValue: Hashable, Sendable {
  case null
  case int(Int64)
  case bytes([UInt8])
  case text(String)
}

/// A statement with the types of its parameters. Equal ones are prepared once for each connection.
struct SQLStatement: Hashable, Sendable {
  let text: String
  let parameters: [SQLType]

  init(_ text: String, _ parameters: [SQLType] = []) {
    self.text = text
    self.parameters = parameters
  }

  func callAsFunction(_ values: SQLValue...) -> SQLCommand { SQLCommand(statement: self, values: values) }
}

/// A statement with values.
struct SQLCommand: Sendable {
  let statement: SQLStatement
  let values: [SQLValue]
}

/// A row of a result. A cell of another type than the statement promises is damage of the database, never a guess.
struct SQLRow: Sendable {
  let cells: [SQLValue]

  func int(_ column: Int) throws(SyncStoreError) -> Int64 {
    guard column < cells.count, case .int(let value) = cells[column] else { throw unexpected(column, "an integer") }
    return value
  }

  func bytes(_ column: Int) throws(SyncStoreError) -> [UInt8] {
    guard column < cells.count, case .bytes(let value) = cells[column] else { throw unexpected(column, "bytes") }
    return value
  }

  func text(_ column: Int) throws(SyncStoreError) -> String {
    guard column < cells.count, case .text(let value) = cells[column] else { throw unexpected(column, "text") }
    return value
  }

  private func unexpected(_ column: Int, _ type: String) -> SyncStoreError {
    let found =
      switch column < cells.count ? cells[column] : .null {
      case .null: "nothing"
      case .int: "an integer"
      case .bytes: "bytes"
      case .text: "text"
      }
    return SyncStoreError(
      .damaged,
      "column \(column + 1) of a result has \(found) where \(type) has to be; the tables were changed by another program"
    )
  }
}
