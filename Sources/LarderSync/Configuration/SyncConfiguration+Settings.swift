import Foundation

extension SyncConfiguration {
  /// A configuration for programs that have no `App`, such as servers: `Realm.Configuration.fileURL` is where the store is to be. Beyond
  /// RealmSwift.
  ///
  /// - Parameters:
  ///   - url: The address of the server.
  ///   - tenant: The set of data; nil for the one that the token names.
  ///   - token: Gets tokens.
  public init(
    url: URL, tenant: String? = nil, clientResetMode: ClientResetMode = .recoverUnsyncedChanges(),
    initialSubscriptions: InitialSubscriptionsConfiguration? = nil, token: @escaping TokenProvider
  ) {
    var settings = SyncSettings(
      .server(url, tokens: ProvidedTokens(token), manager: SyncManager()), tenant: tenant, clientResetMode)
    settings.initialSubscriptions = initialSubscriptions
    self.init(settings)
  }

  /// The settings of the configuration; misuse for one that this module did not make.
  package var settings: SyncSettings {
    get {
      guard let settings = synchroniser as? SyncSettings else { misuse("A SyncConfiguration of another library.") }
      return settings
    }
    set { synchroniser = newValue }
  }

  /// The user whose store it is; misuse for a configuration without an app.
  public var user: User {
    guard case .user(let user) = settings.owner else {
      misuse("This SyncConfiguration was made with a URL and has no user.")
    }
    return user
  }

  /// The handling of a state that does not fit the server's any more.
  public var clientResetMode: ClientResetMode { settings.clientResetMode }
  /// A Boolean value that says whether opening that waits fails for lost connections (Y-16).
  public var cancelAsyncOpenOnNonFatalErrors: Bool { settings.cancelsForConnections }
  /// Subscriptions that are made while the store is opened (Y-14).
  public var initialSubscriptions: InitialSubscriptionsConfiguration? { settings.initialSubscriptions }
  /// The set of data; nil for the one that the token names. Beyond RealmSwift.
  public var tenant: String? { settings.tenant }
  /// The role of this process: whether it may have the connection. Beyond RealmSwift.
  public var role: SyncRole {
    get { settings.role }
    set { settings.role = newValue }
  }
  /// The handling of new objects that are in no subscription (Y-26). Beyond RealmSwift.
  public var outsideWrites: OutsideWrites {
    get { settings.outsideWrites }
    set { settings.outsideWrites = newValue }
  }
  /// A Boolean value that says whether parts of a bootstrap become visible before all of it is there (Y-19). Beyond RealmSwift.
  public var appliesProgressively: Bool {
    get { settings.appliesProgressively }
    set { settings.appliesProgressively = newValue }
  }
  /// The manager to which everything opened with this configuration reports errors. Beyond RealmSwift.
  public var syncManager: SyncManager {
    switch settings.owner {
    case .user(let user): user.app.syncManager
    case .server(_, _, let manager): manager
    }
  }
}
