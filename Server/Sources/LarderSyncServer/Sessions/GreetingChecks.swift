import LarderSyncProtocol

/// The checks of a greeting before the store is read. A value without clock.
struct GreetingChecks {
  let hello: Hello

  /// The version that both sides speak.
  func version(newest: ProtocolVersion = .current) throws(SessionFailure) -> ProtocolVersion {
    let common = min(hello.newest, newest)
    // Of an older major version this server knows nothing.
    guard common >= hello.oldest, common.major == newest.major, hello.oldest <= hello.newest else {
      throw SessionFailure(
        .version, action: .stop,
        "This server speaks version \(newest.major).\(newest.minor) of the protocol, the device \(hello.oldest.major).\(hello.oldest.minor) to \(hello.newest.major).\(hello.newest.minor); the older of the two has to be updated."
      )
    }
    return common
  }

  /// Checks the numbers of what the device keeps, with which the server goes on to count.
  func numbers() throws(SessionFailure) {
    guard hello.position.retained.last != nil else {
      throw SessionFailure(
        .malformed, action: .stop,
        "No device keeps commits with these numbers: they count from 1, and end at \(Int64.max).")
    }
  }

  /// The tenant, which the token has to be for; the token's own for a device that names none.
  ///
  /// - Parameter acceptsAny: Whether a token that names no tenant is for all of them.
  func tenant(_ claims: UserClaims, acceptsAny: Bool) throws(SessionFailure) -> TenantID {
    guard claims.tenant != nil || acceptsAny else {
      throw SessionFailure(
        .tenant, action: .stop,
        "The token names no tenant: it needs the claim 'tenant'. A server whose users may use every tenant is started with --tokens-for-all-tenants."
      )
    }
    let name = hello.tenant.string.isEmpty ? claims.tenant ?? "" : hello.tenant.string
    guard claims.tenant == nil || claims.tenant == name, let tenant = try? TenantID(name) else {
      throw Self.tenantRefused(name)
    }
    return tenant
  }

  /// The configuration of the tenant, which the device's schema has to fit.
  func configuration(_ configuration: TenantConfiguration?) throws(SessionFailure) -> TenantConfiguration {
    guard let configuration else { throw Self.tenantRefused(hello.tenant.string) }
    guard !configuration.retiredSchemas.contains(hello.schemaFingerprint) else {
      throw SessionFailure(
        .schemaTooOld, action: .stop,
        "The schema of this program is no longer served; update the program.")
    }
    return configuration
  }

  /// Says no more than that: which tenants there are is nothing for those who may use none of them.
  static func tenantRefused(_ name: String) -> SessionFailure {
    SessionFailure(
      .tenant, action: .stop, "There is no tenant '\(name)' that this user may use.", subject: SyncText(name))
  }

  /// Returns the failure that a device is sent when its token is not accepted.
  static func refusal(_ failure: TokenFailure) -> SessionFailure {
    switch failure {
    case .invalid(let text): SessionFailure(.token, action: .refreshToken, text)
    case .wrongAudience:
      SessionFailure(.token, action: .refreshToken, "The token is meant for another service: see its claim 'aud'.")
    case .expired: SessionFailure(.tokenExpired, action: .refreshToken, "The token has expired.")
    }
  }
}
