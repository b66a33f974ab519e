import Foundation
import LarderStorage

/// The settings in a `SyncConfiguration`.
package struct SyncSettings: Sendable {
  /// The owner of a store, with the address of its server.
  enum Owner: Sendable {
    case user(User)
    case server(URL, tokens: ProvidedTokens, manager: SyncManager)
  }

  var owner: Owner
  var tenant: String?
  var clientResetMode: ClientResetMode
  var cancelsForConnections = false
  var initialSubscriptions: InitialSubscriptionsConfiguration?
  var role = SyncRole.automatic
  var outsideWrites = OutsideWrites.refuse
  var appliesProgressively = false
  /// Makes the engine of a store.
  package var makeEngine: @Sendable (Store, EngineConfiguration) throws -> any SyncEngineProtocol = {
    try SyncEngine(store: $0, configuration: $1)
  }

  /// The registry of the process's sessions.
  var registry = SessionRegistry.shared

  init(_ owner: Owner, tenant: String?, _ mode: ClientResetMode) {
    self.owner = owner
    self.tenant = tenant
    clientResetMode = mode
  }

  /// The owner of the store, as the store keeps it (Y-54).
  var ownership: String {
    switch owner {
    case .user(let user): "\(SyncPaths.name(user.app.id))/\(SyncPaths.name(tenant ?? ""))/\(SyncPaths.name(user.id))"
    case .server(let url, _, _): "\(url.absoluteString)/\(SyncPaths.name(tenant ?? ""))"
    }
  }

  private var manager: SyncManager {
    switch owner {
    case .user(let user): user.app.syncManager
    case .server(_, _, let manager): manager
    }
  }

  private func engineConfiguration(_ timeouts: TimeoutValues) throws -> EngineConfiguration {
    let manager = manager
    let (url, tokens): (String, any TokenSource) =
      switch owner {
      case .user(let user): (try user.app.address(), UserTokens(user: user))
      case .server(let url, let tokens, _): (try ServerAddress.connection(url.absoluteString), tokens)
      }
    var result = EngineConfiguration(
      url: url, tenant: tenant ?? "", agent: manager.userAgent, tokens: tokens, transport: Self.transport)
    result.tenantOfToken = { (try? TokenClaims($0))?.tenant }
    result.headers = { manager.customRequestHeaders ?? [:] }
    result.appliesProgressively = appliesProgressively
    result.timeouts = timeouts.engine
    if case .user(let user) = owner {
      result.allowsPlainText = user.app.options.allowsPlainText
      result.trustedCertificates = user.app.options.trustedCertificates.map { [UInt8]($0) }
    }
    return result
  }

  private static var transport: any SyncTransport {
    #if Sync
      NIOTransport()
    #else
      MissingTransport()
    #endif
  }

  fileprivate func setup(_ configuration: Realm.Configuration) throws -> SessionSetup {
    let manager = manager
    var appTimeouts = TimeoutValues()
    var user: User?
    if case .user(let owner) = self.owner {
      user = owner
      appTimeouts = owner.app.options.timeouts ?? appTimeouts
    }
    let timeouts = manager.beginSession() ?? appTimeouts
    let blocks = ResetBlocks(clientResetMode)
    var engine = try engineConfiguration(timeouts)
    engine.reset = blocks.plan(registry, configuration)
    return SessionSetup(
      user: user, configuration: configuration.syncConfiguration ?? SyncConfiguration(self), identity: identity,
      sendsOutsideWrites: outsideWrites == .sendAnyway, failsWithoutConnection: cancelsForConnections,
      connects: role != .never && !configuration.readOnly, reporter: manager, resetHandler: blocks.handler,
      linger: { [registry] in registry.linger($0, of: $1, for: .milliseconds(Int64(clamping: timeouts.linger))) },
      engine: engine, makeEngine: makeEngine)
  }
}

extension SyncSettings: Synchroniser {
  package var identity: String { "\(ownership) \(role)" }

  package func prepare(_ path: String, _ configuration: Realm.Configuration) throws {
    if !configuration.readOnly { try ManualReset(path, registry).finish() }
    guard case .user(let user) = owner, path.hasPrefix(user.app.paths.folder + "/"), !configuration.readOnly else {
      return
    }
    try SyncPaths.makeFolder(for: path)
  }

  package func open(
    _ store: Store, _ configuration: Realm.Configuration, _ models: ModelBinding
  ) throws -> any StoreSynchronisation {
    let isOurs = try StoreOwner.verify(ownership, store, mayWrite: !configuration.readOnly)
    let session = try registry.session(of: store, try setup(configuration))
    let isFirst = registry.isFirst(store.path)
    if let initialSubscriptions, !configuration.readOnly, !isOurs || (isFirst && initialSubscriptions.rerunOnOpen) {
      try session.subscribed.run(initialSubscriptions, models)
    }
    // Only now: a store whose first subscriptions could not be made is opened as new the next time.
    if !isOurs, !configuration.readOnly { try StoreOwner.set(ownership, in: store) }
    return session
  }

  package func unsentCommits(of store: Store) throws -> Int { try DeviceKeeper.unsentCommits(of: store) }
}

/// The owner that a store keeps (Y-54).
private enum StoreOwner {
  /// Returns true if the store is the owner's already; false for one that has no owner yet.
  ///
  /// - Throws: `Realm.Error.incompatibleSession` for another's.
  static func verify(_ owner: String, _ store: Store, mayWrite: Bool) throws -> Bool {
    guard let bytes = try store.snapshot().syncState(SyncStateName.owner) else { return false }
    let known = String(decoding: bytes, as: UTF8.self)
    guard known == owner else {
      throw Realm.Error.make(
        .incompatibleSession,
        "'\(store.path)' belongs to '\(known)' and cannot be opened as '\(owner)': each application, tenant and user has stores of its own.",
        path: store.path)
    }
    return true
  }

  static func set(_ owner: String, in store: Store) throws {
    let writer = try store.beginWrite()
    do {
      try SyncWriting(writer).setState(SyncStateName.owner, Array(owner.utf8))
      try writer.commit()
    } catch {
      writer.cancel()
      throw error
    }
  }
}

extension SubscribedStore {
  /// Makes the subscriptions of a new store.
  ///
  /// - Throws: `Realm.Error.subscriptionFailed` for what cannot be subscribed to (Y-14).
  fileprivate func run(_ initial: InitialSubscriptionsConfiguration, _ models: ModelBinding) throws {
    let unnamed = statuses.value.record.subscriptions.count { $0.name == nil }
    let set = SyncSubscriptionSet(reference: try SetReference(self, models, nil))
    let result = try update(replacingNames: true) { initial.callback(set) }
    let later = result.record.subscriptions.count { $0.name == nil }
    guard unnamed > 0, later > unnamed else { return }
    Logger.shared.log(
      .warn,
      "initialSubscriptions added unnamed subscriptions to '\(store.path)' again, because their queries changed. Give them names, so that they are replaced."
    )
  }
}
