import LarderStorage

/// What `LarderSync` sees of a Realm. To be used where the Realm is.
package struct SyncAccess {
  private let core: RealmCore

  package init(_ realm: Realm) { core = realm.core }

  /// What keeps the store level with a server; nil for a local store.
  package var synchronisation: (any StoreSynchronisation)? {
    core.checkThread()
    return core.synchronisation
  }

  /// The store itself.
  package var store: Store { core.store }

  /// The Realm's classes, for conditions on them.
  package var models: ModelBinding { ModelBinding(core.models) }

  /// Misuse unless tasks can be resumed where the Realm lives.
  package func checkTasks(_ what: String) { core.checkTasks(what) }
}
