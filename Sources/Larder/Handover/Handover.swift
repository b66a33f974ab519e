import LarderLocks
import LarderStorage

/// A confined value on its way to another place: its frozen counterpart, which keeps the version until it is taken or let go.
struct Handover<Confined: ThreadConfined>: Sendable {
  private struct Contents {
    /// Nil when the value was made in a write transaction that was still open: it does not exist in any version yet.
    let frozen: Confined?
    let pin: RealmCore
    let pending: Pending?
  }

  /// Of a value that was handed over within a write transaction: how that ends, and the way to the value afterwards.
  private struct Pending {
    let outcome: WriteOutcome
    let find: (RealmCore) -> Confined?
  }

  private final class Place: Sendable {
    /// Frozen, which any thread may read; nil once it was taken.
    let contents: Lock<UncheckedBox<Contents>?>
    init(_ contents: UncheckedBox<Contents>?) { self.contents = Lock(contents) }
  }

  private let place: Place
  /// Of the Realm that it comes from.
  let configuration: Realm.Configuration

  /// Throws unless the value is managed, valid, and used where it lives.
  init(_ value: Confined) throws {
    guard let core = value.realm?.core else {
      throw Realm.Error.invalid(
        value.isInvalidated
          ? "A reference cannot be made to something that was deleted or invalidated; check isInvalidated first."
          : "A reference can only be made to something managed; add it to a Realm first.")
    }
    try core.verifyThread()
    guard !value.isInvalidated else {
      throw Realm.Error.invalid(
        "A reference cannot be made to something that was deleted or invalidated; check isInvalidated first.")
    }
    let pin = core.frozen()
    var pending: Pending?
    if let movable = value as? any MovableBetweenRealms, let outcome = core.outcomeOfWrite() {
      let passage = movable.passage()
      pending = Pending(outcome: outcome) { passage($0) as? Confined }
    }
    let frozen = (value as? any MovableBetweenRealms).map { Self.move($0, pin) } ?? value.freeze()
    place = Place(UncheckedBox(Contents(frozen: frozen, pin: pin, pending: pending)))
    configuration = pin.configuration
  }

  /// The version that a write transaction made, or a later one; nil when it made none.
  private static func version(of outcome: WriteOutcome.State, _ core: RealmCore) throws -> Snapshot? {
    switch outcome {
    case .committed(let snapshot): snapshot
    case .committedUnread: try ReaderPatience.retrying { try core.store.snapshot() }
    case .open, .cancelled: nil
    }
  }

  private static func move(_ value: some MovableBetweenRealms, _ core: RealmCore) -> Confined? {
    value.moved(to: core) as? Confined
  }

  private init(_ other: Handover) {
    place = Place(other.place.contents.withLock { $0 })
    configuration = other.configuration
  }

  /// The same, to be taken once more.
  func again() -> Handover { Handover(self) }

  var isSpent: Bool { place.contents.withLock { $0 == nil } }

  /// Returns true if both are one, and not copies.
  func isSame(as other: Handover) -> Bool { place === other.place }

  /// Returns true if it keeps a version from before that of a Realm.
  func isOlder(than core: RealmCore) -> Bool {
    let version = place.contents.withLock { contents -> UInt64? in
      switch contents?.value.pending?.outcome.state {
      case .committed(let snapshot): return snapshot.version
      case .committedUnread(let version): return version
      case .open, .cancelled, nil: break
      }
      return contents?.value.pin.snapshot?.version
    }
    guard let version, let current = core.snapshot?.version else { return false }
    return version < current
  }

  /// The counterpart in a Realm, once; see `Realm.resolve(_:)`.
  func take(in core: RealmCore) throws -> Confined? {
    try core.verifyThread()
    let (taken, outcome) = place.contents.withLock { contents -> (UncheckedBox<Contents>?, WriteOutcome.State?) in
      let (pending, state) = (contents?.value.pending, contents?.value.pending?.outcome.state)
      // What only the open transaction has is found once that has ended: the reference is not used up.
      if let pending, case .open? = state, contents?.value.frozen == nil, !core.isWriting(pending.outcome) {
        return (contents, state)
      }
      defer { contents = nil }
      return (contents, state)
    }
    guard let contents = taken?.value else {
      throw Realm.Error.make(
        .fail, "A reference can be resolved once, and this one was; make another where the value lives.")
    }
    guard core.store === contents.pin.store else { return nil }
    if let pending = contents.pending {
      if core.isWriting(pending.outcome) { return pending.find(core) }
      if let made = try outcome.flatMap({ try Self.version(of: $0, core) }) {
        core.catchUp(withAtLeast: made)
        return pending.find(core)
      }
    }
    if let version = contents.pin.snapshot { core.catchUp(withAtLeast: version) }
    guard let frozen = contents.frozen else { return nil }
    guard let movable = frozen as? any MovableBetweenRealms else { return frozen.thaw() }
    return Self.move(movable, core)
  }
}
