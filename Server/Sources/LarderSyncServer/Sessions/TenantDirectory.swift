import LarderSyncProtocol

/// What a tenant's operator has configured, as of one moment.
public struct TenantConfiguration: Sendable {
  /// The newest schema.
  public var schema: SyncSchema
  /// Who may read and write what.
  public var policy: AccessPolicy
  /// Fingerprints of devices' schemas that are no longer served: their devices are refused until the program is updated.
  public var retiredSchemas: Set<UInt64>

  /// A configuration.
  public init(schema: SyncSchema, policy: AccessPolicy, retiredSchemas: Set<UInt64> = []) {
    self.schema = schema
    self.policy = policy
    self.retiredSchemas = retiredSchemas
  }
}

/// Where the hub finds the configuration of tenants. May be used from any thread.
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
