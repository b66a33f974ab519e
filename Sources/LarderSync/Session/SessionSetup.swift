import LarderStorage

/// Gets an error of a session, in place of the handler of all sessions.
typealias ErrorHandler = @Sendable (any Error, any StoreSynchronisation) -> Void

/// A receiver of the errors of sessions.
protocol ErrorReporter: AnyObject, Sendable {
  /// Changes of what connections begin with: sessions connect again.
  var connectionChanges: EventSource<Int> { get }

  /// Reports an error, and calls `completion` when that is done.
  ///
  /// - Parameter handler: Called in place of the one of all sessions; nil for that.
  func report(
    _ error: SyncError, of session: any StoreSynchronisation, with handler: ErrorHandler?,
    completion: @escaping @Sendable () -> Void)
}

/// The parts that a session is made of.
struct SessionSetup: Sendable {
  /// Nil for configurations without an app.
  var user: User?
  var configuration: SyncConfiguration
  /// Tells setups apart that cannot have one store at once.
  var identity: String
  /// True if new objects that are in no subscription are sent all the same.
  var sendsOutsideWrites: Bool
  /// True if opening fails for lost connections (Y-16).
  var failsWithoutConnection: Bool
  /// True if there is to be a connection.
  var connects: Bool
  var reporter: any ErrorReporter
  /// Gets the errors of client resets, in place of the reporter's handler; nil for that.
  var resetHandler: ErrorHandler?
  /// Takes the engine over when the last Realm is closed.
  var linger: @Sendable (any SyncEngineProtocol, Store) -> Void
  var engine: EngineConfiguration
  var makeEngine: @Sendable (Store, EngineConfiguration) throws -> any SyncEngineProtocol
}
