import Testing

@testable import LarderSyncServer

/// Uploads are merged once each, in the order of their sites, with versions that have no gaps.
@Suite struct AppendTests {
  @Test(arguments: Backend.allCases) func outcomes(_ backend: Backend) async throws {
    let test = try await backend.make()
    let (a, b) = (SiteKey.test(1), SiteKey.test(2))
    let tenant = try await test.makeTenant(sites: [a, b])
    let first = try await test.store.append(
      UploadBatch(
        tenant: tenant,
        uploads: [
          .test(a, 1, [.test(1)]), .test(b, 1, [.test(1)]), .test(a, 3, []), .test(a, 2, [.test(2)]),
          .test(a, 2, [.test(2)]), .test(.test(9), 1, []), .test(b, 2, [.test(1)], session: 2),
        ]), now: 50, merging: CountingMerger())
    #expect(
      first == [
        .merged(version: 1), .merged(version: 2), .gap(expected: 2), .merged(version: 3), .duplicate, .unknownSite,
        .fenced,
      ])
    let again = try await test.store.append(
      UploadBatch(tenant: tenant, uploads: [.test(a, 2, [.test(2)]), .test(b, 1, [.test(1)])]), now: 51,
      merging: CountingMerger())
    #expect(again == [.duplicate, .duplicate])
    let (client, objects) = try await test.store.read {
      (try $0.client(tenant, a), try $0.objects(tenant, .first, [.test(1), .test(2)]))
    }
    #expect(client?.lastSiteVersion == 2)
    #expect(client?.lastTime == 2 << 16)
    #expect(client?.seen == 50)
    #expect(client?.secretHash == [1, 2, 3])
    #expect(objects[.test(1)]?.body == CountingMerger.body(2))
    #expect(objects[.test(1)]?.version == 2)
    #expect(objects[.test(2)]?.body == CountingMerger.body(1))
    #expect(try await test.log(tenant).map(\.site) == [a, b, a])
  }

  @Test(arguments: Backend.allCases) func batchesAreChecked(_ backend: Backend) async throws {
    struct Refusal: Error {}
    struct Refusing: UploadMerger {
      func merge(_ state: MergeState) throws -> MergedUploads { throw Refusal() }
    }
    struct Short: UploadMerger {
      func merge(_ state: MergeState) -> MergedUploads { MergedUploads(changes: [], objects: []) }
    }
    let test = try await backend.make()
    let tenant = try await test.makeTenant(sites: [.test(1)])
    let batch = UploadBatch(tenant: tenant, uploads: [.test(.test(1), 1, [.test(1)])])
    await #expect(throws: Refusal.self) { try await test.store.append(batch, now: 1, merging: Refusing()) }
    await #expect(throws: SyncStoreError.self) { try await test.store.append(batch, now: 1, merging: Short()) }
    let large = UploadBatch(tenant: tenant, uploads: (1...201).map { .test(.test(1), $0, []) })
    await #expect(throws: SyncStoreError.self) { try await test.store.append(large, now: 1, merging: CountingMerger()) }
    let elsewhere = UploadBatch(tenant: try TenantID("other"), uploads: batch.uploads)
    await #expect(throws: SyncStoreError.self) {
      try await test.store.append(elsewhere, now: 1, merging: CountingMerger())
    }
    #expect(try await test.log(tenant).isEmpty)
    #expect(try await test.store.append(batch, now: 1, merging: CountingMerger()) == [.merged(version: 1)])
  }

  /// Eight writers append for sites of their own and for one that they share, and send much of it twice, while a reader follows the log: it
  /// sees every version once and in order, and every commit was merged once.
  @Test(arguments: Backend.allCases) func concurrentWritersLeaveNoGapsAndNoDoubles(_ backend: Backend) async throws {
    let test = try await backend.make()
    let writers = 8
    let commits = 60
    let sites = (0..<writers).map { SiteKey.test($0) }
    let shared = SiteKey.test(99)
    let tenant = try await test.makeTenant(sites: sites + [shared])
    let seed = SeededRandom.forTest().seed
    let total = Int64(writers * commits + commits)
    async let seen = follow(test.store, tenant, to: total)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, site) in sites.enumerated() {
        group.addTask {
          var random = SeededRandom(seed: seed &+ UInt64(number))
          var next = 1
          while next <= commits {
            let end = min(commits, next + random.int(0...9))
            let start = random.oneIn(3) ? max(1, next - 3) : next
            let uploads = (start...end).map { Upload.test(site, $0, [.test($0 % 5), .test(1000 + number)]) }
            // The same commits of one site, sent by all writers.
            let common = (1...end).map { Upload.test(shared, $0, [.test(7777)]) }
            let batch = UploadBatch(tenant: tenant, uploads: uploads + common)
            _ = try await test.store.append(batch, now: 1, merging: CountingMerger())
            next = end + 1
          }
        }
      }
      try await group.waitForAll()
    }
    let log = try await seen
    #expect(log.map(\.version) == Array(1...total))
    for site in sites + [shared] {
      #expect(log.filter { $0.site == site }.map(\.siteVersion) == Array(1...Int64(commits)))
    }
    let keys = (0..<5).map { ObjectKey.test($0) } + [.test(7777)]
    let objects = try await test.store.read { try $0.objects(tenant, .first, keys) }
    #expect(objects[.test(7777)]?.body == CountingMerger.body(commits))
    #expect(keys.dropLast().reduce(0) { $0 + CountingMerger.count(objects[$1]?.body ?? []) } == writers * commits)
    #expect(try await test.part(tenant)?.head == total)
  }

  /// Reads on from where it is, as a server's tail reader does.
  private func follow(_ store: SQLSyncStore, _ tenant: TenantID, to end: Int64) async throws -> [ChangeRecord] {
    var log: [ChangeRecord] = []
    while log.count < end {
      let after = log.last?.version ?? 0
      let next = try await store.read { try $0.changes(tenant, .first, after: after, limit: 50) }
      if let first = next.first { #expect(first.version == after + 1) }
      log += next
      try await Task.sleep(for: .milliseconds(1))
    }
    return log
  }

  /// Two servers, each with connections of its own.
  @Test(arguments: Backend.shared) func twoStoresOfOneDatabase(_ backend: Backend) async throws {
    let test = try await backend.make()
    let location = try #require(test.location)
    let other = try await Backend.open(location)
    defer { other.close() }
    let tenant = try await test.makeTenant(sites: [.test(1)])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in [test.store, other] {
        group.addTask {
          for number in 1...50 {
            let batch = UploadBatch(tenant: tenant, uploads: [.test(.test(1), number, [.test(1)])])
            var outcome = try await store.append(batch, now: 1, merging: CountingMerger())
            while case .gap = outcome[0] { outcome = try await store.append(batch, now: 1, merging: CountingMerger()) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await test.log(tenant).map(\.siteVersion) == Array(1...50))
    let object = try await other.read { try $0.objects(tenant, .first, [.test(1)])[.test(1)] }
    #expect(object?.body == CountingMerger.body(50))
  }
}
