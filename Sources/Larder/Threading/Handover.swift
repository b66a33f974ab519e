import LarderLocks
import LarderStorage

/// A thread-confined value that has a counterpart in every Realm of its store.
protocol MovableBetweenRealms: ThreadConfined {
  /// The same row, collection or query in another Realm of the store; nil when it is gone there.
  func moved(to core: RealmCore) -> Self?
}

/// A confined value on its way to another place: its frozen counterpart, which keeps the version until it is taken or let go.
struct Handover<Confined: ThreadConfined>: Sendable {
  private struct Contents {
    /// Nil when the value was made in a write transaction that was still open: it does not exist in any version.
    let frozen: Confined?
    let pin: RealmCore
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
    let frozen = (value as? any MovableBetweenRealms).map { Self.move($0, pin) } ?? value.freeze()
    place = Place(UncheckedBox(Contents(frozen: frozen, pin: pin)))
    configuration = pin.configuration
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

  /// Whether both are one, and not copies.
  func isSame(as other: Handover) -> Bool { place === other.place }

  /// Whether it keeps a version from before that of a Realm.
  func isOlder(than core: RealmCore) -> Bool {
    let version = place.contents.withLock { $0?.value.pin.snapshot?.version }
    guard let version, let current = core.snapshot?.version else { return false }
    return version < current
  }

  /// The counterpart in a Realm, once; see `Realm.resolve(_:)`.
  func take(in core: RealmCore) throws -> Confined? {
    try core.verifyThread()
    let taken = place.contents.withLock { contents in
      defer { contents = nil }
      return contents
    }
    guard let contents = taken?.value else {
      throw Realm.Error.make(
        .fail, "A reference can be resolved once, and this one was; make another where the value lives.")
    }
    guard core.store === contents.pin.store else { return nil }
    if let version = contents.pin.snapshot { core.catchUp(withAtLeast: version) }
    guard let frozen = contents.frozen else { return nil }
    guard let movable = frozen as? any MovableBetweenRealms else { return frozen.thaw() }
    return Self.move(movable, core)
  }
}

extension Object: MovableBetweenRealms {
  func moved(to core: RealmCore) -> Self? { core.counterpart(of: self) }
}

extension EmbeddedObject: MovableBetweenRealms {
  func moved(to core: RealmCore) -> Self? { core.counterpart(of: self) }
}

extension RealmCore {
  /// This Realm's accessor of an object's row; nil for an unmanaged object, and when the row is gone.
  ///
  /// A method, so that the Realm lives until the accessor holds it.
  func counterpart<T: ObjectBase>(of object: T) -> T? {
    guard let theirs = object.cursorReference else { return nil }
    return cursor(like: theirs).objectIfPresent(object._objectKey) as? T
  }
}

extension List: MovableBetweenRealms {
  func moved(to core: RealmCore) -> List<Element>? { location?.moved(to: core).map { List($0) } }
}

extension Results: MovableBetweenRealms {
  func moved(to core: RealmCore) -> Results<Element>? { state.moved(to: core).map { Results($0) } }
}

extension MutableSet: MovableBetweenRealms {
  func moved(to core: RealmCore) -> MutableSet<Element>? { location?.moved(to: core).map { MutableSet($0) } }
}

extension Map: MovableBetweenRealms {
  func moved(to core: RealmCore) -> Map<Key, Value>? { location?.moved(to: core).map { Map($0) } }
}

extension LinkingObjects: MovableBetweenRealms {
  func moved(to core: RealmCore) -> LinkingObjects<Element>? {
    state?.moved(to: core).map { LinkingObjects(propertyName, $0) }
  }
}
