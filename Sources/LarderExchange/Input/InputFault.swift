/// A fault of an input file, with the place where it is.
package struct InputFault: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// Counted from 1, in Unicode scalars, as editors count.
  package var column: Int
  /// The fault and, where it helps, the form that was expected.
  package var message: String

  package init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  package var description: String { "\(file):\(line):\(column): \(message)" }
}

/// A fault inside one record, before it is known where the record is.
package struct RecordFault: Error {
  /// Byte offset in the record.
  package var offset: Int
  package var message: String

  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}
