import Synchronization

@testable import LarderSyncServer

/// Makes calls of a connection fail, and counts them.
final class Faults: Sendable {
  enum Fault: Sendable {
    /// Nothing is run.
    case before(SQLFailure)
    /// Everything is run, and the answer is lost.
    case after(SQLFailure)
  }

  private struct State {
    var calls = 0
    var texts: [String] = []
    var plan: [Int: Fault] = [:]
  }

  private let state = Mutex(State())

  static let conflict = SQLFailure(SyncStoreError(.conflict, "made by a test", code: "40001"), repeating: .transaction)
  static let loss = SQLFailure(SyncStoreError(.unavailable, "made by a test"), repeating: .connection)

  /// Round trips since `reset`.
  var calls: Int { state.withLock { $0.calls } }
  /// The statements since `reset`.
  var texts: [String] { state.withLock { $0.texts } }

  /// Starts to count, and makes the calls of these numbers fail; the first is 1.
  func reset(_ plan: [Int: Fault] = [:]) { state.withLock { $0 = State(plan: plan) } }

  func next(_ commands: [SQLCommand]) -> Fault? {
    state.withLock { state in
      state.calls += 1
      state.texts += commands.map(\.statement.text)
      return state.plan.removeValue(forKey: state.calls)
    }
  }
}

/// A connection with faults.
final class FaultyConnection: SQLConnection {
  private let base: any SQLConnection
  private let faults: Faults

  init(_ base: any SQLConnection, _ faults: Faults) {
    self.base = base
    self.faults = faults
  }

  var location: String { base.location }

  func run(_ commands: [SQLCommand]) throws(SQLFailure) -> [[SQLRow]] {
    switch faults.next(commands) {
    case .before(let failure):
      throw failure
    case .after(let failure):
      _ = try base.run(commands)
      throw failure
    case nil:
      return try base.run(commands)
    }
  }

  func rollback() throws(SQLFailure) { try base.rollback() }
}

extension Backend {
  /// A store with one connection that has faults.
  func make(_ faults: Faults, policy: RetryPolicy = RetryPolicy(connectionTime: .seconds(2))) async throws -> TestStore
  {
    let location = try emptyLocation()
    _ = try StoreAdministration.migrate(location)
    let store = try await SQLSyncStore.open(
      dialect: location.dialect, connections: SQLSyncStore.Connections(writing: 1, reading: 1), policy: policy,
      logger: .quiet
    ) { access throws(SQLFailure) in
      do {
        return FaultyConnection(try location.connect(access), faults)
      } catch {
        throw SQLFailure(error as? SyncStoreError ?? SyncStoreError(.cannotConnect, "\(error)"))
      }
    }
    return TestStore(store: store, location: location)
  }
}
