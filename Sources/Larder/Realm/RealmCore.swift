import Foundation
import LarderLocks
import LarderObservation
import LarderStorage

/// The state of a `Realm`: what objects know of it, and what moves it from version to version.
final class RealmCore: ObjectHost, @unchecked Sendable {
  // Unchecked: confined; every entry checks the thread.
  let configuration: Realm.Configuration
  var autorefresh = true
  /// The last commit made through this Realm of which observers are notified.
  private(set) var lastOwnCommit = Moment.zero
  let observers = RealmObservers()
  /// The requests that wait for the write lock.
  let grants = WriteGrants()
  /// The queued writes, once there was one.
  var queuedWrites: (any WriteQueue)?
  /// A commit on its way: readers wait for it.
  private(set) var backgroundCommit: BackgroundCommit?
  /// For a store in memory: keeps its files as long as a Realm uses them.
  let files: InMemoryFiles?
  /// The schema that the cursors' numbers are of.
  var knownSchema: StoreSchema
  /// Fingerprint of a schema that this Realm cannot follow.
  var refusedSchema: UInt64?
  /// The key under which the registry keeps this Realm.
  var registryKey: (any Hashable)?
  /// The part that keeps the store level with a server; nil for a local one.
  var synchronisation: (any StoreSynchronisation)?
  /// The part that hears of other processes that want the store for themselves, while the Realm is lent to blocks.
  var requests: (any Sendable)?
  private let location = Lock<RealmLocation?>(nil)

  init(
    store: Store, snapshot: Snapshot?, schema: StoreSchema, configuration: Realm.Configuration, models: [ModelClass],
    place: RealmPlace, files: InMemoryFiles?
  ) {
    knownSchema = schema
    self.configuration = configuration
    self.files = files
    super.init(store, snapshot, place, models, isReadOnly: configuration.readOnly)
    observers.core = self
    noteLocation()
  }

  deinit {
    RealmRegistry.shared.remove(self)
    classes.forgetLinks()
    abandonWrite()
  }

  private func noteLocation() {
    let version = snapshot?.version
    location.withLock { location in
      guard let version else { return location = nil }
      if location == nil {
        location = RealmLocation(version: version, place: isFrozen ? .current : confinement, isFrozen: isFrozen)
      }
      location?.version = version
    }
  }

  /// The place and the version of the Realm; nil without a version. From any thread.
  var whereabouts: RealmLocation? { location.withLock { $0 } }

  // MARK: - Freezing

  /// The frozen Realm of the current committed version; the same one while it is in use.
  override func frozen() -> RealmCore {
    checkThread()
    return frozen(at: currentSnapshot())
  }

  /// The frozen Realm of a version. From any thread.
  func frozen(at version: Snapshot) -> RealmCore { freezing.realm(at: version) }

  /// The maker of frozen Realms of the store's versions.
  var freezing: Freezing { Freezing(store: store, configuration: configuration, models: models, files: files) }

  /// The live Realm of this store in the place the caller is in.
  override func thawed() -> RealmCore {
    guard isFrozen else { return self }
    let configuration = configuration
    return orMisuse { try RealmRegistry.shared.open(configuration, queue: nil) }
  }

  // MARK: - Adding

  override func maker(_ policy: Realm.UpdatePolicy) -> any ObjectMaker { ObjectBuilder(self, policy: policy) }

  // MARK: - Versions

  override func beginVersion() -> Snapshot {
    settle()
    if let snapshot { return snapshot }
    let newest = ReaderPatience.orMisuse { try newestReadable() }
    go(to: newest)
    return newest
  }

  /// The newest version; throws when it cannot be read by this Realm any more.
  func newestReadable() throws -> Snapshot {
    var newest = try store.snapshot()
    // Who may not make the classes that the store lacks finds them empty (M-79).
    if isReadOnly { newest = try newest.with(models.map(\.declaration)) }
    try verifySchema(of: newest)
    return newest
  }

  /// Moves to a version, or gives up the one it is at.
  private func go(to newest: Snapshot?) {
    move(to: newest)
    noteLocation()
  }

  /// Moves to a version, unless it is there, and tells observers (N-3).
  func catchUp(with newest: Snapshot) {
    settle()
    observers.finishCalls()
    if announceMove(to: newest) {
      go(to: newest)
      observers.send(.didChange, self)
    }
    observers.deliverPending(self)
  }

  /// Notifies those who want to know before the Realm moves; false when it is at the version or beyond, then or before.
  private func announceMove(to newest: Snapshot) -> Bool {
    guard let current = snapshot else { return true }
    guard current.moment < newest.moment else { return false }
    guard isAnnouncing, let announcer else { return true }
    announcer.moves(from: current, to: newest)
    dropIdleAnnouncer()
    // What was called may have moved the Realm.
    return snapshot.map { $0.moment < newest.moment } ?? true
  }

  /// Moves to a version unless at it or beyond, and delivers what is due (O-114).
  func catchUp(withAtLeast version: Snapshot) {
    guard !isFrozen, !isWriting else { return }
    if let snapshot, snapshot.version >= version.version { return }
    catchUp(with: version)
  }

  /// Moves to the newest version and delivers what is due. Stays where it is while it writes or calls observers, and where the newest
  /// version cannot be read.
  func moveToNewest() {
    guard !isFrozen, !isWriting, !observers.isBusy, let newest = try? newestReadable() else { return }
    catchUp(withAtLeast: newest)
  }

  /// Moves to a given newer version; used when notifications of that version are delivered.
  func advance(to newer: Snapshot) -> Bool {
    guard !isWriting, !isFrozen else { return false }
    settle()
    if let snapshot, snapshot.moment >= newer.moment { return false }
    guard canFollow(to: newer), announceMove(to: newer) else { return false }
    go(to: newer)
    return true
  }

  func refresh() -> Bool {
    checkThread()
    if isFrozen { return false }
    if isReadOnly { misuse("Read-only Realms never change.") }
    guard !isWriting, !observers.isBusy else { return false }
    settle()
    let newest = ReaderPatience.orMisuse { try store.snapshot() }
    let changed = snapshot.map { $0.moment < newest.moment } ?? true
    if changed {
      guard canFollow(to: newest) else { return false }
      if announceMove(to: newest) {
        go(to: newest)
        observers.send(.didChange, self)
      }
    }
    observers.deliverPending(self)
    return changed
  }

  func invalidate() {
    if isFrozen { return classes.withLock { go(to: nil) } }
    checkThread()
    guard !observers.isBusy else { return }
    if isWriting {
      Logger.shared.log(.warn, "invalidate() undoes the open write transaction of '\(store.path)'.")
      cancelWrite()
    }
    settle()
    queuedWrites?.dropQueued(self)
    guard snapshot != nil else { return }
    endEpoch()
    noteLocation()
  }

  // MARK: - Commits

  func commitWrite(withoutNotifying tokens: [NotificationToken]) throws {
    checkThread()
    guard let open = writer else { misuse("No write transaction is open.") }
    try verifyNotNested()
    for token in tokens where !observers.owns(token, self) { misuse("Tokens must belong to this Realm.") }
    try verifySubscribed(open)
    open.keepsEqualAssignments = observers.isObserved(store)
    var own: Snapshot?
    do {
      var version: UInt64 = 0
      try observers.committing {
        // Whatever is to skip this commit, and nothing else, has to be brought to just this version (N-66).
        version = try open.commit { if !tokens.isEmpty { own = try? store.snapshot() } }
        noteCommit(open.moment)
        return open.moment
      } then: {
        // Nothing that goes wrong from here undoes the commit. Without a free reader slot the version begins when it is first read.
        let outcome = leaveWrite()
        let newest = try? store.snapshot()
        go(to: newest)
        outcome?.end(committedAs: version, newest)
        return arrival(at: newest, after: open, own, tokens)
      }
    } catch {
      leaveCancelled(writeNumber, open.base, open.spentClasses)
      observers.turnIfMissed(self)
      throw Realm.Error(error, path: store.path)
    }
    observers.send(.didChange, self, except: tokens)
    observers.turnIfMissed(self)
  }

  private func arrival(
    at newest: Snapshot?, after open: StoreWriter, _ own: Snapshot?, _ tokens: [NotificationToken]
  ) -> OwnArrival {
    guard let newest else { return skipping(.unreadable, after: open, own, tokens) }
    // Of a commit that changed nothing there may be nothing to be notified of.
    let isSmall = newest.moment == open.moment && open.isSmall
    let arrival: OwnArrival = newest.moment == open.base.moment ? .unchanged : .at(newest, isSmall: isSmall)
    return skipping(arrival, after: open, own, tokens)
  }

  /// Returns the arrival with this commit skipped for the observers of `tokens`. When another process has committed just then, nothing is skipped:
  /// its commit must not be.
  private func skipping(
    _ arrival: OwnArrival, after open: StoreWriter, _ own: Snapshot?, _ tokens: [NotificationToken]
  ) -> OwnArrival {
    guard let own, own.moment == open.moment else { return arrival }
    return arrival.skipping(observers.handles(tokens).map(\.id), to: own)
  }

  func cancelWrite() {
    checkThread()
    guard let open = writer else { misuse("No write transaction is open.") }
    open.cancel()
    leaveCancelled(writeNumber, open.base, open.spentClasses)
    observers.turnIfMissed(self)
  }

  /// The last accessor was released with the transaction open: it would end without a trace (F-13).
  private func abandonWrite() {
    guard let writer else { return }
    writer.cancel()
    leaveWrite()?.end(.cancelled)
    Logger.shared.log(
      .warn,
      "A write transaction of '\(store.path)' was undone: its Realm was released before commitWrite(). Keep the Realm in a "
        + "variable, `let realm = try Realm()`, as long as the transaction is open, or use realm.write { }.")
  }

  private func noteCommit(_ moment: Moment?) {
    if let moment { lastOwnCommit = moment }
    files?.noteCommit()
  }

  /// Ends the write transaction here; its commit runs elsewhere, if it can.
  ///
  /// - Parameter isFollowed: Whether another write of this Realm comes soon.
  func commitInBackground(isFollowed: Bool = false) -> BackgroundCommit {
    let open = openWriter()
    orMisuse {
      try store.checkProcess()
      try verifyNotNested()
    }
    let number = writeNumber
    open.keepsEqualAssignments = observers.isObserved(store)
    observers.backgroundCommitBegan()
    let commit = BackgroundCommit(writeNumber: number, base: open.base, store, leaveWrite())
    backgroundCommit = commit
    go(to: nil)
    commit.start(open, isFollowed: isFollowed, verifiedBy: synchronisation)
    return commit
  }

  /// Waits for the commit that is on its way, and moves to what it made; when it failed, to where it started from.
  func settle() {
    guard let commit = backgroundCommit else { return }
    backgroundCommit = nil
    switch commit.wait() {
    case .success(let made):
      noteCommit(made.moment)
      observers.backgroundCommitEnded(made.moment)
      // Without a free reader slot it begins when it is first read.
      go(to: try? store.snapshot())
    case .failure:
      observers.backgroundCommitEnded(nil)
      leaveCancelled(commit.writeNumber, commit.base, commit.spentClasses)
      go(to: commit.base)
    }
  }
}
