import Testing

@testable import LarderSyncServer

/// Pages of a class have each object once, whatever is written meanwhile.
@Suite struct PageTests {
  @Test(arguments: Backend.allCases) func pagesAreCompleteUnderWriters(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant()
    var random = SeededRandom.forTest()
    let seed = random.next()
    // Of the keys 0..<1200 every third stays as it is; the others come, go and change.
    let steady = Set(stride(from: 0, to: 1200, by: 3).map { ObjectKey.test($0) })
    try await put(test.store, tenant, (0..<1200).map { .test($0) }, isAlive: true)
    try await put(test.store, tenant, [.test(5, "Other"), .test(5, "Tas"), .test(5, "Taskk")], isAlive: true)
    let writer = Task {
      var random = SeededRandom(seed: seed)
      while !Task.isCancelled {
        let keys = (0..<20).map { _ in ObjectKey.test(random.int(0...399) * 3 + random.int(1...2)) }
        do {
          try await put(test.store, tenant, keys, isAlive: random.oneIn(2))
        } catch is CancellationError {
          return
        }
      }
    }
    for limit in [1200, 7, 64, 100] {
      let found = try await pages(test.store, tenant, limit: limit)
      #expect(found == found.sorted())
      #expect(Set(found).count == found.count)
      #expect(steady.isSubset(of: found))
      #expect(found.allSatisfy { $0.className == "Task" })
    }
    writer.cancel()
    try await writer.value
    let all = try await pages(test.store, tenant, limit: 100, includesDeleted: true)
    #expect(all == (0..<1200).map { .test($0) })
  }

  private func put(_ store: SQLSyncStore, _ tenant: TenantID, _ keys: [ObjectKey], isAlive: Bool) async throws {
    try await store.write(unknownCommit: .runAgain) {
      try $0.putObjects(
        tenant, .first, keys.map { ObjectWrite(ObjectRecord(key: $0, isAlive: isAlive, version: 1, body: [1, 2])) })
    }
  }

  private func pages(
    _ store: SQLSyncStore, _ tenant: TenantID, limit: Int, includesDeleted: Bool = false
  ) async throws -> [ObjectKey] {
    var found: [ObjectKey] = []
    while true {
      let request = ObjectPageRequest(
        className: "Task", after: found.last?.primaryKey, limit: limit, includesDeleted: includesDeleted)
      let page = try await store.read { try $0.objectPage(tenant, .first, request) }
      found += page.map(\.key)
      if page.count < limit { return found }
    }
  }

  /// A body that reads sees one state: what is committed meanwhile is not in it.
  @Test(arguments: Backend.shared) func readsSeeOneState(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant(sites: [.test(1)])
    let store = test.store
    let (began, written) = (AsyncStream<Void>.makeStream(), Gate())
    let reader = Task {
      try await store.read { reading in
        let before = try reading.heads([(tenant, .first)]).first?.head
        began.continuation.finish()
        written.wait()
        let client = try reading.client(tenant, .test(1))?.lastSiteVersion
        return (before, try reading.heads([(tenant, .first)]).first?.head, client)
      }
    }
    for await _ in began.stream {}
    _ = try await store.append(
      UploadBatch(tenant: tenant, uploads: [.test(.test(1), 1, [])]), now: 1, merging: CountingMerger())
    written.open()
    let seen = try await reader.value
    #expect(seen == (0, 0, 0))
    #expect(try await test.part(tenant)?.head == 1)
  }
}
