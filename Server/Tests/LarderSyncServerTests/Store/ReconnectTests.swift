import Testing

@testable import LarderSyncServer

/// A database that is killed and started again: what was acknowledged is there, and everything was merged once.
@Suite(.serialized) struct ReconnectTests {
  @Test func killedWhileSitesUpload() async throws {
    let postgres = try TestPostgres(named: "kill")
    defer { try? postgres.remove() }
    let url = postgres.url("larder")
    _ = try StoreAdministration.migrate(.postgres(url: url))
    let test = TestStore(
      store: try await SQLSyncStore.postgres(
        url, connections: .init(writing: 6, reading: 2), policy: RetryPolicy(connectionTime: .seconds(60)),
        logger: .quiet),
      location: nil)
    let sites = (0..<6).map { SiteKey.test($0) }
    let tenant = try await test.makeTenant(sites: sites)
    let commits = 150
    let acknowledged = try await withThrowingTaskGroup(of: Int.self) { group in
      for site in sites {
        group.addTask {
          var merged = 0
          for number in 1...commits {
            let outcome = try await test.store.append(
              UploadBatch(tenant: tenant, uploads: [.test(site, number, [.test(1)])]), now: 1, merging: CountingMerger()
            )
            if case .merged = outcome[0] { merged += 1 } else { #expect(outcome == [.duplicate]) }
          }
          return merged
        }
      }
      for kill in 1...3 {
        try await untilHead(Int64(kill * commits), test, tenant)
        try postgres.kill()
        try postgres.start()
      }
      return try await group.reduce(0, +)
    }
    let log = try await test.log(tenant)
    #expect(log.map(\.version) == Array(1...Int64(commits * sites.count)))
    for site in sites { #expect(log.filter { $0.site == site }.map(\.siteVersion) == Array(1...Int64(commits))) }
    let object = try await test.store.read { try $0.objects(tenant, .first, [.test(1)])[.test(1)] }
    #expect(object?.body == CountingMerger.body(commits * sites.count))
    // Those whose commit happened while its answer was lost were found to be duplicates.
    #expect(acknowledged <= commits * sites.count)
  }

  private func untilHead(_ version: Int64, _ test: TestStore, _ tenant: TenantID) async throws {
    while try await test.part(tenant)?.head ?? 0 < version { try await Task.sleep(for: .milliseconds(2)) }
  }

  @Test func killedInTheMiddleOfATransaction() async throws {
    let postgres = try TestPostgres(named: "middle")
    defer { try? postgres.remove() }
    let url = postgres.url("larder")
    _ = try StoreAdministration.migrate(.postgres(url: url))
    let store = try await SQLSyncStore.postgres(url, policy: RetryPolicy(connectionTime: .seconds(60)), logger: .quiet)
    let test = TestStore(store: store, location: nil)
    let tenant = try await test.makeTenant(sites: [.test(1)])
    let first = FirstTime()
    let attempts = try await store.write(unknownCommit: .runAgain) { transaction in
      var client = try #require(try transaction.lockClients(tenant, [.test(1)])[.test(1)])
      client.session += 1
      try transaction.putClients(tenant, [client])
      // Written, and not committed.
      #expect(try transaction.client(tenant, .test(1))?.session == 2)
      let isFirst = first.take()
      if isFirst {
        try postgres.kill()
        try postgres.start()
      }
      return isFirst ? 1 : 2
    }
    #expect(attempts == 2)
    #expect(try await store.read { try $0.client(tenant, .test(1)) }?.session == 2)
  }

  /// A database that stays away is reported in time, and used again when it is back.
  @Test func awayForLonger() async throws {
    let postgres = try TestPostgres(named: "away")
    defer { try? postgres.remove() }
    let url = postgres.url("larder")
    _ = try StoreAdministration.migrate(.postgres(url: url))
    let store = try await SQLSyncStore.postgres(
      url, policy: RetryPolicy(connectionTime: .milliseconds(300)), logger: .quiet)
    let test = TestStore(store: store, location: nil)
    let tenant = try await test.makeTenant()
    try postgres.kill()
    let error = await #expect(throws: SyncStoreError.self) { _ = try await test.part(tenant) }
    #expect(error?.kind == .cannotConnect || error?.kind == .unavailable)
    try postgres.start()
    // Once per thread with an old connection.
    var found: PartRecord?
    while found == nil { found = try? await test.part(tenant) }
    #expect(found?.head == 0)
  }
}
