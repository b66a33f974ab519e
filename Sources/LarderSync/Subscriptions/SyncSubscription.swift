import Foundation
import LarderSyncProtocol

/// A subscription of a set: a value, as it was when it was read.
public struct SyncSubscription {
  let record: SubscriptionRecord
  let set: SetReference

  /// The name; nil for an unnamed one.
  public var name: String? { record.name?.string }
  /// The time when it was made.
  public var createdAt: Date { Date(timeIntervalSince1970: Double(record.createdAt) / 1_000) }
  /// The time when its query was last replaced.
  public var updatedAt: Date { Date(timeIntervalSince1970: Double(record.updatedAt) / 1_000) }
  /// The class. Beyond RealmSwift.
  public var objectType: String { record.className.string }
  /// The query with its values, for readers. Beyond RealmSwift.
  public var queryString: String { record.queryText }

  /// Replaces the query by one for the objects of the class that satisfy a condition; nil for all. In an update block; `createdAt` and the
  /// place in the set stay. Misuse for another class than before.
  ///
  /// ```swift
  /// realm.subscriptions.update {
  ///   realm.subscriptions.first(named: "adults")?.updateQuery(toType: Person.self) { $0.age >= 21 }
  /// }
  /// ```
  public func updateQuery<T>(toType type: T.Type, where query: ((Query<T>) -> Query<Bool>)? = nil) where T: Object {
    replace(type.className(), set.draftCondition(type, query.map { SubscribedNode($0) } ?? .all))
  }

  /// Replaces the query, as `updateQuery(toType:where:)` with an optional condition does.
  public func updateQuery<T>(toType type: T.Type, where query: (Query<T>) -> Query<Bool>) where T: Object {
    replace(type.className(), set.draftCondition(type, SubscribedNode(query)))
  }

  /// Replaces the query by a predicate in the format language on the same class.
  public func updateQuery(to predicateFormat: String, _ args: Any...) {
    replace(SubscribedNode(format: predicateFormat, args))
  }

  /// Replaces the query by a predicate on the same class.
  public func updateQuery(to predicate: NSPredicate) { replace(SubscribedNode(predicate)) }

  private func replace(_ node: SubscribedNode) {
    guard let type = set.models.type(named: objectType) else {
      misuse("\(objectType) is not in this Realm's schema; add it to objectTypes.")
    }
    replace(objectType, set.draftCondition(type, node))
  }

  private func replace(_ className: String, _ query: SubscribedCondition?) {
    guard className == objectType else {
      misuse(
        "The subscription is to '\(objectType)' and cannot become one to '\(className)'. Remove it, and append another."
      )
    }
    guard let query else { return }
    orMisuse {
      try set.edit { draft in
        guard let found = draft.position(of: record) else {
          throw Realm.Error.make(
            .fail, "The subscription '\(name ?? queryString)' was removed; its query cannot change.")
        }
        if !query.isAsked(by: record) { draft.replace(at: found, query, SetReference.now) }
      }
    }
  }
}
