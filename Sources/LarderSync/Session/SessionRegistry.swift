import LarderLocks
import LarderStorage

/// The sessions of this process, one per store, and engines that still send what closed stores have (Y-57, Y-58).
final class SessionRegistry: Sendable {
  static let shared = SessionRegistry()

  private struct WeakSession {
    weak var session: SyncSession?
  }

  private struct Lingering {
    let engine: any SyncEngineProtocol
    let store: Store
    let number: Int
  }

  private struct State {
    var sessions: [String: WeakSession] = [:]
    var lingering: [String: Lingering] = [:]
    var number = 0
    /// Stores that were opened in this process.
    var opened: Set<String> = []
  }

  private let state = Lock(State())

  /// All sessions there are.
  var sessions: [SyncSession] { state.withLock { $0.sessions.values.compactMap(\.session) } }

  /// The session of a store that is open; nil without one.
  func session(at path: String) -> SyncSession? { state.withLock { $0.sessions[path]?.session } }

  /// The session of a store, which is made where there is none.
  ///
  /// - Throws: `Realm.Error.incompatibleSession` for a store that is open for another user, tenant or role; what making an engine throws.
  func session(of store: Store, _ setup: SessionSetup) throws -> SyncSession {
    if let found = session(at: store.path) {
      guard found.setup.identity == setup.identity else {
        throw Realm.Error.make(
          .incompatibleSession,
          "'\(store.path)' is already open for another user, tenant or role: each has a store of its own.",
          path: store.path)
      }
      return found
    }
    let kept = state.withLock { $0.lingering.removeValue(forKey: store.path) }
    let reused = kept.flatMap { $0.store === store ? $0.engine : nil }
    let engine = try reused ?? setup.makeEngine(store, setup.engine)
    let made = try SyncSession(store, setup, engine)
    state.withLock { $0.sessions[store.path] = WeakSession(session: made) }
    let mayConnect = setup.connects && setup.user?.isLoggedIn ?? true
    if !mayConnect {
      engine.suspend()
    } else if reused != nil {
      engine.resume()
    }
    if reused == nil { engine.start() }
    return made
  }

  /// Returns true if a store is opened for the first time in this process.
  func isFirst(_ path: String) -> Bool { state.withLock { $0.opened.insert(path).inserted } }

  /// Ends and forgets everything of a store, so that it is closed as soon as the program has let go of its session.
  func release(_ path: String) {
    let (session, kept) = state.withLock { state in
      defer { state.opened.remove(path) }
      return (state.sessions.removeValue(forKey: path)?.session, state.lingering.removeValue(forKey: path))
    }
    let engines = [session?.engine, kept?.engine].compactMap { $0 }
    Task(executorPreference: StoreTaskExecutor.shared) { for engine in engines { await engine.stop() } }
  }

  /// Ends what still sends what a closed store has, and waits until the store is closed, for some seconds at most.
  func endLingering(at path: String) async {
    guard let kept = state.withLock({ $0.lingering.removeValue(forKey: path) }) else { return }
    await kept.engine.stop()
    _ = consume kept
    for _ in 0..<200 where Store.isOpen(path) { try? await Task.sleep(for: .milliseconds(10)) }
  }

  /// Has the engine of a store without Realms go on until everything is sent, for at most some time.
  func linger(_ engine: any SyncEngineProtocol, of store: Store, for time: Duration) {
    let path = store.path
    let number = state.withLock { state in
      state.number += 1
      if state.sessions[path]?.session == nil { state.sessions[path] = nil }
      state.lingering[path] = Lingering(engine: engine, store: store, number: state.number)
      return state.number
    }
    Task(executorPreference: StoreTaskExecutor.shared) {
      if engine.status.unsentCommits > 0 {
        try? await TimeLimit.run(time / .seconds(1)) { try await engine.waitForUpload() }
      }
      let isOver = self.state.withLock { state in
        guard state.lingering[path]?.number == number else { return false }
        state.lingering[path] = nil
        return true
      }
      if isOver { await engine.stop() }
    }
  }
}
