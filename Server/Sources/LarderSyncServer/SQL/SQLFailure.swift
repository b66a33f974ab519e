/// An error of a database, and whether trying again may help.
struct SQLFailure: Error {
  enum Repeating: Hashable {
    case no
    /// The transaction, on the same connection.
    case transaction
    /// The transaction, on a new connection: this one is lost.
    case connection
  }

  let error: SyncStoreError
  let repeating: Repeating

  init(_ error: SyncStoreError, repeating: Repeating = .no) {
    self.error = error
    self.repeating = repeating
  }
}
