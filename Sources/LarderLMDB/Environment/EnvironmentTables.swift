import LarderLocks
import Synchronization

/// The tables of an environment: those that every file has, and optional ones, which are set once and read without a lock where the file
/// has none.
///
/// LMDB lets one transaction of a process at a time open tables, and only until that ends are they its own.
final class EnvironmentTables: Sendable {
  let fixed: [Table]
  private struct State {
    var tables: [Table] = []
    /// A write transaction has opened them and has not ended.
    var isMaking = false
  }

  private let isSet = Atomic<Bool>(false)
  private let isMaking = Atomic<Bool>(false)
  private let state = Lock(State())

  init(_ fixed: [Table]) { self.fixed = fixed }

  /// Empty while the file has none.
  var optional: [Table] { isSet.load(ordering: .acquiring) ? state.withLock { $0.tables } : [] }

  func set(_ tables: [Table]) {
    state.withLock { $0.tables = tables }
    isSet.store(true, ordering: .releasing)
  }

  /// Lets the write transaction open them; `made` says how that ended.
  func making(_ body: () throws -> [Table]) throws -> [Table] {
    try state.withLock { state in
      let made = try body()
      state.isMaking = true
      isMaking.store(true, ordering: .releasing)
      return made
    }
  }

  /// The write transaction has ended: with the tables, or with nothing kept.
  func made(_ tables: [Table]) {
    guard isMaking.load(ordering: .acquiring) else { return }
    state.withLock { $0.isMaking = false }
    isMaking.store(false, ordering: .releasing)
    if !tables.isEmpty { set(tables) }
  }

  /// Lets a read transaction open them, unless a write transaction is about to; false when they were not found.
  func find(_ body: () throws -> [Table]) throws -> Bool {
    let found = try state.withLock { state in
      if !state.tables.isEmpty { return state.tables }
      return state.isMaking ? [] : try body()
    }
    if !found.isEmpty { set(found) }
    return !found.isEmpty
  }
}
