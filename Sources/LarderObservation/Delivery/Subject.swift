import LarderQuery
import LarderStorage

/// The subject of an observation.
package enum ObservationSubject: Sendable {
  case query(any ObservedQuery, scope: ModificationScope)
  case list(ObservedList, scope: ModificationScope)
  case values(ObservedValues)
  case object(ObjectLink, scope: ObjectScope)
}

/// The event that a call notifies observers of. A class, since thousands of observers may get the same.
package final class ObservationEvent: Sendable {
  package let change: ObservedChange
  /// The version the observing side is at when the call is made.
  package let snapshot: Snapshot
  /// The version of the previous call; nil for the first.
  package let previous: Snapshot?
  /// The keys of an observed query at that version: nothing needs to run again to read them.
  package let keys: KeySequence?

  package init(change: ObservedChange, snapshot: Snapshot, previous: Snapshot?, keys: KeySequence?) {
    self.change = change
    self.snapshot = snapshot
    self.previous = previous
    self.keys = keys
  }
}

/// The state that an observer knows: that of its subject at the version it was last notified of.
enum SubjectState: Sendable {
  case query(KeySequence)
  /// Nil when the owner is deleted.
  case list(count: Int?)
  case values([StoredValue])
  case object(isAlive: Bool)

  var keys: KeySequence? {
    if case .query(let keys) = self { keys } else { nil }
  }
}

extension ObservationSubject {
  /// The state at a version, with the call that tells of it, if any.
  func begin(at snapshot: Snapshot) throws -> (SubjectState, ObservedChange?) {
    switch self {
    case .query(let query, _):
      let keys = try query.sequence(snapshot)
      try query.learn(keys, in: snapshot)
      return (.query(keys), .initial)
    case .list(let list, _):
      return (.list(count: try list.count(in: snapshot)), .initial)
    case .values(let values): return (.values(try values.evaluate(snapshot)), .initial)
    case .object(let object, _):
      let isAlive = try snapshot.contains(object.classID, object.key)
      return (.object(isAlive: isAlive), isAlive ? nil : .deleted)
    }
  }

  /// The state at a later version, with the call that tells of the difference, if there is any to tell.
  ///
  /// - Parameter effort: How many objects may be looked at; when they do not suffice it throws `LinkWalker.TooMany`, and for
  ///   collections that are not queries always. Nil for as many as it takes.
  func advance(
    _ state: SubjectState, from older: Snapshot, to newer: Snapshot, _ summary: ChangeSummary, effort: Int? = nil
  ) throws -> (SubjectState, ObservedChange?) {
    switch (self, state) {
    case (.query(let query, let scope), .query(let keys)):
      let progress = QueryProgress(
        query: query, scope: scope, older: older, newer: newer, summary: summary, effort: effort)
      let (newKeys, changes) = try progress.advance(keys)
      return (.query(newKeys), changes.isEmpty ? nil : .update(changes))
    case (.list, .list(_?)) where effort != nil, (.values, .values) where effort != nil: throw LinkWalker.TooMany()
    case (.list(let list, let scope), .list(let count?)):
      let progress = ListProgress(list: list, scope: scope, older: older, newer: newer, summary: summary)
      let (newCount, changes) = try progress.advance(count: count)
      return (.list(count: newCount), changes.isEmpty ? nil : .update(changes))
    case (.values(let values), .values(let old)):
      let (new, changes) = try values.advance(old, to: newer, summary)
      return (.values(new), changes.isEmpty ? nil : .update(changes))
    case (.object(let object, let scope), .object(isAlive: true)):
      var changes = try ScopeChanges(object.classID, scope, older: older, newer: newer, summary, effort: effort)
      let change = try changes.change(of: object.key)
      return (.object(isAlive: change?.isLast != true), change)
    default:
      return (state, nil)
    }
  }
}
