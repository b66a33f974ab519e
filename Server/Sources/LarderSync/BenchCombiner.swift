import Foundation
import LarderSyncProtocol
import LarderSyncServer

/// One measurement of merging: clients that each wait for one commit to be durable before they submit the next.
struct BenchCombiner {
  let store: SQLSyncStore
  let clients: Int
  let tenants: Int
  let seconds: Int
  let name: String

  var description: String { "merging, \(clients) client(s), \(tenants) tenant(s), \(Self.commits) commit(s) at a time" }

  /// The number of commits that a client submits at once, as a device does that uploads its commits after it has reconnected.
  static let commits = 5

  func run() async throws -> String {
    let tenantIDs = try (0..<tenants).map { try TenantID("\(name)-\($0)") }
    for tenant in tenantIDs {
      try await store.write(unknownCommit: .runAgain) { [clients] transaction in
        try transaction.createTenant(TenantRecord(id: tenant, created: 0))
        let sites = try (0..<clients).map { try SiteKey(Self.site($0).encoded()) }
        try transaction.putClients(tenant, sites.map { ClientRecord(site: $0, secretHash: []) })
      }
    }
    let combiners = Combiners(store: store, hints: InProcessHintBus())
    let clock = ContinuousClock()
    let began = clock.now
    let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for client in 0..<clients {
        group.addTask {
          try await submit(client, to: tenantIDs[client % tenants], by: combiners, until: began + .seconds(seconds))
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return BenchFigures(times: times, each: Self.commits, passed: clock.now - began).description
  }

  private func submit(
    _ client: Int, to tenant: TenantID, by combiners: Combiners, until end: ContinuousClock.Instant
  ) async throws -> [Duration] {
    let claims = UserClaims(subject: "bench", expires: .max, values: [:])
    let access = AccessPolicy.everything(schema: Self.schema).access(for: claims)
    let clock = ContinuousClock()
    var times: [Duration] = []
    var version: UInt64 = 0
    while clock.now < end {
      let uploads = try (0..<Self.commits).map { _ in
        version += 1
        return try SubmittedUpload(
          site: Self.site(client), session: 1, commit: Self.commit(client, version), access: access, size: 120)
      }
      let before = clock.now
      let outcomes = try await combiners.submit(uploads, to: tenant)
      times.append(clock.now - before)
      let isMerged = outcomes.allSatisfy { if case .merged = $0 { true } else { false } }
      guard isMerged else { throw SyncStoreError(.refused, "the measurement was not merged: \(outcomes)") }
    }
    return times
  }

  private static func site(_ client: Int) -> SiteID { SiteID(high: 0xBE, low: UInt64(client) + 1) }

  private static let schema = SyncSchema(
    version: 1,
    classes: [
      SchemaClass(
        "Task", primaryKey: "id",
        properties: [
          SchemaProperty("id", .int), SchemaProperty("owner", .string, isQueryable: true),
          SchemaProperty("title", .string), SchemaProperty("done", .bool, isQueryable: true),
        ])
    ])

  /// Creates a task and says that an older one is done.
  private static func commit(_ client: Int, _ version: UInt64) -> SyncCommit {
    func task(_ number: UInt64) -> ObjectName {
      ObjectName(className: "Task", key: .int(Int64(client) << 32 | Int64(number)))
    }
    let properties = [
      CreatedProperty("owner", .string("ann")), CreatedProperty("title", .string(SyncText("Bring \(version) things"))),
      CreatedProperty("done", .bool(false)),
    ]
    return SyncCommit(
      siteVersion: version, time: SyncTime(milliseconds: 1_600_000_000_000 + version), nonce: version,
      operations: [
        SyncOperation(task(version), .create(properties)),
        SyncOperation(task(max(1, version / 2)), .set(SyncPath("done"), .bool(true))),
      ])
  }
}

/// The durations of a measurement's operations, and the rate that follows from them.
struct BenchFigures: CustomStringConvertible {
  let times: [Duration]
  /// Commits in each of the times.
  let each: Int
  let passed: Duration

  var description: String {
    let sorted = times.sorted()
    func milliseconds(_ part: Double) -> String {
      guard !sorted.isEmpty else { return "-" }
      return String(format: "%.2f ms", sorted[Int(Double(sorted.count - 1) * part)] / .milliseconds(1))
    }
    let rate = Double(times.count * each) / (passed / .seconds(1))
    return "\(Int(rate)) commits/s, p50 \(milliseconds(0.5)), p99 \(milliseconds(0.99))"
  }
}
