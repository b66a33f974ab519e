import Dispatch
import Foundation
import LarderLocks
import LarderStorage
import Synchronization

/// The Realms that `Realm.read` and `Realm.write` lend to their blocks. They are kept for the next block for a while, and keep their stores
/// open by that.
///
/// A Realm that waits here is at no version. What needs a store for itself closes those that wait first (`close(_:)`).
final class ScopedRealms: Sendable {
  static let shared = ScopedRealms()

  /// Realms of one store that wait at most: as many blocks run at once without making another.
  private static let mostOfStore = 8

  /// Those of one store that wait.
  private struct Waiting {
    /// None while blocks have them.
    var realms: [LentRealm] = []
    var lastUse: UInt64
  }

  private struct State {
    var keeping = StoreKeeping()
    var stores: [URL: Waiting] = [:]
    /// The sweep that comes next; 0 where none does. Earlier ones do nothing.
    var sweep: UInt64 = 0
    var sweeps: UInt64 = 0
    /// The process that they are of: a child that was forked off it must use none of them.
    var process = Store.processMark
  }

  private let state = Lock(State())
  private let number = Atomic<UInt64>(0)

  /// The place of a Realm that is made for blocks.
  var newPlace: Confinement { .scope(number.add(1, ordering: .relaxed).newValue) }

  var keeping: StoreKeeping {
    get { state.withLock { $0.keeping } }
    set {
      let closed = state.withLock { state in
        state.keeping = newValue
        // The next one may be a long way off.
        if !state.stores.isEmpty { sweep(&state, after: newValue.seconds) }
        return takeExpired(&state) + takeSurplus(&state)
      }
      release(closed)
    }
  }

  // MARK: - Lending

  /// A Realm that waits, for a configuration, and the newest version for it; nil where there is none. It is the caller's alone until
  /// `giveBack`.
  func take(_ configuration: Realm.Configuration) -> (realm: LentRealm, newest: Snapshot)? {
    guard let url = configuration.fileURL else { return nil }
    let (found, strangers) = state.withLock { state -> (LentRealm?, [LentRealm]) in
      let strangers = leaveParent(&state)
      guard let place = state.stores[url]?.realms.lastIndex(where: { $0.core.serves(configuration) }) else {
        return (nil, strangers)
      }
      // In its place: a copy of the list would be one for each block.
      return (state.stores[url]?.realms.remove(at: place), strangers)
    }
    release(strangers)
    guard let found else { return nil }
    // The file may have been removed or replaced, the store migrated by another process: opening finds out.
    guard let newest = found.core.newestAsOpened else {
      close(found.core.store)
      found.end()
      return nil
    }
    return (found, newest)
  }

  /// Takes a Realm back after a block, which ends. It goes where anything else still refers to it, or is to be called by it.
  func giveBack(_ lent: LentRealm) {
    lent.core.endScope()
    guard let url = lent.core.keptUnder, lent.isAlone else { return lent.end() }
    if lent.core.requests == nil { lent.core.requests = giveWay(lent.core.store) }
    let closed = state.withLock { state -> [LentRealm] in
      var closed = leaveParent(&state)
      let number = state.stores[url]?.realms.count ?? 0
      guard state.keeping.seconds > 0, state.keeping.count > 0, number < Self.mostOfStore else {
        return closed + [lent]
      }
      let now = DispatchTime.now().uptimeNanoseconds
      state.stores[url, default: Waiting(lastUse: now)].realms.append(lent)
      state.stores[url]?.lastUse = now
      if state.stores.count > state.keeping.count { closed += takeSurplus(&state) }
      if state.sweep == 0 { sweep(&state, after: state.keeping.seconds) }
      return closed
    }
    release(closed)
  }

  // MARK: - Closing

  /// Closes all that wait. Whether there were any.
  @discardableResult
  func close() -> Bool { close { _ in true } }

  /// Closes those of the store at a path. Whether there were any.
  @discardableResult
  func close(path: String) -> Bool {
    guard state.withLock({ !$0.stores.isEmpty }), let store = Store.opened(path) else { return false }
    return close(store)
  }

  /// Closes those of a store. Whether there were any.
  @discardableResult
  func close(_ store: Store) -> Bool { close { $0.store === store } }

  /// Closes what may have made opening a store fail. Whether there was anything of the kind.
  func giveWay(to error: StorageError, _ path: String) -> Bool {
    switch error.code {
    case .alreadyOpen: close(path: path)
    // There may be too many files open.
    case .fileAccess: close()
    default: false
    }
  }

  /// Closes those of a store when another process wants its file.
  private func giveWay(_ store: Store) -> (any Sendable)? {
    let path = store.path
    return store.watchExclusiveRequests { [weak self] in
      DispatchQueue.global().async { [weak self] in _ = self?.close(path: path) }
    }
  }

  private func close(where isMeant: (RealmCore) -> Bool) -> Bool {
    let closed = state.withLock { state in
      var closed = leaveParent(&state)
      for (url, waiting) in state.stores where waiting.realms.contains(where: { isMeant($0.core) }) {
        closed += waiting.realms
        state.stores[url] = nil
      }
      return closed
    }
    release(closed)
    return !closed.isEmpty
  }

  /// Lets go of Realms, not under the lock. When this returns nothing of what they did keeps their stores open.
  private func release(_ realms: [LentRealm]) {
    for realm in realms {
      realm.core.store.drainThreads()
      realm.end()
    }
  }

  /// Takes out those that have waited long enough.
  private func takeExpired(_ state: inout State) -> [LentRealm] {
    let now = DispatchTime.now().uptimeNanoseconds
    let patience = UInt64(max(0, min(state.keeping.seconds, 1e9)) * 1e9)
    var expired: [LentRealm] = []
    for (url, waiting) in state.stores where waiting.lastUse + patience <= now {
      expired += waiting.realms
      state.stores[url] = nil
    }
    return expired
  }

  /// Takes out those that were used the longest ago, where there are too many.
  private func takeSurplus(_ state: inout State) -> [LentRealm] {
    let surplus = state.stores.count - max(0, state.keeping.count)
    guard surplus > 0 else { return [] }
    if surplus == 1, let oldest = state.stores.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      state.stores[oldest.key] = nil
      return oldest.value.realms
    }
    let oldest = state.stores.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(surplus)
    for (url, _) in oldest { state.stores[url] = nil }
    return oldest.flatMap(\.value.realms)
  }

  /// In a child that was forked off the process takes out all: they are the parent's.
  private func leaveParent(_ state: inout State) -> [LentRealm] {
    guard state.process != Store.processMark else { return [] }
    let parents = state.stores.values.flatMap(\.realms)
    state = State(keeping: state.keeping)
    return parents
  }

  // MARK: - Time

  private func sweep(_ state: inout State, after seconds: Double) {
    state.sweeps += 1
    let number = state.sweeps
    state.sweep = number
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + max(0.01, min(seconds, 1e9))) { [weak self] in
      self?.sweep(number)
    }
  }

  private func sweep(_ number: UInt64) {
    let expired = state.withLock { state -> [LentRealm] in
      guard state.sweep == number else { return [] }
      state.sweep = 0
      let expired = takeExpired(&state)
      if let oldest = state.stores.values.map(\.lastUse).min() {
        let age = Double(DispatchTime.now().uptimeNanoseconds - oldest) / 1e9
        sweep(&state, after: state.keeping.seconds - age)
      }
      return expired
    }
    release(expired)
  }
}

extension RealmCore {
  /// Returns true if it may be lent to a block that was given a configuration.
  fileprivate func serves(_ other: Realm.Configuration) -> Bool {
    configuration.hasSchema(of: other) && other.readOnly == configuration.readOnly
      && other.durability == configuration.durability
      && other.encryptionKey == configuration.encryptionKey && other.syncConfiguration == nil
      && other.maximumNumberOfActiveVersions == configuration.maximumNumberOfActiveVersions
  }

  /// The newest version, where opening now would find the file and the schema that it was opened with; nil otherwise.
  fileprivate var newestAsOpened: Snapshot? {
    guard store.isInPlace, let newest = try? store.snapshot() else { return nil }
    let schema = newest.schema
    guard schema === knownSchema || schema.fingerprint == knownSchema.fingerprint,
      schema.schemaVersion == configuration.schemaVersion
    else { return nil }
    return newest
  }

  /// The URL that it is kept under for the next block; nil where it is not to be kept: stores in memory and synchronised ones, and where something
  /// is open, is to be called or waits for the write lock.
  fileprivate var keptUnder: URL? {
    guard configuration.syncConfiguration == nil, !isWriting, snapshot == nil, grants.isEmpty, !observers.haveListeners,
      !isAnnouncing, backgroundCommit == nil
    else { return nil }
    return configuration.fileURL
  }
}
