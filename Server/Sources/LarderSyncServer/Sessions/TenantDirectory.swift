import LarderSyncProtocol

/// The configuration of a tenant by its operator, as of one moment.
public struct TenantConfiguration: Sendable {
  /// The newest schema.
  public var schema: SyncSchema
  /// Returns the access of a user. It is called for each session when the configuration has changed.
  public var access: @Sendable (UserClaims) -> UserAccess
  /// Fingerprints of devices' schemas that are no longer served: their devices are refused until the program is updated.
  public var retiredSchemas: Set<UInt64>

  /// A configuration.
  public init(
    schema: SyncSchema, retiredSchemas: Set<UInt64> = [], access: @escaping @Sendable (UserClaims) -> UserAccess
  ) {
    self.schema = schema
    self.access = access
    self.retiredSchemas = retiredSchemas
  }

  /// A configuration with the rules of a policy.
  public init(schema: SyncSchema, policy: AccessPolicy, retiredSchemas: Set<UInt64> = []) {
    self.init(schema: schema, retiredSchemas: retiredSchemas) { policy.access(for: $0) }
  }
}

/// The source of the configurations of tenants for the hub. May be used from any thread.
public protocol TenantDirectory: Sendable {
  /// The configuration of a tenant; nil when there is no such tenant. It is called for each greeting and every few seconds for each tenant that
  /// has sessions, so it should be answered from memory unless something has changed.
  ///
  /// - Throws: what keeps the configuration from being read; devices are asked to come again then.
  func configuration(of tenant: TenantID) async throws -> TenantConfiguration?

  /// Adds what a device's schema has more than the tenant's, and returns the schema after that.
  ///
  /// - Throws: `SessionFailure`, which the device is sent: 501 for a schema that does not fit, 503 when devices may not change it.
  func push(_ schema: SyncSchema, to tenant: TenantID, by claims: UserClaims) async throws -> SyncSchema
}

extension TenantDirectory {
  /// Devices may not change the schema.
  public func push(_ schema: SyncSchema, to tenant: TenantID, by claims: UserClaims) async throws -> SyncSchema {
    throw SessionFailure(
      .schemaForbidden, action: .carryOn, "Devices may not change the schema of this server; deploy it there.")
  }
}
