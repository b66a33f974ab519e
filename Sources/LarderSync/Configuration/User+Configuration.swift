import Foundation

extension User {
  /// The configuration of the user's store: a file of its own, kept level with the server.
  ///
  /// ```swift
  /// let realm = try Realm(configuration: user.flexibleSyncConfiguration())
  /// ```
  public func flexibleSyncConfiguration(
    clientResetMode: ClientResetMode = .recoverUnsyncedChanges(), cancelAsyncOpenOnNonFatalErrors: Bool = false
  ) -> Realm.Configuration {
    configuration(nil, nil, clientResetMode, cancelAsyncOpenOnNonFatalErrors, nil)
  }

  /// The configuration of the user's store, with subscriptions that are made while it is opened (Y-14).
  public func flexibleSyncConfiguration(
    clientResetMode: ClientResetMode = .recoverUnsyncedChanges(), cancelAsyncOpenOnNonFatalErrors: Bool = false,
    initialSubscriptions: @escaping @Sendable (SyncSubscriptionSet) -> Void, rerunOnOpen: Bool = false
  ) -> Realm.Configuration {
    configuration(
      nil, nil, clientResetMode, cancelAsyncOpenOnNonFatalErrors,
      InitialSubscriptionsConfiguration(callback: initialSubscriptions, rerunOnOpen: rerunOnOpen))
  }

  /// The configuration of one of several stores of the user, each with subscriptions of its own (Y-55). Beyond RealmSwift.
  public func flexibleSyncConfiguration(
    name: String, tenant: String? = nil, clientResetMode: ClientResetMode = .recoverUnsyncedChanges(),
    initialSubscriptions: InitialSubscriptionsConfiguration? = nil
  ) -> Realm.Configuration {
    configuration(name, tenant, clientResetMode, false, initialSubscriptions)
  }

  private func configuration(
    _ name: String?, _ tenant: String?, _ mode: ClientResetMode, _ cancels: Bool,
    _ initial: InitialSubscriptionsConfiguration?
  ) -> Realm.Configuration {
    var settings = SyncSettings(.user(self), tenant: tenant, mode)
    settings.cancelsForConnections = cancels
    settings.initialSubscriptions = initial
    let path = app.paths.store(app: app.id, user: id, name: name)
    return Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), syncConfiguration: SyncConfiguration(settings))
  }

  /// Unavailable: there are no partitions.
  @available(*, unavailable, message: "Use flexibleSyncConfiguration")
  public func configuration(partitionValue: AnyRealmValue) -> Realm.Configuration { flexibleSyncConfiguration() }
}
