import Foundation

/// The address of an app's server, and the options of its connections. `App` copies it.
public final class AppConfiguration: NSObject, NSCopying {
  /// The address of the server, with `https` or `wss`; `http` and `ws` only to this computer, or with `allowsPlainText`. Nil: the address in
  /// the environment's `LARDER_SYNC_URL`.
  public var baseURL: String!
  /// Not used: there are no requests besides the connection.
  public var defaultRequestTimeoutMS: UInt
  /// Not used: each store has a connection.
  public var enableSessionMultiplexing: Bool
  /// The times that connections wait; nil for those of `SyncTimeoutOptions()`.
  public var syncTimeouts: SyncTimeoutOptions?
  /// Gets users new tokens (Y-56); without one, `User.update(token:)` does. Beyond RealmSwift.
  public var tokenProvider: TokenProvider?
  /// Certificates, as DER or PEM, that are trusted in place of the system's. Beyond RealmSwift.
  public var trustedCertificates: [Data] = []
  /// A Boolean value that says whether a connection without TLS may lead to another computer. Beyond RealmSwift.
  public var allowsPlainText = false

  /// A configuration; each option is described at the property of its name. A transport is misuse: there are no requests.
  public init(
    baseURL: String? = nil, transport: (any RLMNetworkTransport)? = nil, defaultRequestTimeoutMS: UInt? = nil,
    enableSessionMultiplexing: Bool? = nil, syncTimeouts: SyncTimeoutOptions? = nil
  ) {
    if transport != nil { misuse("AppConfiguration: there are no requests that a transport could make; pass nil.") }
    self.baseURL = baseURL
    self.defaultRequestTimeoutMS = defaultRequestTimeoutMS ?? 60_000
    self.enableSessionMultiplexing = enableSessionMultiplexing ?? true
    self.syncTimeouts = syncTimeouts
  }

  public override func copy() -> Any { copy(with: nil) }

  /// A configuration of its own with the same options.
  public func copy(with zone: NSZone? = nil) -> Any { duplicate() }

  func duplicate() -> AppConfiguration { AppConfiguration(AppOptions(self)) }

  convenience init(_ options: AppOptions) {
    self.init(
      baseURL: options.baseURL, defaultRequestTimeoutMS: options.requestTimeout,
      enableSessionMultiplexing: options.isMultiplexing, syncTimeouts: options.timeouts.map { SyncTimeoutOptions($0) })
    tokenProvider = options.tokenProvider
    trustedCertificates = options.trustedCertificates
    allowsPlainText = options.allowsPlainText
  }
}

/// The options of a configuration, as a value.
struct AppOptions: Sendable {
  var baseURL: String?
  var requestTimeout: UInt
  var isMultiplexing: Bool
  var timeouts: TimeoutValues?
  var tokenProvider: TokenProvider?
  var trustedCertificates: [Data]
  var allowsPlainText: Bool

  init(_ configuration: AppConfiguration) {
    baseURL = configuration.baseURL
    requestTimeout = configuration.defaultRequestTimeoutMS
    isMultiplexing = configuration.enableSessionMultiplexing
    timeouts = configuration.syncTimeouts?.values
    tokenProvider = configuration.tokenProvider
    trustedCertificates = configuration.trustedCertificates
    allowsPlainText = configuration.allowsPlainText
  }
}

/// A maker of requests in RealmSwift; nothing makes requests here.
public protocol RLMNetworkTransport: Sendable {}
