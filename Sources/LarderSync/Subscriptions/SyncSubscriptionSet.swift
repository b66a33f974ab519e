import Foundation
import LarderSyncProtocol

/// The subscriptions of a store: which objects the server sends. Kept in the file; there is one set, with a version that rises (Y-1).
///
/// A value means one version; it is changed in the block of `update`, which always starts from the newest version, and means the new one from
/// then on. To be used where its Realm is. Reading costs some microseconds.
public struct SyncSubscriptionSet {
  let reference: SetReference

  /// The number of subscriptions.
  public var count: Int { reference.subscriptions.count }

  /// The state of this version; looked up each time (Y-3).
  public var state: SyncSubscriptionState { reference.state }

  /// The error with which the server refused this version; nil when it did not. Beyond RealmSwift.
  public var error: (any Error)? { if case .error(let error) = state { error } else { nil } }

  /// The version; 0 before the first subscription. Beyond RealmSwift.
  public var version: Int64 { Int64(clamping: reference.version) }

  /// The state of the newest set, whichever that is, as it changes. Beyond RealmSwift.
  public var states: SyncEvents<SyncSubscriptionState> {
    let source = reference.source
    let path = source.store.path
    return SyncEvents {
      source.refresh()
      return source.statuses.stream { SyncSubscriptionState($0.record.state, path: path) }
    }
  }

  // MARK: - Changing

  /// Changes the set in a block, which runs at once, and commits what differs (Y-1, Y-6). Does not wait for the server.
  ///
  /// ```swift
  /// realm.subscriptions.update {
  ///   realm.subscriptions.append(QuerySubscription<Person>(name: "adults") { $0.age >= 18 })
  /// }
  /// ```
  ///
  /// Misuse within itself, in a write transaction, and on a frozen or read-only Realm. Where the Realm is. Holds the write lock while the block
  /// runs.
  ///
  /// - Parameter onComplete: Called once, on a private queue: with nil when the newest set is complete (Y-4), or with why it is not. A query that
  ///   cannot be subscribed to leaves the set as it was, and is reported here, or in the log without a block.
  public func update(_ block: (() -> Void), onComplete: (@Sendable ((any Error)?) -> Void)? = nil) {
    do {
      try reference.update(block)
    } catch let error as Realm.Error where error.code == .subscriptionFailed {
      guard let onComplete else {
        return Logger.shared.log(
          .error, "The subscriptions of '\(reference.source.store.path)' were not changed: \(error)")
      }
      return CompletionQueue.run { onComplete(error) }
    } catch {
      misuse("\(error)")
    }
    guard let onComplete else { return }
    let source = reference.source
    Task {
      do {
        try await source.waitForCompletion()
        CompletionQueue.run { onComplete(nil) }
      } catch {
        CompletionQueue.run { onComplete(error) }
      }
    }
  }

  /// Changes the set in a block, which runs at once on the caller, and waits until the newest set is complete (Y-4).
  ///
  /// ```swift
  /// try await realm.subscriptions.update {
  ///   realm.subscriptions.append(QuerySubscription<Person>())
  /// }
  /// ```
  ///
  /// Throws `Realm.Error.subscriptionFailed` for a query that cannot be subscribed to, with nothing changed, and when the server refuses the set;
  /// the error of a session that ends; `CancellationError`. Misuse as for the other form. On the Realm's actor.
  public func update(_isolation actor: isolated (any Actor)? = #isolation, _ block: (() -> Void)) async throws {
    do {
      try reference.update(block)
    } catch let error as Realm.Error where error.code == .subscriptionFailed {
      throw error
    } catch {
      misuse("\(error)")
    }
    let source = reference.source
    try await source.waitForCompletion()
  }

  /// Waits until the newest set is complete, for at most so many seconds: then it throws `ETIMEDOUT` of POSIX. Otherwise throws as `update`.
  /// Beyond RealmSwift.
  public func waitForSync(timeout: TimeInterval? = nil, _isolation actor: isolated (any Actor)? = #isolation)
    async throws
  {
    let source = reference.source
    try await TimeLimit.run(timeout) { try await source.waitForCompletion() }
  }

  /// Unavailable; RealmSwift has renamed it.
  @available(*, unavailable, renamed: "update")
  public func write(_ block: (() -> Void), onComplete: (@Sendable ((any Error)?) -> Void)? = nil) { update(block) }

  // MARK: - Finding

  /// The subscription of a name; nil without one.
  public func first(named: String) -> SyncSubscription? {
    reference.subscriptions.first { $0.name == SyncText(named) }.map { SyncSubscription(record: $0, set: reference) }
  }

  /// The first subscription with just this query, named or not; nil without one.
  public func first<T>(ofType type: T.Type, where query: (Query<T>) -> Query<Bool>) -> SyncSubscription?
  where T: Object {
    first(type, SubscribedNode(query))
  }

  /// The first subscription with just this query, named or not; nil without one.
  public func first<T>(ofType type: T.Type, where predicateFormat: String, _ args: Any...) -> SyncSubscription?
  where T: Object {
    first(type, SubscribedNode(format: predicateFormat, args))
  }

  /// The first subscription with just this query, named or not; nil without one.
  public func first<T>(ofType type: T.Type, where predicate: NSPredicate) -> SyncSubscription? where T: Object {
    first(type, SubscribedNode(predicate))
  }

  // What cannot be subscribed to is in no set.
  private func first(_ type: ObjectBase.Type, _ node: SubscribedNode) -> SyncSubscription? {
    guard let query = try? reference.condition(type, node) else { return nil }
    return reference.subscriptions.first { query.isAsked(by: $0) }.map { SyncSubscription(record: $0, set: reference) }
  }

  /// The subscription at a place, in the order in which they were made; misuse outside of the set.
  public subscript(position: Int) -> SyncSubscription? {
    let subscriptions = reference.subscriptions
    guard subscriptions.indices.contains(position) else {
      misuse("Index \(position) is out of bounds (count \(subscriptions.count)).")
    }
    return SyncSubscription(record: subscriptions[position], set: reference)
  }

  /// The oldest subscription.
  public var first: SyncSubscription? {
    reference.subscriptions.first.map { SyncSubscription(record: $0, set: reference) }
  }

  /// The newest subscription.
  public var last: SyncSubscription? {
    reference.subscriptions.last.map { SyncSubscription(record: $0, set: reference) }
  }
}

extension SyncSubscriptionSet: Sequence {
  public func makeIterator() -> SyncSubscriptionSetIterator {
    SyncSubscriptionSetIterator(records: reference.subscriptions[...], set: reference)
  }
}

/// Goes through a set in the order in which its subscriptions were made.
public struct SyncSubscriptionSetIterator: IteratorProtocol {
  var records: ArraySlice<SubscriptionRecord>
  let set: SetReference

  /// The next subscription; nil at the end.
  public mutating func next() -> SyncSubscription? {
    records.popFirst().map { SyncSubscription(record: $0, set: set) }
  }
}

/// The queue on which programs are called back.
enum CompletionQueue {
  private static let queue = DispatchQueue(label: "larder.sync.callbacks")

  static func run(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}
