import LarderSyncProtocol
import Synchronization

/// The configuration of tenants as the store has it: the newest schema and the newest roles, read again when there are newer ones.
///
/// May be used from any thread. Each question costs two small reads of the store.
public final class StoredTenants: TenantDirectory {
  private struct Known {
    let schema: Int64
    let roles: Int64
    let configuration: TenantConfiguration
  }

  private let store: any SyncStore
  private let isDevelopment: Bool
  private let now: @Sendable () -> Int64
  private let known = Mutex<[TenantID: Known]>([:])

  /// The tenants of a store.
  ///
  /// - Parameters:
  ///   - isDevelopment: Whether tenants are made when devices ask for them, devices bring schemas, and users may do everything while a tenant
  ///     has no roles.
  ///   - now: The time in milliseconds since 1970.
  public init(
    store: any SyncStore, isDevelopment: Bool, now: @escaping @Sendable () -> Int64 = { StoredTenants.clock() }
  ) {
    self.store = store
    self.isDevelopment = isDevelopment
    self.now = now
  }

  public func configuration(of tenant: TenantID) async throws -> TenantConfiguration? {
    if isDevelopment {
      let created = now()
      try await store.write(unknownCommit: .runAgain) { transaction in
        if try transaction.tenant(tenant) == nil {
          try transaction.createTenant(TenantRecord(id: tenant, created: created))
        }
      }
    }
    let found = try await store.read { reading -> (DocumentRecord?, DocumentRecord?)? in
      guard try reading.tenant(tenant) != nil else { return nil }
      return (try reading.newestDocument(tenant, .schema), try reading.newestDocument(tenant, .roles))
    }
    guard let (schema, roles) = found else { return nil }
    let (schemaVersion, rolesVersion) = (schema?.version ?? 0, roles?.version ?? 0)
    if let known = known.withLock({ $0[tenant] }), known.schema == schemaVersion, known.roles == rolesVersion {
      return known.configuration
    }
    let configuration = try configuration(schema, roles)
    known.withLock {
      $0[tenant] = Known(schema: schemaVersion, roles: rolesVersion, configuration: configuration)
    }
    return configuration
  }

  private func configuration(_ schema: DocumentRecord?, _ roles: DocumentRecord?) throws -> TenantConfiguration {
    let schema = try schema?.schema() ?? SyncSchema(classes: [])
    guard let roles else {
      return TenantConfiguration(
        schema: schema, policy: isDevelopment ? .everything(schema: schema) : .nothing(schema: schema))
    }
    let document = try RolesDocument(roles.body, schema: schema)
    return TenantConfiguration(schema: schema) { document.access(for: $0) }
  }

  public func push(_ schema: SyncSchema, to tenant: TenantID, by claims: UserClaims) async throws -> SyncSchema {
    guard isDevelopment else { return try await compare(schema, tenant) }
    do throws(TooLongName) { try schema.checkNames() } catch {
      throw SessionFailure(.schema, action: .stop, "\(error)")
    }
    let created = now()
    do {
      return try await store.write(unknownCommit: .runAgain) { transaction in
        let newest = try transaction.newestDocument(tenant, .schema)
        let before = try newest?.schema() ?? SyncSchema(classes: [])
        let after = try before.adding(schema.allQueryable(), keepsOptions: true)
        guard after != before else { return before }
        let record = DocumentRecord(schema: after, version: (newest?.version ?? 0) + 1, created: created)
        try transaction.addDocument(tenant, .schema, record)
        return try record.schema()
      }
    } catch let conflict as SchemaConflict {
      throw SessionFailure(.schema, action: .stop, conflict.description)
    }
  }

  /// The schema of a server that takes no other from devices. Whether values fit is seen when they come.
  private func compare(_ schema: SyncSchema, _ tenant: TenantID) async throws -> SyncSchema {
    let present = try await store.read { try $0.newestDocument(tenant, .schema)?.schema() } ?? SyncSchema(classes: [])
    let missing = present.missing(of: schema)
    guard !missing.isEmpty else { return present }
    throw SessionFailure(
      .schemaForbidden, action: .carryOn,
      "The server's schema does not have \(missing.joined(separator: ", ")), and devices may not change it; add what is missing with larder-sync schema push."
    )
  }

  /// The time in milliseconds since 1970.
  public static func clock() -> Int64 { SystemClock.milliseconds() }
}

extension SyncSchema {
  /// The schema with all properties queryable that can be.
  fileprivate func allQueryable() -> SyncSchema {
    SyncSchema(
      version: version,
      classes: classes.map {
        SchemaClass($0.name, kind: $0.kind, primaryKey: $0.primaryKey, properties: $0.properties.map { $0.queryable() })
      })
  }
}
