/// The role of a process for a store that several processes open: whether it may have the connection. Beyond RealmSwift.
public enum SyncRole: Sendable {
  /// The process may have the connection.
  case automatic
  /// Unavailable: of several processes that may have the connection none waits for another.
  @available(
    *, unavailable, message: "Use .automatic in the process that is to have the connection, and .never in all others"
  )
  case required
  /// The process never has the connection: what is written waits for another process, as it does without a connection (Y-66).
  case never
}

/// The handling of new objects that are in no subscription (Y-26). Beyond RealmSwift.
public enum OutsideWrites: Sendable {
  /// The commit throws `Realm.Error.noSubscriptionForWrite`, and the transaction is undone.
  case refuse
  /// They are sent, and the server reverts them.
  case sendAnyway
}
