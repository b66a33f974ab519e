import Dispatch
import Foundation
import LarderObservation
import LarderQuery
import LarderStorage

/// Registers observers of collections and turns what they are notified of into the public change types.
enum CollectionObservation {
  /// Observes the objects of a query.
  static func observe<Collection>(
    _ collection: Collection, _ state: ResultsState, _ keyPaths: [String]?, _ queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<Collection>) -> Void, _ make: @escaping (ResultsState) -> Collection
  ) -> NotificationToken {
    state.checkObservable()
    let token = ObservationToken()
    if let queue {
      move(state.host.core, queue) { core, _ in
        // What they come from may be deleted by now: the observer is notified of empty results, as without a queue.
        let moved = state.moved(to: core) ?? state.description.state(in: core)
        register(token, make(moved), moved, keyPaths, block)
      }
    } else {
      register(token, collection, state, keyPaths, block)
    }
    return token
  }

  private static func register<Collection>(
    _ token: ObservationToken, _ collection: Collection, _ state: ResultsState, _ keyPaths: [String]?,
    _ block: @escaping (RealmCollectionChange<Collection>) -> Void
  ) {
    activate(token, state.host.core, subject(state, keyPaths)) { event in
      state.accept(event)
      if let change = change(event, collection) { block(change) }
    }
  }

  /// Returns the subject that observers of results observe.
  static func subject(_ state: ResultsState, _ keyPaths: [String]?) -> ObservationSubject {
    switch state.source {
    case .objects(let query, let cursor): .query(ObservedResults(query), scope: scope(keyPaths, cursor))
    case .values(let list, nil, false): .list(list.observed, scope: .standard)
    case .values(let list, let isAscending, let isDistinct):
      .values(ObservedValues(list: list.observed) { ResultsState.arranged($0, isAscending, isDistinct) })
    }
  }

  /// Observes a list or a set.
  static func observe<Collection: LocatedCollection>(
    _ collection: Collection, _ keyPaths: [String]?, _ queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<Collection>) -> Void
  ) -> NotificationToken {
    observe(
      collection, collection.location, "An unmanaged \(Collection.noun)", keyPaths, queue, { Collection($0) }
    ) { event, collection in
      if let change = change(event, collection) { block(change) }
    }
  }

  /// Observes a map.
  static func observe<Key, Value>(
    _ map: Map<Key, Value>, _ keyPaths: [String]?, _ queue: DispatchQueue?,
    _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
  ) -> NotificationToken {
    observe(map, map.location, "An unmanaged map", keyPaths, queue, { Map($0) }) { MapChanges.call($0, $1, block) }
  }

  private static func observe<Collection>(
    _ collection: Collection, _ location: CollectionLocation?, _ what: String, _ keyPaths: [String]?,
    _ queue: DispatchQueue?, _ make: @escaping (CollectionLocation) -> Collection,
    _ call: @escaping (ObservationEvent, Collection) -> Void
  ) -> NotificationToken {
    let location = observable(location, what)
    let token = ObservationToken()
    if let queue {
      move(location.host.core, queue) { core, _ in
        let moved = location.moved(to: core) ?? location.place.location(in: core)
        register(token, make(moved), moved, keyPaths, call)
      }
    } else {
      register(token, collection, location, keyPaths, call)
    }
    return token
  }

  private static func register<Collection>(
    _ token: ObservationToken, _ collection: Collection, _ location: CollectionLocation, _ keyPaths: [String]?,
    _ call: @escaping (ObservationEvent, Collection) -> Void
  ) {
    activate(token, location.host.core, subject(location, keyPaths)) { call($0, collection) }
  }

  /// Returns the subject that observers of a list, a set or a map observe.
  static func subject(_ location: CollectionLocation, _ keyPaths: [String]?) -> ObservationSubject {
    .list(location.observed, scope: location.target.map { scope(keyPaths, $0) } ?? .standard)
  }

  /// Returns the place of a collection; misuse when it cannot be observed.
  static func observable(_ location: CollectionLocation?, _ what: String) -> CollectionLocation {
    guard let location else { misuse("\(what) cannot be observed; add its owner to a Realm first.") }
    location.host.core.checkObservable()
    guard location.isAlive else { misuse("The owner of \(location.name) was deleted; it cannot be observed.") }
    return location
  }

  // MARK: - Common

  /// - Parameter start: For an object: the version after which its changes are reported; that of the Realm when nil.
  static func activate(
    _ token: ObservationToken, _ core: RealmCore, _ subject: ObservationSubject, from start: Snapshot? = nil,
    _ call: @escaping (ObservationEvent) -> Void
  ) {
    let group = core.observers.group(core)
    // The group calls it where the Realm lives, and nowhere else.
    let box = UncheckedBox(call)
    let handle = group.observe(subject, from: start ?? core.currentSnapshot()) { box.value($0) }
    token.activate(handle, core)
  }

  /// Registers on a queue, with a Realm of its own at the version of this one or a later one (N-61).
  ///
  /// - Parameter body: Given the queue's Realm, and the version that this one was at.
  static func move(_ core: RealmCore, _ queue: DispatchQueue, _ body: @escaping (RealmCore, Snapshot) -> Void) {
    Confinement.checkSerial(queue)
    let box = UncheckedBox(body)
    let configuration = core.configuration
    // Keep the version, where what is observed exists, and the store open until the Realm on the queue has them.
    let start = core.currentSnapshot()
    let files = core.files
    queue.async {
      let opened = orMisuse { try RealmRegistry.shared.open(configuration, queue: queue) }
      opened.catchUp(withAtLeast: start)
      box.value(opened, start)
      withExtendedLifetime(files) {}
    }
  }

  /// Returns the change that an observer of a collection is notified of; nil for nothing.
  static func change<Collection>(_ event: ObservationEvent, _ collection: Collection)
    -> RealmCollectionChange<Collection>?
  {
    switch event.change {
    case .initial: .initial(collection)
    case .update(let changes):
      .update(
        collection, deletions: changes.deletions, insertions: changes.insertions, modifications: changes.modifications)
    case .failed(let error): noted(error)
    case .properties, .deleted: nil
    }
  }

  /// Says in the log why an observation has ended; its observer hears nothing more (E-126).
  static func noted<Change>(_ error: StorageError) -> Change? {
    Logger.shared.log(.error, "An observation ended, because its changes could not be computed: \(error)")
    return nil
  }

  /// Returns the modifications that count: all, or those that key paths name. Unknown names are misuse.
  static func scope(_ keyPaths: [String]?, _ cursor: _ClassCursor) -> ModificationScope {
    guard let keyPaths, !keyPaths.isEmpty else { return .standard }
    return .paths(keyPaths.flatMap { ObservedPaths.paths($0, cursor) })
  }
}

extension CollectionLocation {
  var observed: ObservedList {
    ObservedList(
      owner: ObjectLink(classID: cursor.classID, key: key), column: column,
      nested: nested.map { ObservedNested(path: $0.path, id: $0.id) })
  }
}

extension ResultsState {
  /// Misuse where the contents cannot be observed (N-60).
  func checkObservable() {
    host.core.checkObservable()
    check()
  }

  /// Takes contents computed in the background, if the Realm is at their version.
  func accept(_ event: ObservationEvent) {
    if let keys = event.keys, !host.isWriting, host.snapshot === event.snapshot { accept(keys) }
  }
}
