/// A fault of a table's row, with the place where it is.
package struct TableFault: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  package var table: String
  /// Counted from 1, in the order of the table.
  package var row: Int
  /// Nil where it is none of a single column.
  package var column: String?
  package var message: String

  package var description: String {
    "\(file): '\(table)', row \(row)\(column.map { ", column '\($0)'" } ?? ""): \(message)"
  }

  /// The fault as one JSON object.
  package var json: String { JSONValue(fields + [("message", JSONValue(message))]).text }

  var fields: [(String, JSONValue?)] {
    [
      ("file", JSONValue(file)), ("table", JSONValue(table)), ("row", JSONValue(row)),
      ("column", column.map { JSONValue($0) }),
    ]
  }
}
