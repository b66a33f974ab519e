import DequeModule
import LarderLocks
import LarderObservation
import LarderStorage

/// The changes of an observed thing as an asynchronous sequence: `for await change in people.changes { … }`.
///
/// The first element of a collection's sequence is `.initial`. Everything that is committed while the loop's body runs becomes one
/// change (N-7), so a slow loop never falls behind. Collections and objects in the changes are frozen at the version that the
/// positions speak of; any thread, task or actor may read them. The sequence ends when its task is cancelled, after `.deleted`, and
/// when changes cannot be computed any more, which the log then says. Each loop is an observer of its own and starts again; none
/// needs a run loop, a queue or a token. A loop keeps the version of its last change in use, and not the Realm it was made with.
public struct ChangeSequence<Change>: AsyncSequence {
  public typealias Element = Change
  public typealias Failure = Never

  private let freezing: Freezing
  private let subject: ObservationSubject
  private let start: SequenceStart
  private let convert: (ObservationEvent, RealmCore) -> Change?

  /// - Parameter convert: Makes the public change, from what a frozen Realm at the event's version holds. Keeps no Realm.
  init(_ core: RealmCore, _ subject: ObservationSubject, _ convert: @escaping (ObservationEvent, RealmCore) -> Change?)
  {
    let snapshot = core.currentSnapshot()
    self.init(core.freezing, subject, SequenceStart(snapshot, of: subject), convert)
  }

  private init(
    _ freezing: Freezing, _ subject: ObservationSubject, _ start: SequenceStart,
    _ convert: @escaping (ObservationEvent, RealmCore) -> Change?
  ) {
    self.freezing = freezing
    self.subject = subject
    self.start = start
    self.convert = convert
  }

  /// The same changes in another form.
  func map<Other>(_ transform: @escaping (Change) -> Other) -> ChangeSequence<Other> {
    ChangeSequence<Other>(freezing, subject, start) { [convert] event, frozen in convert(event, frozen).map(transform) }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(ChangeFeed(freezing, subject, start), convert) }

  /// One loop: an observer of its own, which takes what has gathered when it asks.
  public struct Iterator: AsyncIteratorProtocol {
    private let feed: ChangeFeed
    private let convert: (ObservationEvent, RealmCore) -> Change?
    private var signals: AsyncStream<Void>.Iterator

    init(_ feed: ChangeFeed, _ convert: @escaping (ObservationEvent, RealmCore) -> Change?) {
      self.feed = feed
      self.convert = convert
      signals = feed.signals.makeAsyncIterator()
    }

    /// The next change; nil once the task is cancelled or there will be none.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
      while !Task.isCancelled {
        if feed.hasEnded { return nil }
        if let event = feed.take() {
          if let change = convert(event, feed.frozen(event.snapshot)) { return change }
          // It may have been the end.
          continue
        }
        if await signals.next(isolation: actor) == nil { return nil }
      }
      return nil
    }

    public mutating func next() async -> Change? { await next(isolation: nil) }
  }
}

/// The version that the first loop over a sequence begins at.
///
/// An object's loop is notified of what happened after the sequence was made: until it begins, that version stays in use. Loops over
/// collections begin with what there is.
private final class SequenceStart: Sendable {
  let moment: Moment
  private let snapshot: Lock<Snapshot?>

  init(_ snapshot: Snapshot, of subject: ObservationSubject) {
    moment = snapshot.moment
    self.snapshot = if case .object = subject { Lock(snapshot) } else { Lock(nil) }
  }

  /// The version, once; later loops begin at the newest.
  func take(_ store: Store) -> Snapshot? { snapshot.withLock { $0.take() } ?? (try? store.snapshot()) }
}

/// One loop over a change sequence: an observer that is notified whenever it asks.
final class ChangeFeed: Sendable {
  private struct Direct: DeliveryTarget {
    func deliver(_ block: @escaping @Sendable () -> Void) { block() }
  }

  private struct State {
    var events: Deque<ObservationEvent> = []
    var hasEnded = false
  }

  private let freezing: Freezing
  private let group: ObservationGroup
  private let handle: ObservationHandle
  private let state: StateHolder
  let signals: AsyncStream<Void>

  private final class StateHolder: Sendable {
    let state = Lock(State())
  }

  fileprivate init(_ freezing: Freezing, _ subject: ObservationSubject, _ start: SequenceStart) {
    self.freezing = freezing
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    let holder = StateHolder()
    state = holder
    group = StoreObserver.shared(for: freezing.store, isShared: freezing.files == nil).makeGroup(
      at: start.moment, target: Direct()
    ) { signal.yield() }
    handle = group.observe(subject, from: start.take(freezing.store)) { event in
      holder.state.withLock { $0.events.append(event) }
    }
    // What is there already needs no commit to be reported.
    signal.yield()
  }

  deinit { handle.invalidate() }

  var hasEnded: Bool { state.state.withLock { $0.hasEnded } }

  /// Moves to the newest version that was computed; the call for it, if there is one.
  func take() -> ObservationEvent? {
    if let ready = group.readySnapshot { group.deliver(to: ready, .ready) }
    return state.state.withLock { state in
      guard let event = state.events.popFirst() else { return nil }
      switch event.change {
      case .deleted, .failed: state.hasEnded = true
      case .initial, .update, .properties: break
      }
      return event
    }
  }

  func frozen(_ snapshot: Snapshot) -> RealmCore { freezing.realm(at: snapshot) }
}

/// A source of change sequences.
protocol ChangeSource<Change> {
  associatedtype Change
  func makeChanges(_ keyPaths: [String]?) -> ChangeSequence<Change>
}

extension RealmCollection {
  /// The collection's changes, for loops over them. Misuse where `observe` would be, except that no run loop is needed.
  ///
  /// ```swift
  /// let following = Task { @MainActor in
  ///   for await change in realm.objects(Person.self).changes {
  ///     if case .update(let people, _, _, _) = change { return people.count }
  ///   }
  ///   return 0
  /// }
  /// ```
  ///
  /// Made on the Realm's thread; the loop may run on any actor. Costs as an observer.
  public var changes: ChangeSequence<RealmCollectionChange<Self>> { changes(keyPaths: nil) }

  /// The same, with modifications of some properties only.
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<Self>> {
    guard let source = self as? any ChangeSource<RealmCollectionChange<Self>> else {
      misuse("\(Self.self) has no sequence of changes; use observe(on:).")
    }
    return source.makeChanges(keyPaths)
  }
}

extension Results: ChangeSource {
  func makeChanges(_ keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<Results>> {
    state.makeChanges(keyPaths) { Results($0) }
  }
}

extension LinkingObjects: ChangeSource {
  func makeChanges(_ keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<LinkingObjects>> {
    makeState("observed").makeChanges(keyPaths) { [propertyName] in LinkingObjects(propertyName, $0) }
  }
}

extension ResultsState {
  fileprivate func makeChanges<Collection>(
    _ keyPaths: [String]?, _ make: @escaping (ResultsState) -> Collection
  ) -> ChangeSequence<RealmCollectionChange<Collection>> {
    checkObservable()
    return ChangeSequence(host.core, CollectionObservation.subject(self, keyPaths)) { [description] event, frozen in
      let moved = description.state(in: frozen)
      moved.accept(event)
      return CollectionObservation.change(event, make(moved))
    }
  }
}

extension AnyRealmCollection: ChangeSource {
  func makeChanges(_ keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<AnyRealmCollection>> {
    base.opened(ChangesOpener(keyPaths: keyPaths))
  }
}

private struct ChangesOpener<Element: RealmCollectionValue>: CollectionOpener {
  let keyPaths: [String]?

  func open<C: RealmCollection & _ObjcBridgeable>(
    _ collection: C
  ) -> ChangeSequence<RealmCollectionChange<AnyRealmCollection<Element>>> where C.Element == Element {
    collection.changes(keyPaths: keyPaths).map { $0.map { AnyRealmCollection($0) } }
  }
}

extension List: ChangeSource {
  func makeChanges(_ keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<List>> { locatedChanges(keyPaths) }
}

extension MutableSet: ChangeSource {
  func makeChanges(_ keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<MutableSet>> {
    locatedChanges(keyPaths)
  }
}

extension LocatedCollection {
  fileprivate func locatedChanges(_ keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<Self>> {
    let location = CollectionObservation.observable(location, "An unmanaged \(Self.noun)")
    let place = location.place
    return ChangeSequence(location.host.core, CollectionObservation.subject(location, keyPaths)) { event, frozen in
      CollectionObservation.change(event, Self(place.location(in: frozen)))
    }
  }
}

extension Map {
  /// The map's changes, for loops over them.
  public var changes: ChangeSequence<RealmMapChange<Map>> { changes(keyPaths: nil) }

  /// The same, with modifications of some properties only.
  public func changes(keyPaths: [String]?) -> ChangeSequence<RealmMapChange<Map>> {
    let location = CollectionObservation.observable(location, "An unmanaged map")
    let place = location.place
    return ChangeSequence(location.host.core, CollectionObservation.subject(location, keyPaths)) { event, frozen in
      var result: RealmMapChange<Map>?
      MapChanges.call(event, Map(place.location(in: frozen))) { result = $0 }
      return result
    }
  }
}

extension Object {
  /// The object's changes, for loops over them: what happens after this call, and for a second loop after that has begun.
  public var changes: ChangeSequence<ObjectChange<Object>> { changes(keyPaths: nil) }

  /// The same for some of its properties.
  public func changes(keyPaths: [String]?) -> ChangeSequence<ObjectChange<Object>> {
    let cursor = ObjectObservation.observable(self)
    let key = _objectKey
    return ChangeSequence(cursor.host.core, ObjectObservation.subject(self, cursor, keyPaths)) {
      [model = cursor.model] event, frozen in
      if case .deleted = event.change { return .deleted }
      if case .failed(let error) = event.change { return CollectionObservation.noted(error) }
      let counterpart = frozen.cursor(of: model)
      guard let object = counterpart.objectIfPresent(key) as? Object else { return nil }
      return ObjectObservation.change(event, object, counterpart)
    }
  }
}
