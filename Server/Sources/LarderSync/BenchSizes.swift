import LarderSyncProtocol
import LarderSyncServer

/// One measurement of bytes: what commits that each change one property of one object leave in the database.
struct BenchSizes {
  let store: SQLSyncStore
  let location: StoreLocation
  let name: String
  let commits: Int

  private static let sites: UInt64 = 16
  private static let objects: UInt64 = 10_000
  /// The number of commits that a device uploads at once.
  private static let upload: UInt64 = 5

  func run() async throws -> String {
    let tenant = try TenantID(name)
    try await store.write(unknownCommit: .runAgain) { transaction in
      try transaction.createTenant(TenantRecord(id: tenant, created: 0))
      let sites = try (0..<Self.sites).map { try SiteKey(Self.site($0).encoded()) }
      try transaction.putClients(tenant, sites.map { ClientRecord(site: $0, secretHash: []) })
    }
    let combiners = Combiners(store: store, hints: InProcessHintBus())
    let created = Self.objects / Self.sites
    try await submit(1...created, to: tenant, by: combiners) { site, version in
      SyncOperation(Self.object(site * created + version), .create(Self.properties))
    }
    let before = try StoreAdministration.sizes(of: location)
    let changed = UInt64(commits) / Self.sites
    try await submit((created + 1)...(created + changed), to: tenant, by: combiners) { site, version in
      // Far apart, so that the objects of one transaction are on many pages.
      let number = (site &* 7_919 &+ version &* 6_089) % Self.objects
      return SyncOperation(Self.object(number + 1), .set(SyncPath("priority"), .int(Int64(version))))
    }
    let after = try StoreAdministration.sizes(of: location)
    return zip(before, after).filter { $0 != $1 }.map { before, after in
      let count = Double(changed * Self.sites)
      let (rows, indexes) = (Double(after.rows - before.rows) / count, Double(after.indexes - before.indexes) / count)
      return "\(after.table): \(Int(rows.rounded())) + \(Int(indexes.rounded())) bytes a commit in rows and indexes"
    }.joined(separator: "; ")
  }

  /// Has all sites send commits with one operation each.
  private func submit(
    _ versions: ClosedRange<UInt64>, to tenant: TenantID, by combiners: Combiners,
    _ operation: @escaping @Sendable (UInt64, UInt64) -> SyncOperation
  ) async throws {
    let claims = UserClaims(subject: "bench", expires: .max, values: [:])
    let access = AccessPolicy.everything(schema: Self.schema).access(for: claims)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for site in 0..<Self.sites {
        group.addTask {
          for first in stride(from: versions.lowerBound, through: versions.upperBound, by: Int(Self.upload)) {
            let uploads = try (first...min(versions.upperBound, first + Self.upload - 1)).map { version in
              let commit = SyncCommit(
                siteVersion: version, time: SyncTime(milliseconds: 1_600_000_000_000 + version),
                nonce: version &* 0x9E37_79B9_7F4A_7C15, operations: [operation(site, version)])
              return try SubmittedUpload(
                site: Self.site(site), session: 1, commit: commit, access: access, size: 54)
            }
            let outcomes = try await combiners.submit(uploads, to: tenant)
            let isMerged = outcomes.allSatisfy { if case .merged = $0 { true } else { false } }
            guard isMerged else { throw SyncStoreError(.refused, "the measurement was not merged: \(outcomes)") }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func site(_ number: UInt64) -> SiteID {
    SiteID(high: (number &+ 1) &* 0x9E37_79B9_7F4A_7C15, low: number)
  }

  private static func object(_ number: UInt64) -> ObjectName {
    ObjectName(className: "Task", key: .uuid(SyncUUID(high: number &* 0x9E37_79B9_7F4A_7C15, low: number)))
  }

  private static let schema = SyncSchema(
    version: 1,
    classes: [
      SchemaClass(
        "Task", primaryKey: "id",
        properties: [
          SchemaProperty("id", .uuid), SchemaProperty("owner", .string, isQueryable: true),
          SchemaProperty("title", .string), SchemaProperty("priority", .int),
        ])
    ])

  private static let properties = [
    CreatedProperty("owner", .string("ann")), CreatedProperty("title", .string("Bring many things")),
    CreatedProperty("priority", .int(0)),
  ]
}
