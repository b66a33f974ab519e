import LarderSyncProtocol
import LarderSyncServer

/// One measurement of a commit with many objects: while it is merged the tenant's head row is locked.
struct BenchLargeCommit {
  let store: SQLSyncStore
  let objects: Int
  let name: String

  private static let site = SiteID(high: 0xBE, low: 1)

  func run() async throws -> String {
    let tenant = try TenantID(name)
    try await store.write(unknownCommit: .runAgain) { transaction in
      try transaction.createTenant(TenantRecord(id: tenant, created: 0))
      try transaction.putClients(tenant, [ClientRecord(site: try SiteKey(Self.site.encoded()), secretHash: [])])
    }
    let combiners = Combiners(store: store, hints: InProcessHintBus())
    let clock = ContinuousClock()
    var times: [Duration] = []
    for version in 1...2 as ClosedRange<UInt64> {
      let commit = commit(version)
      let claims = UserClaims(subject: "bench", expires: .max, values: [:])
      let access = AccessPolicy.everything(schema: Self.schema).access(for: claims)
      let began = clock.now
      let upload = try SubmittedUpload(
        site: Self.site, session: 1, commit: commit, access: access, size: 60 * objects)
      let outcomes = try await combiners.submit([upload], to: tenant)
      times.append(clock.now - began)
      guard case .merged? = outcomes.first else {
        throw SyncStoreError(.refused, "the measurement was not merged: \(outcomes)")
      }
    }
    return zip(["creating", "changing"], times).map { verb, time in
      "\(verb) \(objects) objects in one commit: \((time / .seconds(1) * 100).rounded() / 100) s, \(Int(Double(objects) / (time / .seconds(1)))) objects/s"
    }.joined(separator: "; ")
  }

  /// The first commit creates the objects, and the second one changes them.
  private func commit(_ version: UInt64) -> SyncCommit {
    let operations = (0..<objects).map { number in
      let task = ObjectName(className: "Task", key: .int(Int64(number)))
      let title = SyncValue.string(SyncText("Bring \(number) things \(version) times"))
      let edit: SyncEdit =
        version == 1 ? .create([CreatedProperty("title", title)]) : .set(SyncPath("title"), title)
      return SyncOperation(task, edit)
    }
    return SyncCommit(
      siteVersion: version, time: SyncTime(milliseconds: 1_600_000_000_000 + version), nonce: version,
      operations: operations)
  }

  private static let schema = SyncSchema(
    version: 1,
    classes: [
      SchemaClass(
        "Task", primaryKey: "id",
        properties: [SchemaProperty("id", .int), SchemaProperty("title", .string, isQueryable: true)])
    ])
}
