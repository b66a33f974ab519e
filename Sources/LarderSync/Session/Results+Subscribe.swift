import Foundation
import LarderSyncProtocol

/// The wait of `subscribe` (Y-12).
public enum WaitForSyncMode: UInt, Sendable {
  /// Waits for a subscription that is new or has another query now; not for one that is there.
  case onCreation = 0
  /// Waits always, until everything that the server had at the call is here.
  case always = 1
  /// Waits for nothing.
  case never = 2
}

/// The subscription that results remember.
private struct RememberedSubscription: Sendable {
  let name: SyncText?
  let query: SubscribedCondition
}

extension Results where Element: Object {
  /// Subscribes to the results: their whole query, all filters joined; sorting does not matter (Y-12). A name that is taken gets this query
  /// (Y-10).
  ///
  /// ```swift
  /// let adults = try await realm.objects(Person.self).where { $0.age >= 18 }.subscribe(name: "adults")
  /// ```
  ///
  /// Returns results of the same query, up to date, which remember their subscription. The subscription stays when the wait is cancelled or its
  /// time is over (Y-13). Misuse unless the Realm is the main thread's or an actor's.
  ///
  /// - Parameter timeout: Seconds; without one, and for nothing or less, the wait has no end.
  /// - Throws: `Realm.Error.subscriptionFailed` for results that cannot be subscribed to, with nothing stored, and when the server refuses the
  ///   set; `ETIMEDOUT` of POSIX; `CancellationError`; the error of a session that ends.
  public func subscribe(
    name: String? = nil, waitForSync: WaitForSyncMode = .onCreation, timeout: TimeInterval? = nil,
    _isolation actor: isolated any Actor = #isolation
  ) async throws -> Results<Element> {
    let (realm, session) = try synced("subscribed to")
    let memory = RememberedSubscription(name: name.map { SyncText($0) }, query: try condition(realm, session))
    SyncAccess(realm).checkTasks("subscribe")
    let isNew = try put(memory, realm, session)
    if waitForSync == .always || (waitForSync == .onCreation && isNew) {
      let wantsAll = waitForSync == .always
      try await TimeLimit.run(timeout) {
        try await session.subscribed.waitForCompletion()
        if wantsAll { try await session.wait(for: .download) }
      }
    }
    if !realm.isInWriteTransaction { realm.refresh() }
    let results = copied()
    results.rememberedSubscription = memory
    return results
  }

  /// Removes the subscription that these results remember, or else an unnamed one with their query; nothing without one (Y-13). Does not wait,
  /// and the results stay as they are.
  public func unsubscribe() {
    orMisuse {
      let (realm, session) = try synced("unsubscribed from")
      let memory: RememberedSubscription
      if let known = rememberedSubscription as? RememberedSubscription {
        memory = known
      } else {
        memory = RememberedSubscription(name: nil, query: try condition(realm, session))
      }
      let set = try SetReference(session.subscribed, SyncAccess(realm).models, realm)
      try set.update {
        try set.edit { $0.remove { $0.name == memory.name && memory.query.isAsked(by: $0) } }
      }
    }
  }

  private func put(_ memory: RememberedSubscription, _ realm: Realm, _ session: SyncSession) throws -> Bool {
    let set = try SetReference(session.subscribed, SyncAccess(realm).models, realm)
    var isNew = false
    try set.update {
      isNew = try set.edit { $0.put(memory.name, memory.query, at: SetReference.now) }
    }
    return isNew
  }

  private func synced(_ what: String) throws -> (Realm, SyncSession) {
    guard let realm else { throw Realm.Error.make(.subscriptionFailed, "Results without a Realm cannot be \(what).") }
    guard let session = realm.syncSession else {
      throw Realm.Error.make(
        .fail, "These Results cannot be \(what): their Realm is not synchronised. Open it with a syncConfiguration.")
    }
    return (realm, session)
  }

  private func condition(_ realm: Realm, _ session: SyncSession) throws -> SubscribedCondition {
    let (classID, predicate) = try subscribedCondition()
    let snapshot = try session.store.snapshot()
    let text = ConditionText(
      schema: snapshot.schema, models: SyncAccess(realm).models, server: try ServerSchema.newest(in: snapshot))
    return try text.condition(classID, predicate)
  }
}
