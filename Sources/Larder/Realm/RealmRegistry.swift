import Dispatch
import Foundation
import LarderStorage
import Synchronization

/// The Realms open in this process, by file and place: opening again in the same place gives the same instance.
final class RealmRegistry: @unchecked Sendable {
  // Unchecked: `entries` is under the lock.
  static let shared = RealmRegistry()

  private struct Key: Hashable {
    var path: String
    var confinement: Confinement
    /// For frozen Realms: the version they are at.
    var version: ObjectIdentifier?
  }

  // Recursive: a reference taken inside may be the last one.
  private let lock = NSRecursiveLock()
  /// Realms take themselves out when they end, under the lock.
  private var entries: [Key: LooseReference<RealmCore>] = [:]
  // Recursive: a migration block may open other stores.
  private let openingLock = NSRecursiveLock()
  /// Stores that are being opened now, by the thread that holds the lock.
  private var openingPaths: Set<String> = []

  private func find(_ key: Key) -> RealmCore? { lock.withLock { entries[key]?.retained } }

  private func insert(_ core: RealmCore, _ key: Key) {
    lock.withLock {
      core.registryKey = key
      entries[key] = LooseReference(core)
    }
  }

  /// The Realm that observers belong to, unless it is just going; from any thread.
  func owner(of observers: RealmObservers) -> RealmCore? {
    lock.withLock {
      guard let core = observers.core else { return nil }
      // A Realm that ends waits for the lock before its memory is given back.
      return LooseReference(core).retained
    }
  }

  /// Returns the places and versions of the Realms of a store. From any thread.
  func whereabouts(of store: Store) -> [RealmLocation] {
    lock.withLock { entries.values.compactMap(\.retained) }.filter { $0.store === store }.compactMap(\.whereabouts)
  }

  /// Returns the place of a Realm of a store that can change; nil when there is none. From any thread.
  func liveRealm(of store: Store) -> Confinement? {
    lock.withLock { entries.values.compactMap(\.retained) }.first { $0.store === store && !$0.isFrozen }?.confinement
  }

  /// Returns true if there is a Realm of the store at a path that can change. From any thread.
  func hasRealms(at path: String) -> Bool {
    lock.withLock { entries.values.compactMap(\.retained) }.contains { $0.store.path == path && !$0.isFrozen }
  }

  /// Called when a Realm goes.
  func remove(_ core: RealmCore) {
    lock.withLock {
      core.observers.core = nil
      guard let key = core.registryKey as? Key,
        entries[key]?.refers(to: core) == true
      else { return }
      entries[key] = nil
    }
  }

  /// The frozen Realm of a version; the same one while it is in use.
  func frozen(_ version: Snapshot, _ make: () -> RealmCore) -> RealmCore {
    let key = Key(path: version.store.path, confinement: .anywhere, version: ObjectIdentifier(version))
    return lock.withLock {
      if let found = entries[key]?.retained { return found }
      let made = make()
      insert(made, key)
      return made
    }
  }

  /// Opens where the caller is, or on the serial queue it is on.
  func open(_ configuration: Realm.Configuration, queue: DispatchQueue?) throws -> RealmCore {
    try open(configuration, queue.map { Confinement.onQueue($0) } ?? .current, queue: queue)
  }

  /// Opens for a place. From anywhere, but used by nothing before it is in its place.
  ///
  /// - Parameter queue: For confinement to a queue: that queue.
  func open(_ configuration: Realm.Configuration, _ confinement: Confinement, queue: DispatchQueue? = nil) throws
    -> RealmCore
  {
    let path = try Self.path(of: configuration)
    let key = Key(path: path, confinement: confinement, version: nil)
    if let core = try fitting(configuration, key) { return core }
    return try opening(configuration) { opening in
      // Another may have opened for the same place meanwhile: two tasks of one actor.
      if let core = try fitting(configuration, key) { return core }
      let files = try configuration.inMemoryIdentifier.map { _ in try InMemoryFiles.claim(path) }
      let opened = try opening.open()
      let core = RealmCore(
        // Its version begins when it is first read: an idle Realm keeps none in use.
        store: opened.store, snapshot: nil, schema: opened.snapshot.schema, configuration: configuration,
        models: opening.models, place: RealmPlace(confinement, queue: queue, isFrozen: false), files: files)
      core.synchronisation = try configuration.syncConfiguration?.synchroniser.open(
        opened.store, configuration, ModelBinding(opening.models))
      // While nothing else has it: the place it is for may be running.
      core.observers.followCommits(core)
      // Before another opener may look who uses the store: it would migrate it under this Realm.
      insert(core, key)
      return core
    }
  }

  /// The Realm of a place, if it was opened with such a configuration. Throws when the settings of the file differ (E-12).
  private func fitting(_ configuration: Realm.Configuration, _ key: Key) throws -> RealmCore? {
    guard let core = find(key), core.confinement.isReachable else { return nil }
    let path = key.path
    try core.verifyProcess()
    guard core.configuration.readOnly == configuration.readOnly else {
      throw Realm.Error.make(.fail, "'\(path)' is already open with a different readOnly setting.", path: path)
    }
    guard core.configuration.encryptionKey == configuration.encryptionKey else {
      throw Realm.Error.make(.fail, "'\(path)' is already open with a different encryptionKey.", path: path)
    }
    guard core.configuration.durability == configuration.durability else {
      throw Realm.Error.make(.fail, "'\(path)' is already open with a different durability.", path: path)
    }
    guard
      core.configuration.syncConfiguration?.synchroniser.identity
        == configuration.syncConfiguration?.synchroniser.identity
    else {
      throw Realm.Error.make(
        .incompatibleSession, "'\(path)' is already open for another user, tenant or role, or as a local store.",
        path: path)
    }
    return core.configuration.hasSchema(of: configuration) ? core : nil
  }

  /// Returns the path of the store of a configuration.
  static func path(of configuration: Realm.Configuration) throws -> String {
    URL(fileURLWithPath: try configuration.checkedPath()).standardizedFileURL.path
  }

  /// Runs `body` while no other thread opens anything: a second opener finds the schema applied.
  ///
  /// Throws when this thread is opening that store already: in a migration block (M-67), or in a default value (M-3).
  func opening<Result>(
    _ configuration: Realm.Configuration, _ body: (RealmOpening) throws -> Result
  ) throws -> Result {
    let path = try Self.path(of: configuration)
    return try openingLock.withLock {
      guard openingPaths.insert(path).inserted else {
        throw Realm.Error.make(
          .fail, "'\(path)' is just being opened by this thread; a migration block uses the Migration it is given.",
          path: path)
      }
      defer { openingPaths.remove(path) }
      let models = try SchemaRules.models(configuration)
      // A store in memory lives in files of this process, which go with what claimed them last.
      let files = try configuration.inMemoryIdentifier.map { _ in try InMemoryFiles.claim(path) }
      return try withExtendedLifetime(files) {
        try body(RealmOpening(path: path, configuration: configuration, models: models))
      }
    }
  }
}
