/// A Realm that is lent to one block after the other, with nothing else that refers to it.
final class LentRealm: @unchecked Sendable {
  // Unchecked: of the block that has it; under the lock of `ScopedRealms` where it waits.
  private var realm: RealmCore?

  init(_ realm: RealmCore) { self.realm = realm }

  /// The Realm. Not to be asked for after `end()`.
  var core: RealmCore {
    guard let realm else { preconditionFailure("a Realm was used after its block") }
    return realm
  }

  /// True if nothing refers to the Realm but this: a Realm that a block let out is not to be lent to another one.
  var isAlone: Bool { isKnownUniquelyReferenced(&realm) }

  /// Lets go of the Realm.
  func end() { realm = nil }
}
