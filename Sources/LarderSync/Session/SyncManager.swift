import Dispatch
import LarderLocks

/// Called with what goes wrong in synchronisation, and the session. On a private serial queue, one error at a time, after the library has acted
/// (Y-37); it may open Realms and write.
public typealias ErrorReportingBlock = @Sendable (any Error, SyncSession?) -> Void

/// The levels of the log, under RealmSwift's name for synchronisation.
public typealias SyncLogLevel = LogLevel

/// The manager of all sessions of an app, with what they have in common. May be used from any thread.
public final class SyncManager: Sendable, ErrorReporter {
  private struct Values {
    var errorHandler: ErrorReportingBlock?
    var timeouts: TimeoutValues?
    var headers: [String: String]?
    var authorizationHeaderName: String?
    var userAgent = ""
    var hasSessions = false
  }

  private let values = Lock(Values())
  private let queue = DispatchQueue(label: "larder.sync.errors")
  let connectionChanges = EventSource(0)

  init() {}

  /// Called with what goes wrong (Y-37). Without one, errors are logged.
  public var errorHandler: ErrorReportingBlock? {
    get { values.withLock { $0.errorHandler } }
    set { values.withLock { $0.errorHandler = newValue } }
  }

  /// The times that connections wait; to be set before the first synced Realm is opened, and ignored with a warning later.
  public var timeoutOptions: SyncTimeoutOptions? {
    get { values.withLock { $0.timeouts }.map { SyncTimeoutOptions($0) } }
    set {
      let timeouts = newValue?.values
      let isLate = values.withLock { values in
        if !values.hasSessions { values.timeouts = timeouts }
        return values.hasSessions
      }
      if isLate { Logger.shared.log(.warn, "timeoutOptions was set after a synced Realm was opened, and is ignored.") }
    }
  }

  /// More headers of the request that begins a connection; a change reconnects.
  public var customRequestHeaders: [String: String]? {
    get { values.withLock { $0.headers } }
    set {
      values.withLock { $0.headers = newValue }
      connectionChanges.update { $0 += 1 }
    }
  }

  /// Kept for source compatibility: tokens go in messages, not in a header.
  public var authorizationHeaderName: String? {
    get { values.withLock { $0.authorizationHeaderName } }
    set { values.withLock { $0.authorizationHeaderName = newValue } }
  }

  /// The name of the program, for the server's log.
  public var userAgent: String {
    get { values.withLock { $0.userAgent } }
    set { values.withLock { $0.userAgent = newValue } }
  }

  /// The level of the shared logger.
  @available(*, deprecated, message: "Use Logger.shared.level")
  public var logLevel: SyncLogLevel {
    get { Logger.shared.level }
    set { Logger.shared.level = newValue }
  }

  /// Replaces the shared logger.
  @available(*, deprecated, message: "Use Logger.shared")
  public var logger: (@Sendable (SyncLogLevel, String) -> Void)? {
    get { nil }
    set { if let newValue { Logger.shared = Logger(level: Logger.shared.level, logFunction: newValue) } }
  }

  /// The timeouts of a session that begins now, and later ones.
  func beginSession() -> TimeoutValues? {
    values.withLock { values in
      values.hasSessions = true
      return values.timeouts
    }
  }

  /// Calls a handler, by default the one of all sessions, or writes to the log without one.
  func report(
    _ error: SyncError, of session: any StoreSynchronisation, with handler: ErrorHandler?,
    completion: @escaping @Sendable () -> Void
  ) {
    queue.async { [self] in
      defer { completion() }
      if let handler { return handler(error, session) }
      guard let handler = errorHandler else { return Logger.shared.log(.error, "Synchronisation: \(error)") }
      handler(error, session as? SyncSession)
    }
  }
}

extension App {
  /// The manager of all sessions of the app.
  public var syncManager: SyncManager { state.syncManager }
}

extension UserHome {
  var syncManager: SyncManager { SyncManagers.shared.manager(of: self) }
}

/// The managers by app.
private final class SyncManagers: Sendable {
  static let shared = SyncManagers()
  private let known = Lock<[ObjectIdentifier: SyncManager]>([:])

  func manager(of app: any UserHome) -> SyncManager {
    // Apps stay for as long as the process.
    known.withLock { known in
      if let found = known[ObjectIdentifier(app)] { return found }
      let made = SyncManager()
      known[ObjectIdentifier(app)] = made
      return made
    }
  }
}
