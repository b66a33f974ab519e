/// The durable state of a sync server: tenants, objects, logs of changes, and what is known of each site.
///
/// Any number of servers may use one store at once: what must not happen twice is decided in its transactions, and nothing is kept in
/// the servers. Calls suspend the task; what blocks are threads of the store's own.
public protocol SyncStore: Sendable {
  /// Runs a body in a transaction that writes, and returns what it returns once that is durable.
  ///
  /// The body runs on a thread of the store, and again when other transactions were in the way or the connection was lost: it must change
  /// nothing but the transaction. Rows that are locked in it stay so to the end. An error of the body cancels the transaction and is thrown
  /// on.
  ///
  /// - Parameter unknownCommit: what to do when the connection is lost during the commit, so that it is not known whether it happened.
  /// - Throws: `SyncStoreError`: `conflict` and `unavailable` may be tried again; `CancellationError` when the task was cancelled before
  ///   the body began.
  func write<Result: Sendable>(
    unknownCommit: UnknownCommit, _ body: @escaping @Sendable (any SyncTransaction) throws -> Result
  ) async throws -> Result

  /// Runs a body that reads, and sees one state of the store throughout. It does not wait for those that write.
  ///
  /// - Throws: as `write`.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncReading) throws -> Result
  ) async throws -> Result

  /// Ends the threads after what they do now. Later calls throw `closed`.
  func close()

  /// Closes as `close` does, and calls that wait for the database throw `closed` at once. It is not known then whether what they write happens.
  func abandon()
}

/// The treatment of a transaction of which it is not known whether it happened.
public enum UnknownCommit: Hashable, Sendable {
  /// It is run again, because a second time changes nothing: it looks first at what it wrote.
  case runAgain
  /// `commitUnknown` is thrown.
  case fail
}
