import Foundation
import LarderSyncProtocol

/// Changes the set within the block of `update`; misuse elsewhere.
extension SyncSubscriptionSet {
  /// Adds subscriptions. One that is there already stays as it is; a name with another query is misuse, and `throwing.append` throws (Y-9).
  ///
  /// ```swift
  /// realm.subscriptions.update {
  ///   realm.subscriptions.append(QuerySubscription<Person>(name: "adults") { $0.age >= 18 })
  /// }
  /// ```
  ///
  /// A query that cannot be subscribed to makes the update fail (Y-18).
  public func append<T>(_ subscriptions: QuerySubscription<T>...) where T: Object {
    for subscription in subscriptions {
      guard let query = reference.draftCondition(T.self, subscription.condition) else { continue }
      orMisuse { try append(subscription.name, query) }
    }
  }

  /// Adds a subscription without a name to all objects of each synced class of the Realm. Beyond RealmSwift.
  public func appendAll() {
    orMisuse {
      let schema = try reference.source.store.snapshot().schema
      for name in reference.models.syncedClasses(in: schema) {
        try append(nil, SubscribedCondition(className: SyncText(name), predicate: "TRUEPREDICATE", arguments: []))
      }
    }
  }

  func append(_ name: String?, _ query: SubscribedCondition) throws {
    try reference.edit { try $0.append(name.map { SyncText($0) }, query, at: SetReference.now) }
  }

  /// Removes the subscription with just this query, named or not; nothing without one (Y-11).
  public func remove<T>(ofType type: T.Type, _ query: @escaping (Query<T>) -> Query<Bool>) where T: Object {
    remove(type, SubscribedNode(query))
  }

  /// Removes the subscription with just this query, named or not; nothing without one (Y-11).
  public func remove<T>(ofType type: T.Type, where predicateFormat: String, _ args: Any...) where T: Object {
    remove(type, SubscribedNode(format: predicateFormat, args))
  }

  /// Removes the subscription with just this query, named or not; nothing without one (Y-11).
  public func remove<T>(ofType type: T.Type, where predicate: NSPredicate) where T: Object {
    remove(type, SubscribedNode(predicate))
  }

  private func remove(_ type: ObjectBase.Type, _ node: SubscribedNode) {
    guard let query = reference.draftCondition(type, node) else { return }
    edit { $0.remove { query.isAsked(by: $0) } }
  }

  /// Removes subscriptions; those that are not in the set any more are passed over.
  public func remove(_ subscriptions: SyncSubscription...) {
    edit { draft in
      for subscription in subscriptions {
        guard let found = draft.position(of: subscription.record) else { continue }
        let record = draft.subscriptions[found]
        draft.remove { $0 == record }
      }
    }
  }

  /// Removes the subscription of a name; nothing without one (Y-11).
  public func remove(named: String) { edit { $0.remove { $0.name == SyncText(named) } } }

  /// Removes all subscriptions, or all without a name. An empty set is valid: nothing is sent to this device (Y-11).
  public func removeAll(unnamedOnly: Bool = false) { edit { $0.remove { !unnamedOnly || $0.name == nil } } }

  /// Removes all subscriptions to a class.
  public func removeAll<T>(ofType type: T.Type) where T: Object {
    edit { $0.remove { $0.className == SyncText(type.className()) } }
  }

  private func edit(_ change: (inout SubscriptionDraft) -> Void) { orMisuse { try reference.edit { change(&$0) } } }
}

extension SyncSubscriptionSet: HasThrowingForms {}

// Throwing forms of what data can make fail.
extension Throwing where Base == SyncSubscriptionSet {
  /// `update` that throws: what the block throws, with nothing changed, and `Realm.Error` for what is misuse otherwise. Does not wait for the
  /// server.
  public func update(_ block: () throws -> Void) throws { try base.reference.update(block) }

  /// `append` that throws `Realm.Error`: `.invalidInput` for a name that has another query (Y-9), `.subscriptionFailed` for what cannot be
  /// subscribed to (Y-18).
  public func append<T>(_ subscriptions: QuerySubscription<T>...) throws(Realm.Error) where T: Object {
    try orRealmError {
      for subscription in subscriptions {
        try base.append(subscription.name, try base.reference.condition(T.self, subscription.condition))
      }
    }
  }
}
