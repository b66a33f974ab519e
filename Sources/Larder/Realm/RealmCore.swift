import Dispatch
import Foundation
import LarderLocks
import LarderQuery
import LarderStorage

/// The state behind a `Realm`: the version it is at, its write transaction, and a cursor for each class.
///
/// Confined to one thread, queue or actor, except for frozen ones, which never change; those guard their cursors by a lock.
final class RealmCore: @unchecked Sendable {
  // Unchecked: confined; every entry checks the thread.
  let store: Store
  let configuration: Realm.Configuration
  let models: [ModelClass]
  let confinement: Confinement
  let queue: DispatchQueue?
  let isFrozen: Bool
  private(set) var snapshot: Snapshot? {
    didSet { noteWhereabouts() }
  }
  private let known = Lock<Whereabouts?>(nil)
  private(set) var writer: StoreWriter? {
    didSet { for cursor in allCursors { cursor.writer = writer } }
  }
  /// Changes with every move to another version; part of every tag.
  @exclusivity(unchecked) private(set) var generation: UInt32 = 1
  /// Nested writes that are open within the transaction.
  var openSavepoints = 0
  /// Number of the open write transaction; 0 outside of one.
  @exclusivity(unchecked) private(set) var writeNumber: UInt32 = 0
  private var writeCount: UInt32 = 0
  /// By the number of a cancelled write transaction: keys from these on vanished with it.
  @exclusivity(unchecked) private var cancelledFrom: [UInt32: [ClassID: ObjectKey]] = [:]
  /// Changes with `invalidate()`.
  @exclusivity(unchecked) private(set) var epoch: UInt32 = 0
  var autorefresh = true
  /// Policy for objects that are added because something links to them.
  var addingPolicy = Realm.UpdatePolicy.error
  /// Whether existing rows are updated only in the properties that were assigned.
  var addsAssignedOnly = false
  // Touched for every object added: no exclusivity checks.
  @exclusivity(unchecked) var nesting = AddingDepth()
  /// How the open transaction will end, once something in it was referred to from elsewhere.
  private var references: WriteOutcome?
  /// Whether a migration changes objects through it.
  private(set) var isMigrating = false
  /// Changes of the open write transaction: collections evaluated before one are evaluated again.
  private var changes: UInt32 = 0
  /// The thread it was opened on, for a quick answer; zero for a queue's Realm, which may change threads.
  private let openThread: UInt
  private var changesAtBegin: UInt32 = 0
  /// The last commit made through this Realm of which observers are told.
  private(set) var lastOwnCommit = Moment.zero

  private var cursors: [ObjectIdentifier: _ClassCursor] = [:]
  /// Of classes as `DynamicObject`s, by name.
  private var dynamicCursors: [String: _ClassCursor] = [:]
  private var allCursors: [_ClassCursor] = []
  /// Not for frozen Realms, which several threads may ask at once.
  private(set) var recent = RecentCursor()
  private let lock = NSLock()
  let observers = RealmObservers()
  let asyncWrites = AsyncWrites()
  /// A commit on its way: whoever reads waits for it.
  private(set) var backgroundCommit: BackgroundCommit?
  /// For a store in memory: keeps its files as long as a Realm uses them.
  let files: InMemoryFiles?
  /// The schema that the cursors' numbers are of.
  var knownSchema: StoreSchema
  /// Fingerprint of a schema that this Realm cannot follow.
  var refusedSchema: UInt64?
  /// Where the registry keeps this Realm.
  var registryKey: (any Hashable)?

  init(
    store: Store, snapshot: Snapshot?, schema: StoreSchema, configuration: Realm.Configuration, models: [ModelClass],
    confinement: Confinement, queue: DispatchQueue?, isFrozen: Bool, files: InMemoryFiles?
  ) {
    self.store = store
    self.snapshot = snapshot
    knownSchema = schema
    self.configuration = configuration
    self.models = models
    naming = Self.naming(of: models)
    self.confinement = confinement
    self.queue = queue
    self.isFrozen = isFrozen
    self.files = files
    openThread = confinement == .current ? Confinement.threadNumber : 0
    observers.core = self
    noteWhereabouts()
  }

  private func noteWhereabouts() {
    let version = snapshot?.version
    known.withLock { known in
      guard let version else { return known = nil }
      if known == nil {
        known = Whereabouts(version: version, place: isFrozen ? .current : confinement, isFrozen: isFrozen)
      }
      known?.version = version
    }
  }

  /// Where the Realm stands; nil without a version. From any thread.
  var whereabouts: Whereabouts? { known.withLock { $0 } }

  deinit {
    RealmRegistry.shared.remove(self)
    for cursor in allCursors { cursor.forgetOthers() }
    abandonWrite()
  }

  var isWriting: Bool { writer != nil }

  /// Whether the caller is on the Realm's own thread, and it reads the version of that generation outside of a write transaction.
  @inline(__always)
  func isReadingHere(generation: UInt64) -> Bool {
    generation == UInt64(self.generation) && writer == nil && !isFrozen && openThread == Confinement.threadNumber
  }

  /// Differs whenever contents read before may have changed.
  var stamp: UInt64 { UInt64(generation) << 32 | UInt64(changes) }

  /// Differs whenever bytes read before may be gone: also when a query in a transaction had changes written out, which moves what
  /// lies beside them.
  var readingStamp: ReadingStamp { ReadingStamp(contents: stamp, written: writer?.writtenStamp ?? 0) }

  /// Whether the open transaction has changed anything.
  var hasChanges: Bool { changes != changesAtBegin }

  /// Every write through this Realm calls it.
  @inline(__always)
  func noteChange() { changes &+= 1 }

  /// Whether a configuration asks for the same classes and version.
  func fits(_ other: Realm.Configuration) -> Bool {
    guard other.schemaVersion == configuration.schemaVersion else { return false }
    guard let types = other.objectTypes else { return configuration.objectTypes == nil }
    guard let mine = configuration.objectTypes else { return false }
    return Set(types.map { ObjectIdentifier($0) }) == Set(mine.map { ObjectIdentifier($0) })
  }

  // MARK: - Checks

  @inline(__always)
  func checkThread() {
    if isFrozen || openThread == Confinement.threadNumber { return }
    orMisuse { try verifyThread() }
  }

  /// Throws on another thread, queue or actor than the Realm's.
  func verifyThread() throws {
    if isFrozen || openThread == Confinement.threadNumber { return }
    guard confinement.isHere else {
      throw Realm.Error.make(
        .fail,
        "The Realm of '\(store.path)' belongs to \(confinement.text) and was used from \(Confinement.currentText). "
          + "Pass a frozen object or open a Realm there.", path: store.path)
    }
  }

  @inline(__always)
  func checkWriting(_ message: () -> String) {
    if writer != nil { return }
    orMisuse { try verifyWriting(message) }
  }

  /// Throws outside of a write transaction; the message says what was to be done.
  func verifyWriting(_ message: () -> String) throws {
    if writer != nil { return }
    let state =
      isFrozen ? "This Realm is frozen and never changes. " : configuration.readOnly ? "This Realm is read-only. " : ""
    throw Realm.Error.make(.fail, state + message(), path: store.path)
  }

  func openWriter() -> StoreWriter {
    guard let writer else { misuse("No write transaction is open.") }
    return writer
  }

  func checkPolicy(_ policy: Realm.UpdatePolicy, _ model: ModelClass) {
    orMisuse { try verifyPolicy(policy, model) }
  }

  /// Throws for a policy that needs a primary key where there is none (E-56).
  func verifyPolicy(_ policy: Realm.UpdatePolicy, _ model: ModelClass) throws {
    if policy != .error, model.primaryKey == nil { throw Realm.Error.noKeyToUpdateBy(model) }
  }

  /// Whether an object is an accessor of this Realm's rows.
  func manages(_ object: ObjectBase) -> Bool { object.core === self && object.isManaged }

  /// Whether an object has to be added; misuse when it cannot be.
  func checkAdding(_ object: ObjectBase, _ policy: Realm.UpdatePolicy) -> Bool {
    // One new object after another of a class: all is well, known without asking for the class.
    if writer != nil, policy == .error, !object.isManaged, openThread == Confinement.threadNumber,
      recent.isFor(type(of: object))
    {
      return true
    }
    return orMisuse { try verifyAdding(object, policy) }
  }

  /// Whether an object has to be added; throws when it cannot be.
  func verifyAdding(_ object: ObjectBase, _ policy: Realm.UpdatePolicy) throws -> Bool {
    try verifyThread()
    if object.isManaged {
      if object.isDetached || object.isInvalidated { throw Realm.Error.addingDeleted(object.model) }
      if object.core === self { return false }
      throw Realm.Error.otherRealm(object.model)
    }
    let model = try verifiedCursor(for: type(of: object)).model
    try verifyWriting { "Add \(model.name) inside realm.write { }." }
    try verifyPolicy(policy, model)
    return true
  }

  /// The key to store for a link; an unmanaged object is added first.
  func linkKey(for object: ObjectBase) -> ObjectKey {
    if object.isManaged {
      guard object.core === self else { misuse("\(Realm.Error.otherRealm(object.model))") }
      guard !object.isInvalidated else { misuse(object.deletedMessage) }
      return object._objectKey
    }
    return ObjectBuilder(self, policy: effectivePolicy(for: object)).add(object)
  }

  /// Writes the values of the objects that were too deep.
  func finishPostponed() {
    while let postponed = nesting.next() {
      nesting.enter()
      postponed()
      nesting.leave()
    }
  }

  private func effectivePolicy(for object: ObjectBase) -> Realm.UpdatePolicy { addingPolicy }

  // MARK: - Versions

  /// Everything is read through this: the write transaction's state, or the current version.
  var reader: any StoreReader { if let writer { writer } else { currentSnapshot() } }

  /// The version the Realm is at; begins one after `invalidate()`.
  func currentSnapshot() -> Snapshot {
    if let snapshot { return snapshot }
    if isFrozen { misuse("This frozen Realm was invalidated.") }
    settle()
    if let snapshot { return snapshot }
    let newest = ReaderPatience.orMisuse { try newestReadable() }
    move(to: newest)
    return newest
  }

  /// The newest version; throws when it cannot be read by this Realm any more.
  private func newestReadable() throws -> Snapshot {
    var newest = try store.snapshot()
    // Who may not make the classes that the store lacks finds them empty (M-79).
    if configuration.readOnly { newest = try newest.with(models.map(\.declaration)) }
    try verifySchema(of: newest)
    return newest
  }

  private func move(to newest: Snapshot?) {
    snapshot = newest
    reset()
  }

  private func reset() {
    generation &+= 1
    for cursor in allCursors { cursor.reset() }
  }

  /// Moves to a given newer version; used when notifications of that version are delivered.
  func advance(to newer: Snapshot) -> Bool {
    guard writer == nil, !isFrozen else { return false }
    settle()
    if let snapshot, snapshot.moment >= newer.moment { return false }
    guard canFollow(to: newer) else { return false }
    move(to: newer)
    return true
  }

  func refresh() -> Bool {
    checkThread()
    if isFrozen { return false }
    if configuration.readOnly { misuse("Read-only Realms never change.") }
    guard writer == nil, !observers.isBusy else { return false }
    settle()
    let newest = ReaderPatience.orMisuse { try store.snapshot() }
    let changed = snapshot.map { $0.moment < newest.moment } ?? true
    if changed {
      guard canFollow(to: newest) else { return false }
      move(to: newest)
      observers.send(.didChange, self)
    }
    observers.deliverPending(self)
    return changed
  }

  func invalidate() {
    if isFrozen {
      lock.withLock {
        snapshot = nil
        reset()
      }
      return
    }
    checkThread()
    guard !observers.isBusy else { return }
    if writer != nil {
      Logger.shared.log(.warn, "invalidate() undoes the open write transaction of '\(store.path)'.")
      cancelWrite()
    }
    settle()
    asyncWrites.dropQueued(self)
    guard snapshot != nil else { return }
    epoch &+= 1
    move(to: nil)
  }

  // MARK: - Writing

  func beginWrite() {
    checkThread()
    if isFrozen { misuse("This Realm is frozen and cannot be written; use thaw().") }
    if configuration.readOnly { misuse("This Realm is read-only and cannot be written.") }
    if writer != nil { misuse("A write transaction is already open on this Realm.") }
    ReaderPatience.orMisuse {
      try verifyActiveVersions()
      try openWrite()
    }
  }

  /// Begins a transaction where one may be begun; throws when it cannot.
  ///
  /// - Parameter isStaying: It is committed or cancelled before the caller can come to run on another thread.
  func openWrite(isStaying: Bool = false) throws {
    let opened = try openAtNewest { [store] in
      isStaying || !mayHop ? try store.beginWrite() : try store.beginLentWrite()
    }
    begin(opened)
  }

  /// As `beginWrite()`, waiting for the write lock for at most so many seconds; throws when it was not to be had.
  func beginWrite(timeout seconds: Double) throws {
    // Longer than thirty years is for ever; what is no number is the least.
    let seconds = seconds >= Self.leastTimeout ? min(seconds, Self.mostTimeout) : Self.leastTimeout
    let end = ContinuousClock.now + .seconds(seconds)
    let opened = try openAtNewest { [store] in
      let left = end - ContinuousClock.now
      guard let opened = try store.beginLentWrite(timeout: left / .seconds(1)) else {
        throw Realm.Error.make(
          .writeTimeout,
          "The write lock of '\(store.path)' was not free within \(seconds) s: another writer of this or "
            + "another process holds it. Nothing was done; try again.", path: store.path)
      }
      return opened
    }
    begin(opened)
  }

  /// Seconds that finding out takes whether the write lock is free.
  private static let leastTimeout = 0.02
  private static let mostTimeout = 1e9

  /// Whether the Realm's place may run on one thread now and on another one later.
  private var mayHop: Bool {
    switch confinement {
    case .queue, .actor: true
    case .main, .thread, .anywhere: false
    }
  }

  /// Goes on in a transaction that starts from the version the Realm is at.
  func begin(_ opened: StoreWriter) {
    settle()
    writeCount &+= 1
    writeNumber = writeCount
    openSavepoints = 0
    writer = opened
    changesAtBegin = changes
    reset()
  }

  /// Goes on in the transaction of a migration, which is not this Realm's to end.
  func beginMigration(_ opened: StoreWriter) {
    begin(opened)
    isMigrating = true
  }

  /// What references made within the open transaction wait for; nil outside of one.
  func outcomeOfWrite() -> WriteOutcome? {
    guard isWriting else { return nil }
    if let references { return references }
    let made = WriteOutcome()
    references = made
    return made
  }

  /// Whether references of an outcome were made in the transaction that is open here.
  func isWriting(_ outcome: WriteOutcome) -> Bool { references === outcome }

  /// The last accessor was released with the transaction open: it would end without a trace (F-13).
  private func abandonWrite() {
    guard let writer else { return }
    writer.cancel()
    cancelReferences()
    Logger.shared.log(
      .warn,
      "A write transaction of '\(store.path)' was undone: its Realm was released before commitWrite(). Keep the Realm in a "
        + "variable, `let realm = try Realm()`, as long as the transaction is open, or use realm.write { }.")
  }

  private func cancelReferences() {
    references?.end(.cancelled)
    references = nil
  }

  /// Gives the migration's transaction back; objects of it are invalid from now on.
  func endMigration() {
    guard isMigrating else { return }
    isMigrating = false
    writer = nil
    writeNumber = 0
    cancelReferences()
    invalidate()
  }

  /// Moves to the newest version, tells observers of it, and begins the transaction there.
  ///
  /// Observers are called before the write lock is held (N-3): they may write themselves (N-65). Only when others commit all
  /// the time are the last of their changes told with the lock held.
  private func openAtNewest(_ open: () throws -> StoreWriter) throws -> StoreWriter {
    var attempts = 0
    while true {
      catchUp(with: try newestReadable())
      let opened = try asyncWrites.beginningSynchronously { try waiting(open) }
      attempts += 1
      if snapshot?.moment == opened.base.moment { return opened }
      do {
        try verifySchema(of: opened.base)
      } catch {
        opened.cancel()
        throw error
      }
      if attempts == 4 {
        catchUp(with: opened.base)
        return opened
      }
      opened.cancel()
    }
  }

  /// Waits for the write lock. Says so in the log when the main thread stood still for long (U-22).
  private func waiting(_ open: () throws -> StoreWriter) rethrows -> StoreWriter {
    guard confinement == .main else { return try open() }
    let start = ContinuousClock.now
    let opened = try open()
    let waited = ContinuousClock.now - start
    if waited > .milliseconds(100) {
      Logger.shared.log(
        .warn,
        "The main thread waited \(waited) for the write lock of '\(store.path)'. Write elsewhere, or with writeAsync or asyncWrite."
      )
    }
    return opened
  }

  /// Moves to a version, unless it is there, and tells observers (N-3).
  func catchUp(with newest: Snapshot) {
    settle()
    observers.finishCalls()
    if snapshot.map({ $0.moment < newest.moment }) ?? true {
      move(to: newest)
      observers.send(.didChange, self)
    }
    observers.deliverPending(self)
  }

  func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
    checkThread()
    guard let open = writer else { misuse("No write transaction is open.") }
    try verifyNotNested()
    for token in tokens where !observers.owns(token, self) { misuse("Tokens must belong to this Realm.") }
    open.keepsEqualAssignments = observers.isObserved(store)
    observers.willCommit(willFollow: true)
    var own: Snapshot?
    let version: UInt64
    do {
      // Whoever is to skip this commit, and nothing else, has to be brought to just this version (N-66).
      version = try open.commit { if !tokens.isEmpty { own = try? store.snapshot() } }
      if let moment = open.moment { lastOwnCommit = moment }
      files?.noteCommit()
      observers.didCommit(open.moment)
    } catch {
      observers.didCommit(nil)
      writer = nil
      forgetCancelled(writeNumber, open.base, open.spentClasses)
      cancelReferences()
      observers.turnIfMissed(self)
      throw Realm.Error(error, path: store.path)
    }
    writer = nil
    writeNumber = 0
    // Nothing that goes wrong from here undoes the commit. Without a free reader slot the version begins when it is first read.
    let newest = try? store.snapshot()
    move(to: newest)
    references?.end(committedAs: version, newest)
    references = nil
    // When another process has committed just then, what it did must not be skipped.
    if let own, own.moment == open.moment { observers.skip(own, tokens) }
    if let newest {
      // Of a commit that changed nothing there may be nothing to be told.
      if newest.moment != open.base.moment {
        observers.followOwn(newest, isSmall: newest.moment == open.moment && open.isSmall)
      }
    } else {
      observers.followLater()
    }
    observers.send(.didChange, self, except: tokens)
    observers.turnIfMissed(self)
  }

  func cancelWrite() {
    checkThread()
    guard let open = writer else { misuse("No write transaction is open.") }
    open.cancel()
    writer = nil
    forgetCancelled(writeNumber, open.base, open.spentClasses)
    cancelReferences()
    observers.turnIfMissed(self)
  }

  /// Ends the write transaction here; its commit runs elsewhere, if it can.
  func commitInBackground() -> BackgroundCommit {
    let open = openWriter()
    orMisuse { try verifyNotNested() }
    let commit = BackgroundCommit(writeNumber: writeNumber, base: open.base, store, references)
    references = nil
    open.keepsEqualAssignments = observers.isObserved(store)
    observers.willCommit(willFollow: false)
    writer = nil
    writeNumber = 0
    backgroundCommit = commit
    move(to: nil)
    commit.start(open)
    return commit
  }

  /// Waits for the commit that is on its way, and moves to what it made; when it failed, to where it started from.
  func settle() {
    guard let commit = backgroundCommit else { return }
    backgroundCommit = nil
    switch commit.wait() {
    case .success(let made):
      if let moment = made.moment { lastOwnCommit = moment }
      files?.noteCommit()
      observers.didCommit(made.moment)
      // Without a free reader slot it begins when it is first read.
      move(to: try? store.snapshot())
    case .failure:
      observers.didCommit(nil)
      forgetCancelled(commit.writeNumber, commit.base, commit.spentClasses)
      move(to: commit.base)
    }
  }

  /// Accessors of objects made in a cancelled transaction stay invalid, even when another process gives their keys again.
  private func forgetCancelled(_ number: UInt32, _ base: Snapshot, _ classes: Set<ClassID>) {
    if !classes.isEmpty { cancelledFrom[number] = classes.reduce(into: [:]) { $0[$1] = base.nextObjectKey(of: $1) } }
    writeNumber = 0
    reset()
  }

  /// Whether an object vanished with the cancelled write transaction that what leads to it was made in.
  @inline(__always)
  func hasVanished(_ classID: ClassID, _ key: ObjectKey, bornIn number: UInt32) -> Bool {
    if number == 0 || number == writeNumber || cancelledFrom.isEmpty { return false }
    guard let floor = cancelledFrom[number]?[classID] else { return false }
    return !(key < floor)
  }

  // MARK: - Classes

  /// The cursor of a class that was used before, where the Realm is used on the thread that opened it; nil otherwise.
  @inline(__always)
  func cursorAtOnce(for type: ObjectBase.Type) -> _ClassCursor? {
    guard !isFrozen, openThread == Confinement.threadNumber else { return nil }
    return recent.find(type)?.takeUnretainedValue()
  }

  /// The cursor of a class; misuse when the class is not in the schema.
  @inline(__always)
  func cursor(for type: ObjectBase.Type) -> _ClassCursor {
    if !isFrozen, let found = recent.find(type) { return found.takeUnretainedValue() }
    return orMisuse { try verifiedCursor(for: type) }
  }

  /// The cursor of a class; throws when the class is not in the schema.
  func verifiedCursor(for type: ObjectBase.Type) throws -> _ClassCursor {
    if !isFrozen, let found = recent.find(type) { return found.takeUnretainedValue() }
    lock.lock()
    defer { lock.unlock() }
    let identifier = ObjectIdentifier(type)
    if let found = cursors[identifier] {
      recent.note(found, for: type)
      return found
    }
    guard let model = models.first(where: { $0.type == type }), let descriptor = schema[model.name] else {
      throw Realm.Error.invalid(
        "\(type.className()) is not in this Realm's schema; add it to objectTypes.", className: type.className())
    }
    let made = _ClassCursor(core: self, model: model, descriptor: descriptor)
    cursors[identifier] = made
    allCursors.append(made)
    return made
  }

  /// The cursor that makes `DynamicObject`s of a class; misuse when the store has no class of that name.
  func dynamicCursor(_ name: String) -> _ClassCursor { orMisuse { try verifiedDynamicCursor(name) } }

  /// The same, throwing.
  func verifiedDynamicCursor(_ name: String) throws -> _ClassCursor {
    if let found = dynamicCursorIfKnown(name) { return found }
    let known = schema.classes.map(\.name).joined(separator: ", ")
    throw Realm.Error.invalid("The Realm has no class '\(misuseText(name))'. Its classes are: \(known).")
  }

  /// The same; nil when the store has no class of that name.
  func dynamicCursorIfKnown(_ name: String) -> _ClassCursor? {
    lock.lock()
    defer { lock.unlock() }
    if let found = dynamicCursors[name] { return found }
    guard let descriptor = schema[name] else { return nil }
    let model = ModelClass.dynamic(descriptor, models.first { $0.name == name }, schema)
    let made = _ClassCursor(core: self, model: model, descriptor: descriptor)
    dynamicCursors[name] = made
    allCursors.append(made)
    return made
  }

  /// This Realm's cursor of the class of another Realm's cursor.
  func cursor(like other: _ClassCursor) -> _ClassCursor { cursor(of: other.model) }

  /// This Realm's cursor of a class that another Realm of the store knows.
  func cursor(of model: ModelClass) -> _ClassCursor {
    model.isDynamic ? dynamicCursor(model.name) : cursor(for: model.type)
  }

  /// How property names become stored names; nothing to do unless a class renames some. Made at once: frozen Realms are
  /// read from many threads.
  let naming: PropertyNaming

  private static func naming(of models: [ModelClass]) -> PropertyNaming {
    let isPlain = models.allSatisfy { model in
      model.inverses.isEmpty && model.properties.allSatisfy { $0.name == $0.columnName }
    }
    if isPlain { return .stored }
    let byName = Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return PropertyNaming(
      // Of a class that the program declares only the declared names may be used.
      storedName: { name, property in byName[name].map { $0.property(named: property)?.columnName } ?? property },
      names: { entry in
        byName[entry.name].map { ($0.properties + $0.inverses).map(\.name) } ?? entry.columns.map(\.name)
      },
      inverse: { name, property in
        guard let inverse = byName[name]?.inverse(named: property), let origin = inverse.originName,
          let className = inverse.objectClassName
        else { return nil }
        return (className, byName[className]?.property(named: origin)?.columnName ?? origin)
      })
  }

  /// Predicates this Realm was asked for lately.
  let prepared = PreparedPredicates()

  /// The schema of the version the Realm is at.
  var schema: StoreSchema { reader.schema }

  // MARK: - Freezing

  /// The frozen Realm of the current committed version; the same one while it is in use.
  func frozen() -> RealmCore {
    checkThread()
    return frozen(at: currentSnapshot())
  }

  /// The frozen Realm of a version. From any thread.
  func frozen(at version: Snapshot) -> RealmCore { freezing.realm(at: version) }

  /// What makes frozen Realms of the store's versions.
  var freezing: Freezing { Freezing(store: store, configuration: configuration, models: models, files: files) }

  /// The live Realm of this store in the place the caller is in.
  func thawed() -> RealmCore {
    guard isFrozen else { return self }
    let configuration = configuration
    return orMisuse { try RealmRegistry.shared.open(configuration, queue: nil) }
  }
}

/// Until when bytes that were read may be looked at.
struct ReadingStamp: Equatable {
  var contents: UInt64
  var written: UInt64
}
