/// An error in a statement, or in what it asks for.
package struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// The statement makes no sense, or names what there is not.
    case statement
    /// The statement would change something.
    case readOnly
    /// It took longer than it was given, or was interrupted.
    case interrupted
    /// Anything else that SQLite reports.
    case failed
  }

  package var code: Code
  package var message: String
  /// The statement.
  package var statement: String
  /// The place of the mistake in it, in Unicode scalars from 0; nil where SQLite does not say.
  package var position: Int?

  package init(_ code: Code, _ message: String, statement: String, position: Int? = nil) {
    (self.code, self.message, self.statement, self.position) = (code, message, statement, position)
  }

  package var description: String { position.map { "\(message), at position \($0)" } ?? message }
}
