/// An error of the store of a sync server: what went wrong, where, and what to do.
public struct SyncStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs that act on it.
  public enum Kind: String, Hashable, Sendable {
    /// A value that was handed over breaks a rule; nothing was done.
    case invalidValue
    /// The text that names the database is not one.
    case invalidLocation
    /// There is no database at that place, or it takes no connections.
    case cannotConnect
    /// The database refuses what the server's user may not do.
    case noPermission
    /// The database has no tables of this server yet, or older ones.
    case notMigrated
    /// The tables are of a newer version of this server.
    case newerVersion
    /// No space is left on the disk, or the file may grow no further.
    case full
    /// Others were in the way each time it was tried; it may be tried again.
    case conflict
    /// The connection was lost and could not be made again in the time permitted; it may be tried again.
    case unavailable
    /// The connection was lost during the commit: the transaction happened as a whole or not at all.
    case commitUnknown
    /// A statement took longer than permitted and was given up.
    case timedOut
    /// Bytes or rows are not what the server wrote.
    case damaged
    /// Anything else that the database refuses.
    case refused
    /// The store has been closed.
    case closed
  }

  public let kind: Kind
  /// The description of what happened, in words, with what to do about it.
  public let message: String
  /// The database, without passwords; empty when it was not a database's doing.
  public let location: String
  /// The five characters by which SQL names the error, or SQLite's number; empty when there are none.
  public let code: String

  public init(_ kind: Kind, _ message: String, location: String = "", code: String = "") {
    self.kind = kind
    self.message = message
    self.location = location
    self.code = code
  }

  public var description: String {
    "\(kind): \(message)\(location.isEmpty ? "" : " (\(location))")\(code.isEmpty ? "" : " [\(code)]")"
  }
}
