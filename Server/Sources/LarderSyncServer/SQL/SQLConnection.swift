/// A connection to a database. Belongs to one thread at a time; every call blocks that thread.
protocol SQLConnection: AnyObject {
  /// The database, without passwords, for messages.
  var location: String { get }

  /// Runs commands in order, in one round trip where the database is another process, and returns the rows of each.
  ///
  /// When one fails, those after it are not run.
  func run(_ commands: [SQLCommand]) throws(SQLFailure) -> [[SQLRow]]

  /// Gives up the transaction, if there is one. A connection on which that fails is not to be used again.
  func rollback() throws(SQLFailure)
}

extension SQLConnection {
  /// The rows of one command.
  func rows(_ command: SQLCommand) throws(SQLFailure) -> [SQLRow] { try run([command]).first ?? [] }
}
