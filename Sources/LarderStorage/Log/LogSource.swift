import LarderLMDB

/// A transaction the log can be read through: a read transaction, or the write transaction with its own changes.
package protocol LogSource {
  func get(_ table: Table, _ key: KeyBytes) throws -> ByteView?
  func logCursor(_ table: Table) throws -> any CursorReading
  /// A cursor whose values are valid until it moves on, for walks over whole tables.
  func walkingCursor(_ table: Table) throws -> any CursorReading
}

extension ReadTransaction: LogSource {
  package func logCursor(_ table: Table) throws -> any CursorReading { try cursor(table) }
  package func walkingCursor(_ table: Table) throws -> any CursorReading { try cursor(table, for: .walking) }
}

extension WriteTransaction: LogSource {
  package func logCursor(_ table: Table) throws -> any CursorReading { try cursor(table) }
  package func walkingCursor(_ table: Table) throws -> any CursorReading { try cursor(table, for: .walking) }
}
