import Dispatch
import Foundation
import LarderObservation
import LarderStorage

/// The sections that the observer was notified of last, and the changes of their source since.
struct SectionsBefore<Key: Hashable> {
  let layout: SectionLayout<Key>
  let changes: CollectionChangeSet
  /// A function that says which elements, by position now, count as modified when they stayed where they were.
  let isModified: (Int) -> Bool
}

/// Registers observers of sections: of their source, with the sections computed at each call, where the Realm lives (S-16).
enum SectionObservation {
  /// - Parameter call: Given the state, and nil at the first call.
  static func observe<Key, Element>(
    _ state: SectionedState<Key, Element>, _ keyPaths: [String]?, _ queue: DispatchQueue?,
    _ call: @escaping (SectionedState<Key, Element>, SectionsBefore<Key>?) -> Void
  ) -> NotificationToken {
    state.source.state.checkObservable()
    let token = ObservationToken()
    if let queue {
      CollectionObservation.move(state.host.core, queue) { core, _ in
        register(token, state.moved(to: core) ?? state.counterpart(in: core), keyPaths, call)
      }
    } else {
      register(token, state, keyPaths, call)
    }
    return token
  }

  private static func register<Key, Element>(
    _ token: ObservationToken, _ state: SectionedState<Key, Element>, _ keyPaths: [String]?,
    _ call: @escaping (SectionedState<Key, Element>, SectionsBefore<Key>?) -> Void
  ) {
    var state = state
    // By number: the version itself would stay in use until something is reported again.
    var known: (layout: SectionLayout<Key>, version: UInt64)?
    let (subject, filter) = subject(state.source.state, keyPaths)
    CollectionObservation.activate(token, state.host.core, subject) { event in
      // What is observed goes on when the Realm let go of its version.
      if state.isInvalidated { state = state.counterpart(in: state.host.core) }
      state.source.state.accept(event)
      let before = known
      known = (state.layout, event.snapshot.version)
      switch event.change {
      case .update(let changes):
        guard let previous = event.previous else { return }
        // After a write that this observer was left out of, what it knows is between (N-66).
        let layout =
          before?.version == previous.version
          ? before?.layout : state.moved(to: state.host.core.frozen(at: previous))?.layout
        guard let layout else { return }
        let told = filter.map { paths in orMisuse { try FilteredObjects(paths, from: previous, to: event.snapshot) } }
        let keys = event.keys
        call(
          state,
          SectionsBefore(layout: layout, changes: changes) { position in
            guard let told, let keys else { return true }
            return told.contains(keys[position])
          })
      case .initial: call(state, nil)
      case .failed(let error): let _: Never? = CollectionObservation.noted(error)
      case .properties, .deleted: break
      }
    }
  }

  /// Returns the subject to observe, and the filter for what stayed in its place: everything is looked at, because whatever the key function reads
  /// may bring an element to another section without moving it among all (S-60).
  private static func subject(_ results: ResultsState, _ keyPaths: [String]?) -> (ObservationSubject, [DependencyPath]?)
  {
    guard let keyPaths, !keyPaths.isEmpty, case .objects(let query, let cursor) = results.source else {
      return (CollectionObservation.subject(results, keyPaths), nil)
    }
    let paths = keyPaths.flatMap { ObservedPaths.paths($0, cursor) }
    let observed = ObservedResults(query)
    return (.query(observed, scope: .deepOrPaths(hops: 3, paths + observed.sortPaths)), paths)
  }
}
