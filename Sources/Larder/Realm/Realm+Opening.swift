import Dispatch
import Foundation
import LarderStorage

extension Realm {
  /// The Realm itself, for what is above objects and collections.
  var core: RealmCore { host.core }

  /// Opens the default configuration.
  ///
  /// ```swift
  /// let realm = try Realm()
  /// ```
  ///
  /// Throws `Realm.Error`. The Realm belongs to the calling thread, or to the serial `queue` that the caller is on. Costs as `init(configuration:queue:)`.
  public init(queue: DispatchQueue? = nil) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue)
  }

  /// Opens a store, creating or updating it to the configuration's classes. Throws `Realm.Error`.
  ///
  /// ```swift
  /// let realm = try Realm(configuration: configuration)
  /// ```
  ///
  /// The Realm belongs to the calling thread, or to the serial `queue` that the caller is on. Opening again in the same place gives the same
  /// instance and costs some microseconds; the first time in a process costs milliseconds, and a migration what it needs.
  public init(configuration: Realm.Configuration, queue: DispatchQueue? = nil) throws {
    self.init(try RealmRegistry.shared.open(configuration, queue: queue))
  }

  /// Opens the store at a URL, with the default configuration otherwise. Throws `Realm.Error`.
  ///
  /// ```swift
  /// let realm = try Realm(fileURL: url)
  /// ```
  ///
  /// The Realm belongs to the calling thread. Costs as `init(configuration:queue:)`.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// The classes this Realm was opened with; of one that was opened with `objectTypes: []`, those of the file, whose objects are
  /// `DynamicObject`s.
  public var schema: Schema { Schema(classes: core.knownModels) }
  /// The configuration that it was opened with.
  public var configuration: Realm.Configuration { core.configuration }

  /// A Boolean value that says whether there is no object of any class.
  public var isEmpty: Bool {
    core.checkThread()
    // Objects that wait to be sent are none of the Realm's any more.
    return core.knownModels.filter { !$0.type.isAsymmetric() }.allSatisfy { model in
      orMisuse { try core.reader.count(of: core.cursor(of: model).classID) } == 0
    }
  }

  /// A Boolean value that says whether it never changes and any thread may read it.
  public var isFrozen: Bool { core.isFrozen }

  /// A Boolean value that says whether the Realm moves to new versions by itself when its thread or queue handles events.
  public var autorefresh: Bool {
    get { core.autorefresh }
    nonmutating set {
      core.checkThread()
      if newValue, core.isFrozen { misuse("Frozen Realms never change: autorefresh cannot be turned on.") }
      core.autorefresh = newValue
    }
  }

  /// Moves to the newest version; true when the version changed.
  ///
  /// ```swift
  /// let hasMoved = realm.refresh()
  /// ```
  ///
  /// Misuse on a read-only Realm. On the Realm's thread, queue or actor; observers are called before it returns. Costs what computing their
  /// changes takes.
  @discardableResult
  public func refresh() -> Bool { core.refresh() }

  /// Gives the version up: every object and collection read so far becomes invalid; an open write is cancelled.
  ///
  /// ```swift
  /// realm.invalidate()
  /// ```
  ///
  /// Never throws. On the Realm's thread, queue or actor; of a frozen Realm from any thread. Costs next to nothing, and lets the file reuse what
  /// the version held.
  public func invalidate() { core.invalidate() }

  /// The committed version the Realm is at, unchanging and usable on any thread.
  ///
  /// ```swift
  /// let version = realm.freeze()
  /// ```
  ///
  /// Misuse on another thread than the Realm's; what is frozen may be read from any thread. Costs next to nothing, but keeps the version in the
  /// file as long as it lives.
  public func freeze() -> Realm { core.isFrozen ? self : Realm(core.frozen()) }

  /// A live Realm on this thread.
  public func thaw() -> Realm { core.isFrozen ? Realm(core.thawed()) : self }
  /// The object at its present version; the same as `object.freeze()`.
  public func freeze<T>(_ obj: T) -> T where T: ObjectBase { frozenAccessor(of: obj) }
  /// The live object on this thread; the same as `object.thaw()`.
  public func thaw<T>(_ obj: T) -> T? where T: ObjectBase { thawedAccessor(of: obj) }
  /// The collection at its present version; the same as `collection.freeze()`.
  public func freeze<Collection: RealmCollection>(_ collection: Collection) -> Collection { collection.freeze() }
}

extension Realm: CustomStringConvertible {
  /// The store, where the Realm lives and what may be done there; no object is read. From any thread.
  public var description: String {
    let kind = core.isFrozen ? "frozen" : core.configuration.readOnly ? "read-only" : "live"
    let name = core.configuration.inMemoryIdentifier.map { "in memory, '\($0)'" } ?? "'\(core.store.path)'"
    return "Realm (\(name), \(kind), of \(core.confinement.text), \(core.models.count) classes)"
  }
}
