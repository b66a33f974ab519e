import LarderStorage

/// An opener of synchronised stores, as their configuration has it. `LarderSync` has the one that there is; this module knows no network.
package protocol Synchroniser: Sendable {
  /// Differs between configurations that cannot have one store open at once.
  var identity: String { get }

  /// Called before the file of the store is opened or made; makes its folder.
  func prepare(_ path: String, _ configuration: Realm.Configuration) throws

  /// Called with the open store, before anything else has it. The Realm keeps what is returned for as long as it lives.
  ///
  /// - Parameter models: The program's classes.
  func open(_ store: Store, _ configuration: Realm.Configuration, _ models: ModelBinding) throws
    -> any StoreSynchronisation

  /// Returns the number of commits of a store, which no Realm has open, that the server does not have.
  func unsentCommits(of store: Store) throws -> Int
}

/// The part that keeps one store level with a server, for all Realms of it.
package protocol StoreSynchronisation: AnyObject, Sendable {
  /// Throws where no write transaction can begin.
  func verifyBeginning() throws

  /// Throws when a transaction that is about to be committed made objects that no subscription has (Y-25, Y-26).
  func verify(_ writer: StoreWriter) throws

  /// Waits for what opening waits for (Y-15, Y-16).
  func waitForOpening(_ behavior: Realm.OpenBehavior) async throws
}

/// Names in a store's state of synchronisation that more than `LarderSync` knows.
package enum SyncStateName {
  /// The owner of the store (Y-54); there is one from the first opening with a `syncConfiguration` on.
  package static let owner = "owner"
}
