// Accounts of App Services, declared so that the compiler says what takes their place.

/// Unavailable: accounts are the identity provider's.
@available(*, unavailable, message: "Accounts belong to your identity provider: register and reset passwords there")
public struct EmailPasswordAuth: Sendable {}

/// Unavailable: keys are the identity provider's.
@available(
  *, unavailable, message: "Issue keys with your identity provider, as tokens, and sign in with .userAPIKey(_:)"
)
public struct APIKeyAuth: Sendable {}

/// Unavailable: keys are the identity provider's.
@available(
  *, unavailable, message: "Issue keys with your identity provider, as tokens, and sign in with .userAPIKey(_:)"
)
public struct UserAPIKey: Sendable {}

/// Unavailable: tokens say who a user is.
@available(*, unavailable, message: "Use User.claims, which has what the token says")
public struct UserProfile: Sendable {}

/// Unavailable: the server calls no functions.
@available(*, unavailable, message: "Call an endpoint of your own server, with user.accessToken as its bearer token")
public struct Functions: Sendable {}

/// Unavailable: the server sends no notifications to devices that have no connection.
@available(*, unavailable, message: "Register devices with your own service for push notifications")
public struct PushClient: Sendable {}

extension App {
  /// Unavailable: accounts are the identity provider's.
  @available(*, unavailable, message: "Accounts belong to your identity provider: register and reset passwords there")
  public var emailPasswordAuth: EmailPasswordAuth { fatalError() }

  /// Unavailable: the server sends no notifications to devices that have no connection.
  @available(*, unavailable, message: "Register devices with your own service for push notifications")
  public func pushClient(serviceName: String) -> PushClient { fatalError() }

  /// Unavailable: an app has one address.
  @available(*, unavailable, message: "Make another App with another baseURL")
  public func updateBaseUrl(to baseURL: String?) async throws {}
}

extension User {
  /// Unavailable: keys are the identity provider's.
  @available(
    *, unavailable, message: "Issue keys with your identity provider, as tokens, and sign in with .userAPIKey(_:)"
  )
  public var apiKeysAuth: APIKeyAuth { fatalError() }

  /// Unavailable: the server calls no functions.
  @available(*, unavailable, message: "Call an endpoint of your own server, with user.accessToken as its bearer token")
  public var functions: Functions { fatalError() }

  /// Unavailable: what is known of a user is in the token.
  @available(*, unavailable, message: "Use claims, which has what the token says, or an object of a class of your own")
  public var customData: [String: AnyRealmValue] { [:] }

  /// Unavailable: what is known of a user is in the token.
  @available(*, unavailable, message: "Use claims, which has what the token says, or an object of a class of your own")
  public func refreshCustomData() async throws -> [String: AnyRealmValue] { [:] }

  /// Unavailable: tokens say who a user is.
  @available(*, unavailable, message: "Use claims, which has what the token says")
  public var profile: UserProfile { fatalError() }

  /// Unavailable: a user has one identity, the token's `sub`.
  @available(
    *, unavailable, message: "Use id, which is the token's claim sub; identities are linked at your identity provider"
  )
  public var identities: [String] { [] }

  /// Unavailable: identities are linked at the identity provider.
  @available(
    *, unavailable, message: "Link identities at your identity provider, so that their tokens have the same sub"
  )
  public func linkUser(credentials: Credentials) async throws -> User { self }

  /// Unavailable: accounts are the identity provider's.
  @available(
    *, unavailable, message: "Delete the account at your identity provider; remove() deletes the user's stores here"
  )
  public func delete() async throws {}

  /// Unavailable: programs do not speak with the server's database.
  @available(*, unavailable, message: "Subscribe to the objects, or call an endpoint of your own server")
  public func mongoClient(_ serviceName: String) -> MongoClient { fatalError() }
}
