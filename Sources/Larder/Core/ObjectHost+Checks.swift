import LarderStorage

/// The checks before anything is locked or changed (E-0b).
extension ObjectHost {
  // MARK: - The place

  @inline(__always)
  final func checkThread() {
    if isFrozen || place.isOpeningThread { return }
    orMisuse { try verifyPlace() }
  }

  /// Throws on another thread, queue or actor than the Realm's, and in a forked child.
  final func verifyThread() throws {
    try verifyProcess()
    try verifyPlace()
  }

  /// Throws in a child that was forked off the process that opened the store (F-132).
  final func verifyProcess() throws {
    if store.isOpeningProcess { return }
    try orRealmError(path: store.path) { try store.checkProcess() }
  }

  private final func verifyPlace() throws {
    guard !place.isHere else { return }
    throw Realm.Error.make(
      .fail,
      "The Realm of '\(store.path)' belongs to \(confinement.text) and was used from \(Confinement.currentText). "
        + Self.wayElsewhere, path: store.path)
  }

  #if canImport(Combine) || OpenCombine
    private static let wayElsewhere =
      "Pass a frozen object or open a Realm there; publishers need freeze() or threadSafeReference() before receive(on:)."
  #else
    private static let wayElsewhere = "Pass a frozen object or open a Realm there."
  #endif

  // MARK: - The transaction

  @inline(__always)
  final func checkWriting(_ message: () -> String) {
    if isWriting, store.isOpeningProcess { return }
    orMisuse { try verifyWriting(message) }
  }

  /// Throws outside of a write transaction; the message says what was to be done.
  final func verifyWriting(_ message: () -> String) throws {
    try verifyProcess()
    if isWriting { return }
    let state =
      isFrozen ? "This Realm is frozen and never changes. " : isReadOnly ? "This Realm is read-only. " : ""
    throw Realm.Error.make(.fail, state + message(), path: store.path)
  }

  final func openWriter() -> StoreWriter {
    guard let writer else { misuse("No write transaction is open.") }
    return writer
  }

  // MARK: - Objects

  /// Throws for a policy that needs a primary key where there is none (E-56).
  final func verifyPolicy(_ policy: Realm.UpdatePolicy, _ model: ModelClass) throws {
    if policy != .error, model.primaryKey == nil { throw Realm.Error.noKeyToUpdateBy(model) }
  }

  /// Returns true if an object is an accessor of this Realm's rows.
  final func manages(_ object: ObjectBase) -> Bool { object.host === self && object.isManaged }

  /// Returns true if an object has to be added; misuse when it cannot be.
  final func checkAdding(_ object: ObjectBase, _ policy: Realm.UpdatePolicy) -> Bool {
    // One new object after another of a class: all is well, known without asking for the class.
    if isWriting, policy == .error, !object.isManaged, place.isOpeningThread, recent.isFor(type(of: object)),
      store.isOpeningProcess
    {
      return true
    }
    return orMisuse { try verifyAdding(object, policy) }
  }

  /// Returns true if an object has to be added; throws when it cannot be.
  final func verifyAdding(_ object: ObjectBase, _ policy: Realm.UpdatePolicy) throws -> Bool {
    try verifyThread()
    if object.isManaged {
      if object.isDetached || object.isInvalidated { throw Realm.Error.addingDeleted(object.model) }
      if object.host === self { return false }
      throw Realm.Error.otherRealm(object.model)
    }
    let model = try verifiedCursor(for: type(of: object)).model
    try verifyWriting { "Add \(model.name) inside realm.write { }." }
    try verifyPolicy(policy, model)
    return true
  }

  /// The key to store for a link; an unmanaged object is added first.
  final func linkKey(for object: ObjectBase) -> ObjectKey {
    if object.isManaged {
      guard object.host === self else { misuse("\(Realm.Error.otherRealm(object.model))") }
      guard !object.isInvalidated else { misuse(object.deletedMessage) }
      return object._objectKey
    }
    return orMisuse { try maker(adding.policy).add(object) }
  }

  /// Writes the values of the objects that were too deep.
  final func finishPostponed() {
    while let postponed = adding.depth.next() {
      adding.depth.enter()
      postponed()
      adding.depth.leave()
    }
  }
}
