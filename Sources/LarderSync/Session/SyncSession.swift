import Foundation
import LarderLocks
import LarderStorage

/// A session keeps one store level with the server: one per store in a process, from the first opening on (Y-57).
///
/// May be used from any thread. It goes on as long as there is a Realm of the store, or the program keeps it, and then until what was written is
/// sent, at most for the linger time (Y-58).
public final class SyncSession: Sendable {
  /// The states of a session's exchange of changes.
  public enum State: UInt, Sendable {
    /// The session exchanges changes, whenever there is a connection.
    case active = 0
    /// The session exchanges nothing: it was suspended, or waits for the program to do something about an error.
    case inactive = 1
    /// The session exchanges nothing any more: the user is logged out or removed.
    case invalid = 2
  }

  /// The state of the connection.
  public enum ConnectionState: UInt, Sendable {
    /// There is none.
    case disconnected = 0
    /// It is being made.
    case connecting = 1
    /// There is one.
    case connected = 2
  }

  /// The direction in which changes go.
  public enum ProgressDirection: Sendable {
    /// From this device.
    case upload
    /// To this device.
    case download
  }

  let store: Store
  let setup: SessionSetup
  let subscribed: SubscribedStore
  let engine: any SyncEngineProtocol
  /// The status of the engine, as it changes.
  let statuses: EventSource<EngineStatus>
  /// The thread that holds the lock of the store while it calls the program.
  let lockedThread = Lock<ObjectIdentifier?>(nil)
  private let held = Lock(Held())

  private struct Held {
    var engineObservation: EngineObservation?
    var userObserver: Int?
    var reporterObserver: Int?
    var commitHandler: Int?
    var reporting = ErrorReporting()
    /// The last failure, for those that wait.
    var failure: SyncError?
    /// True if the engine is suspended because the user is logged out.
    var isLoggedOut = false
  }

  /// - Throws: `StorageError`, what making an engine throws.
  init(_ store: Store, _ setup: SessionSetup, _ engine: any SyncEngineProtocol) throws {
    self.store = store
    self.setup = setup
    self.engine = engine
    subscribed = try SubscribedStore(store)
    statuses = EventSource(engine.status)
    subscribed.changed.withLock { $0 = { [weak engine] in engine?.subscriptionsChanged() } }
    let observation = engine.observe { [weak self] in self?.handle($0) }
    let user = setup.user?.changes.observe { [weak self] in self?.userChanged($0) }
    let changes = setup.reporter.connectionChanges.observe { [weak self] _ in self?.reconnect() }
    let commits = store.addCommitHandler { [weak self] _ in self?.committed() }
    held.withLock {
      $0.engineObservation = observation
      $0.userObserver = user
      $0.reporterObserver = changes
      $0.commitHandler = commits
    }
    if let user = setup.user, !user.isLoggedIn { held.withLock { $0.isLoggedOut = true } }
    statuses.send(engine.status)
  }

  deinit {
    let held = held.withLock { $0 }
    held.engineObservation?.invalidate()
    if let number = held.userObserver { setup.user?.changes.remove(number) }
    if let number = held.reporterObserver { setup.reporter.connectionChanges.remove(number) }
    if let token = held.commitHandler { store.removeCommitHandler(token) }
    setup.linger(engine, store)
  }

  // MARK: - State

  /// The state of the session: whether it exchanges changes.
  public var state: State {
    if let user = setup.user, !user.isLoggedIn { return .invalid }
    let status = engine.status
    return status.isSuspended || status.isInactive || !setup.connects ? .inactive : .active
  }

  /// The state of the connection.
  public var connectionState: ConnectionState { ConnectionState(engine.status.connection) }

  /// The state of the connection as it changes. Beyond RealmSwift, in place of observing the property.
  public var connectionStates: SyncEvents<ConnectionState> {
    let statuses = statuses
    return SyncEvents { statuses.stream { ConnectionState($0.connection) } }
  }

  /// Calls a block with the state of the connection, now and whenever it changes, until the token is released or invalidated. On a private
  /// queue. Beyond RealmSwift.
  public func observeConnectionState(_ block: @escaping @Sendable (ConnectionState) -> Void) -> NotificationToken {
    let statuses = statuses
    return TaskToken(
      Task {
        for await state in statuses.stream({ ConnectionState($0.connection) }) {
          if Task.isCancelled { return }
          block(state)
        }
      })
  }

  /// The changes that were written here and that the server has not confirmed, as they change. Beyond RealmSwift.
  public var unsentChanges: SyncEvents<UnsentChanges> {
    let statuses = statuses
    return SyncEvents { statuses.stream { UnsentChanges($0) } }
  }

  /// A Boolean value that says whether this process has the connection of the store. Beyond RealmSwift.
  public var isHolder: Bool { engine.status.isHolder }

  /// The time when this device and the server last had told each other everything; nil before that. Beyond RealmSwift.
  public var lastSynced: Date? {
    engine.status.lastSynced.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
  }

  /// The user; nil for configurations without an app.
  public func parentUser() -> User? { setup.user }

  /// Returns the configuration with which the store was opened first.
  public func configuration() -> SyncConfiguration? { setup.configuration }

  // MARK: - Connecting

  /// Closes the connection until `resume`; a restart of the program forgets it. Harmless when it is closed (Y-57).
  public func suspend() { engine.suspend() }

  /// Connects again after `suspend`, and after an error that made the session inactive. Harmless when it is connected.
  public func resume() { if setup.connects { engine.resume() } }

  /// Connects now instead of at the end of the present back-off.
  public func reconnect() { engine.reconnect() }

  // MARK: - What happens

  private func handle(_ event: EngineEvent) {
    switch event {
    case .status(let status):
      if status.connection == .connected { held.withLock { $0.reporting.connected() } }
      if status.connection == .connected, !status.isInactive { recovered() }
      statuses.send(status)
    case .subscriptions: subscribed.refresh()
    case .rejected(let objects):
      setup.reporter.report(.rejected(objects, store.path), of: self, with: nil) { [engine] in engine.refusalsReported()
      }
    case .hiddenLinks(let counts):
      for count in counts {
        Logger.shared.log(
          .info,
          "Synchronisation of '\(store.path)': links lead to \(count.objects) objects of class '\(count.className)' that no subscription has "
            + "brought here. They read nil; subscribe to the class to have them.")
      }
    case .failure(let failure): failed(failure)
    }
  }

  private func failed(_ failure: EngineFailure) {
    let error = SyncError(failure, path: store.path)
    let isReported = held.withLock { held in
      held.failure = error
      return held.reporting.reports(failure)
    }
    if isReported {
      setup.reporter.report(error, of: self, with: error.code == .clientResetError ? setup.resetHandler : nil) {}
    } else {
      Logger.shared.log(.info, "Synchronisation of '\(store.path)': \(error)")
    }
    if engine.status.isInactive { subscribed.end(error) }
    statuses.send(engine.status)
  }

  private func recovered() { if subscribed.statuses.value.ended != nil { subscribed.end(nil) } }

  private func userChanged(_ state: UserState) {
    switch state {
    case .loggedIn:
      subscribed.end(nil)
      engine.updateToken()
      let isBack = held.withLock { held in
        defer { held.isLoggedOut = false }
        return held.isLoggedOut
      }
      // A program's own suspend stays.
      if isBack || engine.status.isInactive { resume() }
    case .loggedOut, .removed:
      held.withLock { $0.isLoggedOut = true }
      engine.suspend()
      subscribed.end(.make(.clientUserError, "The user '\(setup.user?.id ?? "")' is logged out.", path: store.path))
    }
    statuses.send(engine.status)
  }

  /// A commit may be the engine's, of another process' or of this one's.
  private func committed() { if subscribed.statuses.value.record.state == .pending { subscribed.refresh() } }

  /// The error that keeps the session from doing anything; nil while it may do something.
  var ending: SyncError? { state == .active ? nil : held.withLock { $0.failure } }
}

extension SyncSession.ConnectionState {
  init(_ connection: EngineStatus.Connection) {
    self =
      switch connection {
      case .disconnected: .disconnected
      case .connecting: .connecting
      case .connected: .connected
      }
  }
}

/// The changes that were written here and that the server has not confirmed. Beyond RealmSwift.
public struct UnsentChanges: Sendable, Equatable {
  /// The number of write transactions.
  public let commits: Int
  /// Their bytes, about.
  public let bytes: Int
  /// The time when the oldest of them was made; nil without any.
  public let oldest: Date?

  init(_ status: EngineStatus) {
    commits = status.unsentCommits
    bytes = status.unsentBytes
    oldest = status.oldestUnsent.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
  }
}

extension SyncError {
  /// Writes that the server did not accept (Y-28).
  static func rejected(_ objects: [RejectedObject], _ path: String) -> SyncError {
    let infos = objects.map { CompensatingWriteInfo($0) }
    let first = infos.first.map { "\($0.objectType) \($0.primaryKey): \($0.reason)" } ?? ""
    return make(
      .writeRejected,
      "The server did not accept writes of \(infos.count) objects, which are as the server has them again. \(first)",
      path: path, [Key.rejected: infos])
  }
}

/// A token that ends a task.
final class TaskToken: NotificationToken, @unchecked Sendable {
  // Unchecked: as its class; the task is under a lock.
  private let task: Lock<Task<Void, Never>?>

  init(_ task: Task<Void, Never>) {
    self.task = Lock(task)
    super.init()
  }

  deinit { invalidate() }

  @discardableResult
  override func invalidate() -> Bool {
    let task = task.withLock { task in
      defer { task = nil }
      return task
    }
    task?.cancel()
    return task != nil
  }
}
