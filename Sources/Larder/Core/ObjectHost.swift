import LarderQuery
import LarderStorage

/// The Realm as its objects, collections and queries know it: its place, its version, its transaction and its classes. `RealmCore` is the only
/// subclass.
///
/// A base class and no protocol: every object refers to its host, and reads and writes go through it. A reference to a class is one word
/// and its stored properties are loads; a reference to a protocol's type is two words, and each use a call (docs/decisions/0016).
///
/// Confined to one thread, queue or actor, except for frozen ones, which never change.
class ObjectHost: @unchecked Sendable {
  // Unchecked: confined; every entry checks the thread.
  final let store: Store
  final let isReadOnly: Bool
  final let classes: ClassTable
  /// Predicates this Realm was asked for lately.
  final let prepared = PredicateCache()
  // What is used for every object that is read or added: no exclusivity checks.
  @exclusivity(unchecked) final private(set) var place: RealmPlace
  @exclusivity(unchecked) final private(set) var version: RealmVersion
  @exclusivity(unchecked) final private(set) var session = WriteSession()
  @exclusivity(unchecked) final var adding = AddingState()
  /// Not for frozen Realms, which several threads may ask at once.
  @exclusivity(unchecked) final private(set) var recent = RecentCursor()
  /// The announcer that notifies listeners before changes; nil for none.
  @exclusivity(unchecked) final private(set) var announcer: ChangeAnnouncer?
  /// True if there is one: asked before each change, without counting a reference.
  @exclusivity(unchecked) final private(set) var isAnnouncing = false

  init(_ store: Store, _ snapshot: Snapshot?, _ place: RealmPlace, _ models: [ModelClass], isReadOnly: Bool) {
    self.store = store
    self.place = place
    self.isReadOnly = isReadOnly
    classes = ClassTable(models)
    version = RealmVersion(snapshot)
  }

  // MARK: - What only the whole Realm can do

  /// Moves a Realm that has no version yet to the newest one.
  func beginVersion() -> Snapshot { misuse("This Realm was invalidated.") }

  /// The frozen Realm of the current committed version; the same one while it is in use.
  func frozen() -> ObjectHost { misuse("This Realm cannot be frozen.") }

  /// The live Realm of this store in the place the caller is in.
  func thawed() -> ObjectHost { misuse("This Realm cannot be thawed.") }

  /// Returns a maker that makes and adds objects under a policy.
  func maker(_ policy: Realm.UpdatePolicy) -> any ObjectMaker { misuse("Objects cannot be added to this Realm.") }
}

// MARK: - The place

extension ObjectHost {
  /// Gives the host of a scope to the calling thread, until `takeBack()`.
  final func lend() { place.lend() }

  /// Leaves it usable nowhere.
  final func takeBack() { place.takeBack() }
}

// MARK: - The version

extension ObjectHost {
  @inline(__always)
  final var isFrozen: Bool { place.isFrozen }

  @inline(__always)
  final var confinement: Confinement { place.confinement }

  @inline(__always)
  final var snapshot: Snapshot? { version.snapshot }

  @inline(__always)
  final var generation: UInt32 { version.generation }

  @inline(__always)
  final var stamp: UInt64 { version.stamp }

  /// The stamp of an accessor that is made now.
  @inline(__always)
  final var validity: ValidityStamp { ValidityStamp(epoch: version.epoch, write: session.number) }

  /// Differs whenever bytes read before may have moved.
  final var readingStamp: ReadingStamp { ReadingStamp(contents: stamp, written: writer?.viewStamp ?? 0) }

  /// Everything is read through this: the write transaction's state, or the current version.
  final var reader: any StoreReader { if let writer { writer } else { currentSnapshot() } }

  /// The schema of the version the Realm is at.
  final var schema: StoreSchema { reader.schema }

  /// The version the Realm is at; begins one after `invalidate()`.
  final func currentSnapshot() -> Snapshot {
    if let snapshot { return snapshot }
    if isFrozen { misuse("This frozen Realm was invalidated.") }
    return beginVersion()
  }

  /// Returns true if the caller is on the Realm's own thread, and it reads the version of that generation outside of a write transaction.
  @inline(__always)
  final func isReadingHere(generation: UInt64) -> Bool {
    generation == UInt64(self.generation) && !isWriting && !isFrozen && place.isOpeningThread
  }

  /// Returns true if an accessor has outlived neither its Realm nor the write transaction that made its object.
  @inline(__always)
  final func isValid(_ stamp: ValidityStamp, _ classID: ClassID, _ key: ObjectKey) -> Bool {
    stamp.epoch == version.epoch && !session.hasVanished(classID, key, bornIn: stamp.write)
  }

  final func move(to newest: Snapshot?) {
    version.move(to: newest)
    classes.reset()
  }

  /// Ends everything that was made before, and keeps no version.
  final func endEpoch() {
    version.beginEpoch()
    move(to: nil)
  }
}

// MARK: - Announcing changes

extension ObjectHost {
  /// Has a block called before changes of something, where the Realm lives, until the token goes.
  final func announce(_ subject: AnnouncedSubject, _ block: @escaping () -> Void) -> NotificationToken {
    let announcer = announcer ?? ChangeAnnouncer()
    let token = AnnouncementToken(subject, announcer, block)
    announcer.add(token)
    setAnnouncer(announcer)
    return token
  }

  /// Lets go of an announcer that has no listeners any more.
  final func dropIdleAnnouncer() {
    if announcer?.isEmpty == true { setAnnouncer(nil) }
  }

  private final func setAnnouncer(_ new: ChangeAnnouncer?) {
    if new === announcer { return }
    announcer = new
    isAnnouncing = new != nil
    // Each class's cursor notes whether there is one. Within a transaction one is set before the first change only.
    if isWriting { classes.setWriter(writer) }
  }
}

// MARK: - The transaction

extension ObjectHost {
  @inline(__always)
  final var writer: StoreWriter? { session.writer }

  @inline(__always)
  final var isWriting: Bool { session.isOpen }

  /// Number of the open write transaction; 0 outside of one.
  @inline(__always)
  final var writeNumber: UInt32 { session.number }

  /// True if a migration changes objects through it.
  final var isMigrating: Bool { session.isMigrating }

  /// True if the open transaction has changed anything.
  final var hasChanges: Bool { version.changes != session.changesAtBegin }

  /// Every write through this Realm calls it.
  @inline(__always)
  final func noteChange() { version.noteChange() }

  /// Goes on in a transaction that starts from the version the Realm is at.
  final func enter(_ opened: StoreWriter, isMigration: Bool = false) {
    session.begin(opened, changes: version.changes, isMigration: isMigration)
    classes.setWriter(opened)
    version.reset()
    classes.reset()
  }

  /// Leaves the transaction, which another owner has ended or is going to end.
  final func leaveWrite() -> WriteOutcome? {
    let outcome = session.end()
    classes.setWriter(nil)
    return outcome
  }

  /// Leaves a transaction that was undone, or whose commit failed.
  final func leaveCancelled(_ number: UInt32, _ base: Snapshot, _ spent: Set<ClassID>) {
    _ = leaveWrite()?.end(.cancelled)
    session.forget(number, spent.reduce(into: [:]) { $0[$1] = base.nextObjectKey(of: $1) })
    version.reset()
    classes.reset()
  }

  /// Returns the outcome that references made within the open transaction wait for; nil outside of one.
  final func outcomeOfWrite() -> WriteOutcome? { session.sharedOutcome() }

  /// Returns true if references of an outcome were made in the transaction that is open here.
  final func isWriting(_ outcome: WriteOutcome) -> Bool { session.outcome === outcome }

  /// Counts a nested write that begins (1) or ends (-1).
  final func nest(_ change: Int) { session.openSavepoints += change }
}

// MARK: - Classes

extension ObjectHost {
  final var models: [ModelClass] { classes.models }
  /// The classes that the Realm was opened with; where these are none, those of the file, as `DynamicObject`s.
  final var knownModels: [ModelClass] {
    guard models.isEmpty else { return models }
    return schema.classes.filter { $0.syncMode != .asymmetric }.compactMap { dynamicCursorIfKnown($0.name)?.model }
  }
  final var naming: PropertyNaming { classes.naming }

  /// The cursor of a class that was used before, where the Realm is used on the thread that opened it; nil otherwise.
  @inline(__always)
  final func cursorAtOnce(for type: ObjectBase.Type) -> _ClassCursor? {
    guard !isFrozen, place.isOpeningThread else { return nil }
    return recent.find(type)?.takeUnretainedValue()
  }

  /// The cursor of a class; misuse when the class is not in the schema.
  @inline(__always)
  final func cursor(for type: ObjectBase.Type) -> _ClassCursor {
    if !isFrozen, let found = recent.find(type) { return found.takeUnretainedValue() }
    return orMisuse { try verifiedCursor(for: type) }
  }

  /// The cursor of a class; throws when the class is not in the schema.
  final func verifiedCursor(for type: ObjectBase.Type) throws -> _ClassCursor {
    if !isFrozen, let found = recent.find(type) { return found.takeUnretainedValue() }
    let found = try classes.cursor(for: type, in: self)
    if !isFrozen { recent.note(found, for: type) }
    return found
  }

  /// The cursor that makes `DynamicObject`s of a class; misuse when the store has no class of that name.
  final func dynamicCursor(_ name: String) -> _ClassCursor { orMisuse { try verifiedDynamicCursor(name) } }

  /// The same, throwing.
  final func verifiedDynamicCursor(_ name: String) throws -> _ClassCursor {
    if schema[name]?.syncMode == .asymmetric {
      throw Realm.Error.invalid(
        "\(misuseText(name)) is asymmetric: its objects are only sent, and cannot be read or made by name.",
        className: name)
    }
    if let found = dynamicCursorIfKnown(name) { return found }
    let known = schema.classes.map(\.name).joined(separator: ", ")
    throw Realm.Error.invalid("The Realm has no class '\(misuseText(name))'. Its classes are: \(known).")
  }

  /// The same; nil when the store has no class of that name.
  final func dynamicCursorIfKnown(_ name: String) -> _ClassCursor? { classes.dynamicCursor(name, in: self) }

  /// This Realm's cursor of the class of another Realm's cursor.
  final func cursor(like other: _ClassCursor) -> _ClassCursor { cursor(of: other.model) }

  /// This Realm's cursor of a class that another Realm of the store knows.
  final func cursor(of model: ModelClass) -> _ClassCursor {
    model.isDynamic ? dynamicCursor(model.name) : cursor(for: model.type)
  }
}
