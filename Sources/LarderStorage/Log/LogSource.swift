import LarderLMDB

/// A transaction the log can be read through: a read transaction, or the write transaction with its own changes.
package protocol LogSource {
  func get(_ table: Table, _ key: KeyBytes) throws -> ByteView?
  func logCursor(_ table: Table) throws -> any CursorReading
}

extension ReadTransaction: LogSource {
  package func logCursor(_ table: Table) throws -> any CursorReading { try cursor(table) }
}

extension WriteTransaction: LogSource {
  package func logCursor(_ table: Table) throws -> any CursorReading { try cursor(table) }
}
