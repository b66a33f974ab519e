import LarderSyncProtocol

/// The administration of tenants by an operator: makes them, and gives them schemas and roles. May be used from any thread.
public struct TenantAdministration: Sendable {
  /// The reason why an action fails.
  public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such tenant.
    case noTenant(TenantID)
    /// The tenant has no schema yet.
    case noSchema(TenantID)

    public var description: String {
      switch self {
      case .noTenant(let tenant): "There is no tenant '\(tenant)'; make it with larder-sync tenant create."
      case .noSchema(let tenant): "'\(tenant)' has no schema; give it one with larder-sync schema push."
      }
    }
  }

  private let store: any SyncStore
  private let now: @Sendable () -> Int64

  /// The administration of a store.
  ///
  /// - Parameter now: The time in milliseconds since 1970.
  public init(store: any SyncStore, now: @escaping @Sendable () -> Int64 = { StoredTenants.clock() }) {
    self.store = store
    self.now = now
  }

  /// Makes a tenant; one that is there stays as it is.
  ///
  /// - Returns: whether it was made.
  public func create(_ tenant: TenantID) async throws -> Bool {
    let record = TenantRecord(id: tenant, created: now())
    return try await store.write(unknownCommit: .runAgain) { try $0.createTenant(record) }
  }

  /// All tenants in the order of their names.
  public func tenants() async throws -> [TenantRecord] {
    try await store.read { reading in
      var all: [TenantRecord] = []
      while true {
        let next = try reading.tenants(after: all.last?.id.name ?? "", limit: 500)
        all += next
        if next.count < 500 { return all }
      }
    }
  }

  /// Changes how long the changes of a tenant are kept. Servers that run remove what is older within minutes.
  ///
  /// - Parameter retention: In milliseconds.
  /// - Throws: `Failure.noTenant`, and `SyncStoreError` of kind `invalidValue` for less than a millisecond.
  public func setRetention(_ retention: Int64, of tenant: TenantID) async throws {
    try await store.write(unknownCommit: .runAgain) { transaction in
      guard try transaction.tenant(tenant) != nil else { throw Failure.noTenant(tenant) }
      try transaction.setRetention(retention, of: tenant)
    }
  }

  /// Says that the data of a tenant were replaced by older ones: every device takes over what is there, and offers again what it still has of its
  /// own.
  ///
  /// - Returns: the new epoch.
  /// - Throws: `Failure.noTenant`, and `SyncStoreError` of kind `commitUnknown`.
  public func raiseEpoch(of tenant: TenantID) async throws -> Int64 {
    try await store.write(unknownCommit: .fail) { transaction in
      guard try transaction.tenant(tenant) != nil else { throw Failure.noTenant(tenant) }
      try transaction.raiseEpoch(of: tenant)
      return try transaction.parts(of: tenant).map(\.epoch).max() ?? 0
    }
  }

  /// Makes a schema the tenant's newest: it has to have all that the one before has.
  ///
  /// - Returns: the newest schema, whether it is another than before, and what it has more, in words.
  /// - Throws: `SchemaConflict` with all that devices would not survive, `Failure.noTenant`.
  public func push(
    _ schema: SyncSchema, to tenant: TenantID
  ) async throws -> (schema: SyncSchema, isNew: Bool, additions: [String]) {
    let created = now()
    return try await store.write(unknownCommit: .runAgain) { transaction in
      guard try transaction.tenant(tenant) != nil else { throw Failure.noTenant(tenant) }
      let newest = try transaction.newestDocument(tenant, .schema)
      let before = try newest?.schema() ?? SyncSchema(classes: [])
      let comparison = SchemaComparison(from: before, to: schema)
      guard comparison.breaks.isEmpty else {
        let list = comparison.breaks.map { "\n  \($0)" }.joined()
        throw SchemaConflict(
          description:
            "Devices use version \(before.version) of the schema of '\(tenant)', which this one breaks:\(list)")
      }
      guard schema.classes != before.classes || newest == nil else { return (before, false, []) }
      let record = DocumentRecord(schema: schema, version: (newest?.version ?? 0) + 1, created: created)
      try transaction.addDocument(tenant, .schema, record)
      return (try record.schema(), true, comparison.additions)
    }
  }

  /// The newest schema of a tenant.
  ///
  /// - Throws: `Failure`.
  public func schema(of tenant: TenantID) async throws -> SyncSchema {
    try await store.read { reading in
      guard try reading.tenant(tenant) != nil else { throw Failure.noTenant(tenant) }
      guard let record = try reading.newestDocument(tenant, .schema) else { throw Failure.noSchema(tenant) }
      return try record.schema()
    }
  }

  /// Makes roles the tenant's newest. Servers that run use them within seconds.
  ///
  /// - Returns: the number of the newest version, and whether it is another than before.
  /// - Throws: `DocumentError` for roles that do not fit the newest schema, and `Failure`.
  public func pushRoles(_ text: [UInt8], to tenant: TenantID) async throws -> (version: Int64, isNew: Bool) {
    let created = now()
    return try await store.write(unknownCommit: .runAgain) { transaction in
      guard try transaction.tenant(tenant) != nil else { throw Failure.noTenant(tenant) }
      guard let schema = try transaction.newestDocument(tenant, .schema) else { throw Failure.noSchema(tenant) }
      _ = try RolesDocument(text, schema: try schema.schema())
      let newest = try transaction.newestDocument(tenant, .roles)
      if let newest, newest.body == text { return (newest.version, false) }
      let record = DocumentRecord(version: (newest?.version ?? 0) + 1, body: text, created: created)
      try transaction.addDocument(tenant, .roles, record)
      return (record.version, true)
    }
  }

  /// The newest roles of a tenant as they were given; nil when there are none.
  ///
  /// - Throws: `Failure.noTenant`.
  public func roles(of tenant: TenantID) async throws -> [UInt8]? {
    try await store.read { reading in
      guard try reading.tenant(tenant) != nil else { throw Failure.noTenant(tenant) }
      return try reading.newestDocument(tenant, .roles)?.body
    }
  }
}
