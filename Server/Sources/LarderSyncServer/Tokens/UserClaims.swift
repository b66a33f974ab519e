import LarderSyncProtocol

/// The claims of a verified token about its user.
public struct UserClaims: Hashable, Sendable {
  /// The name of the user: the claim `sub`.
  public var subject: String
  /// The only tenant that the token is for; nil for a token that names none.
  public var tenant: String?
  /// The time when the token stops being valid, in milliseconds since 1970.
  public var expires: Int64
  /// All claims that have plain values, by name, `sub` and `tenant` among them: what rules ask for as `claims.name`. A claim that is a list has
  /// several values.
  public var values: [String: [SyncValue]]

  /// The claims of a token.
  public init(subject: String, tenant: String? = nil, expires: Int64, values: [String: [SyncValue]] = [:]) {
    self.subject = subject
    self.tenant = tenant
    self.expires = expires
    self.values = values
  }
}
