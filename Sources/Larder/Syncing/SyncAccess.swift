import LarderStorage

/// The Realm as `LarderSync` sees it. To be used where the Realm is.
package struct SyncAccess {
  private let core: RealmCore

  package init(_ realm: Realm) { core = realm.core }

  /// The part that keeps the store level with a server; nil for a local store.
  package var synchronisation: (any StoreSynchronisation)? {
    core.checkThread()
    return core.synchronisation
  }

  /// Returns true if this process has a Realm of the store at a path that can change. From any thread.
  package static func hasRealms(at path: String) -> Bool { RealmRegistry.shared.hasRealms(at: path) }

  /// The store itself.
  package var store: Store { core.store }

  /// The Realm's classes, for conditions on them.
  package var models: ModelBinding { ModelBinding(core.models) }

  /// Returns true if a link of an object leads to an object that is not here: it reads nil then, as one that is nil (Y-31). Misuse for an object
  /// that cannot be read, and for a key path that leads to no stored property. O(log n).
  package func hidesLink<Owner: Object, Target: Object>(_ object: Owner, _ keyPath: KeyPath<Owner, Target?>) -> Bool {
    let name = _KeyPathTrace.name(of: keyPath)
    guard let property = object.model.property(named: name) else {
      misuse("hidesLink(_:_:) takes a key path to a link that \(object.model.name) has, such as \\.owner.")
    }
    guard object.isManaged else { return false }
    let cursor = object.checkedCursor()
    return orMisuse {
      try cursor.host.reader.hidesLink(cursor.classID, cursor.columns[property.index], object._objectKey)
    }
  }

  /// Misuse unless tasks can be resumed where the Realm lives.
  package func checkTasks(_ what: String) { core.checkTasks(what) }
}
