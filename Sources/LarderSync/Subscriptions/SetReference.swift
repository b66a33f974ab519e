import Foundation
import LarderStorage
import LarderSyncProtocol

/// The reference in a value of `SyncSubscriptionSet`: the version that it means, and the store in which newer ones are found.
final class SetReference {
  let source: SubscribedStore
  let models: ModelBinding
  /// Nil while the store is being opened.
  let realm: Realm?
  private var known: SubscriptionSetRecord

  /// - Throws: `StorageError` when the record cannot be read.
  init(_ source: SubscribedStore, _ models: ModelBinding, _ realm: Realm?) throws {
    self.source = source
    self.models = models
    self.realm = realm
    known = try source.newest()
  }

  /// The subscriptions: those of the set that is being changed here, else of the version.
  var subscriptions: [SubscriptionRecord] { source.draft?.subscriptions ?? known.subscriptions }

  var version: UInt64 { known.version }

  /// The state of the version now (Y-3).
  var state: SyncSubscriptionState {
    let newest = orMisuse { try source.newest() }
    if newest.version == known.version { return SyncSubscriptionState(newest.state, path: source.store.path) }
    if known.state == .complete || newest.completedVersion == known.version { return .complete }
    return .superseded
  }

  // MARK: - Changing

  /// Changes the newest set; the value means the result from then on.
  func update(_ block: () throws -> Void) throws {
    if let problem { throw Realm.Error.make(.fail, problem, path: source.store.path) }
    known = try source.update(block).record
  }

  private var problem: String? {
    guard let realm else { return "The store is being opened: change its subscriptions without update { }." }
    if realm.isFrozen { return "This Realm is frozen; its subscriptions cannot be changed. Use thaw()." }
    if realm.configuration.readOnly { return "This Realm is read-only; its subscriptions cannot be changed." }
    guard realm.isInWriteTransaction else { return nil }
    return "Subscriptions cannot be changed in a write transaction: end it before update { }."
  }

  /// Changes the set that is open, for what ends the process unless data can cause it.
  func edit<Result>(_ change: (inout SubscriptionDraft) throws -> Result) throws -> Result {
    try source.edit { draft in
      do {
        return try change(&draft)
      } catch let conflict as SubscriptionDraft.NameConflict {
        throw Realm.Error.invalid(conflict.message, className: conflict.wanted.className.string)
      }
    }
  }

  /// Returns the condition that a subscription to a class records; see `ConditionText`.
  func condition(_ type: ObjectBase.Type, _ node: SubscribedNode) throws -> SubscribedCondition {
    let snapshot = try source.store.snapshot()
    let text = ConditionText(
      schema: snapshot.schema, models: models, server: try ServerSchema.newest(in: snapshot))
    return try text.condition(type, try node.resolved(type.className()))
  }

  /// Returns a condition as `condition` does, for plain forms within an update: a condition that cannot be asked for makes the update fail at its
  /// end, and is nil here.
  func draftCondition(_ type: ObjectBase.Type, _ node: SubscribedNode) -> SubscribedCondition? {
    do {
      return try condition(type, node)
    } catch let error as Realm.Error where error.code == .subscriptionFailed {
      if source.draft == nil { misuse("\(SetReference.outside(source.store.path))") }
      source.fail(error)
      return nil
    } catch {
      misuse("\(error)")
    }
  }

  private static func outside(_ path: String) -> String {
    "Subscriptions of '\(path)' can be changed in the block of update { } only."
  }

  /// Milliseconds since 1970.
  static var now: UInt64 { WallClock.milliseconds() }
}
