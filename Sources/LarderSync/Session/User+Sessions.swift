extension User {
  /// The sessions of the user's stores that are open in this process.
  public var allSessions: [SyncSession] { SessionRegistry.shared.sessions.filter { $0.setup.user === self } }
}
