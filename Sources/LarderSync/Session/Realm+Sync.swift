extension Realm {
  /// The session of the store; nil for a local one. One object per store in a process (Y-57).
  public var syncSession: SyncSession? {
    let access = SyncAccess(self)
    if let session = access.synchronisation as? SyncSession { return session }
    return isFrozen ? SessionRegistry.shared.session(at: access.store.path) : nil
  }

  /// The subscriptions of the store, as they are now. Misuse for a local store. Costs some microseconds.
  ///
  /// ```swift
  /// let subscriptions = realm.subscriptions
  /// if subscriptions.count == 0 {
  ///   try await subscriptions.update { subscriptions.append(QuerySubscription<Person>()) }
  /// }
  /// ```
  public var subscriptions: SyncSubscriptionSet {
    guard let session = syncSession else {
      misuse("This Realm is not synchronised and has no subscriptions: open it with a syncConfiguration.")
    }
    return SyncSubscriptionSet(
      reference: orMisuse { try SetReference(session.subscribed, SyncAccess(self).models, self) })
  }

  /// Returns true if a link of an object leads to an object that is not on this device, because no subscription brings it: it reads nil then, as a
  /// link that is nil does (Y-31). Beyond RealmSwift.
  ///
  /// ```swift
  /// if person.pet == nil, realm.hidesLink(person, \.pet) { print("The pet is not here.") }
  /// ```
  ///
  /// False for objects that no Realm manages. Misuse for an object that was deleted. Where the Realm may be used. Costs as much as reading the link.
  public func hidesLink<Owner, Target>(_ object: Owner, _ property: KeyPath<Owner, Target?>) -> Bool
  where Owner: Object, Target: Object {
    SyncAccess(self).hidesLink(object, property)
  }

  /// Deletes a store with all that it has not sent, which is lost then (Y-30). Beyond RealmSwift.
  ///
  /// False when there is none. Throws `Realm.Error.alreadyOpen`, with nothing deleted, while anybody has it open, and without
  /// `discardingUnsentChanges` `.fail` for a store with commits that the server does not have, as `deleteFiles(for:)` does.
  ///
  /// From any thread.
  public static func deleteFiles(
    for config: Realm.Configuration, discardingUnsentChanges: Bool
  ) throws -> Bool {
    try StoreDeletion(config).run(discardsUnsentChanges: discardingUnsentChanges)
  }

  /// Unavailable: results are subscribed to.
  @available(*, unavailable, message: "Use Results.subscribe()")
  public func subscribe<T>(
    to objects: T.Type, where: String, completion: @escaping (Results<T>?, (any Swift.Error)?) -> Void
  ) where T: Object {}
}
