import Testing

@testable import LarderSyncServer

/// The log's end: trimming, retention, and the epoch.
@Suite struct LogEndTests {
  private func fill(_ test: TestStore, _ tenant: TenantID, count: Int) async throws {
    for number in 1...count {
      _ = try await test.store.append(
        UploadBatch(tenant: tenant, uploads: [.test(.test(1), number, [.test(number)])]), now: Int64(number) * 10,
        merging: CountingMerger())
    }
  }

  @Test(arguments: Backend.allCases) func trimming(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant(sites: [.test(1)])
    try await fill(test, tenant, count: 10)
    try await test.store.write(unknownCommit: .fail) {
      try $0.putObjects(
        tenant, .first,
        [
          ObjectWrite(ObjectRecord(key: .test(2), isAlive: false, version: 4, body: [])),
          ObjectWrite(ObjectRecord(key: .test(3), isAlive: false, version: 9, body: [])),
        ])
    }
    func trim(_ version: Int64, limit: Int = 100) async throws -> Int64 {
      try await test.store.write(unknownCommit: .runAgain) { try $0.trim(tenant, .first, upTo: version, limit: limit) }
    }
    #expect(try await trim(6, limit: 4) == 4)
    #expect(try await test.log(tenant).map(\.version) == Array(4...10))
    #expect(try await trim(6, limit: 4) == 6)
    #expect(try await trim(3) == 6)
    #expect(try await test.log(tenant).map(\.version) == Array(6...10))
    let left = try await test.store.read { try $0.objects(tenant, .first, [.test(1), .test(2), .test(3)]) }
    #expect(Set(left.keys) == [.test(1), .test(3)])
    #expect(try await trim(1000) == 10)
    // The row at the floor stays, for devices that are there.
    #expect(try await test.log(tenant).map(\.version) == [10])
    #expect(try await test.part(tenant)?.floor == 10)
    // Versions go on.
    let next = try await test.store.append(
      UploadBatch(tenant: tenant, uploads: [.test(.test(1), 11, [])]), now: 1, merging: CountingMerger())
    #expect(next == [.merged(version: 11)])
  }

  @Test(arguments: Backend.allCases) func retention(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant(sites: [.test(1)])
    try await fill(test, tenant, count: 5)
    let versions = try await test.store.write(unknownCommit: .fail) { transaction in
      try [0, 10, 11, 30, 51].map { try transaction.lastVersion(tenant, .first, mergedBefore: $0) }
    }
    #expect(versions == [0, 0, 1, 2, 5])
  }

  @Test(arguments: Backend.allCases) func expiredChangesAreRemoved(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant(parts: 2, sites: [.test(1)])
    try await fill(test, tenant, count: 10)
    try await test.store.write(unknownCommit: .fail) { try $0.setRetention(100, of: tenant) }
    #expect(try await test.store.trimExpired(tenant, now: 100, pieceSize: 2) == [.first: 0, PartID(1): 0])
    #expect(try await test.log(tenant).count == 10)
    #expect(try await test.store.trimExpired(tenant, now: 171, pieceSize: 2) == [.first: 7, PartID(1): 0])
    #expect(try await test.log(tenant).map(\.version) == [7, 8, 9, 10])
    #expect(try await test.store.trimExpired(tenant, now: 10_000) == [.first: 10, PartID(1): 0])
    let unknown = try TenantID("unknown")
    await #expect(throws: SyncStoreError.self) { try await test.store.trimExpired(unknown, now: 1) }
  }

  /// A gap in the log is never handed on: a reader would run past it.
  @Test(arguments: Backend.shared) func missingChangesAreDamage(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant(sites: [.test(1)])
    try await fill(test, tenant, count: 3)
    try await test.store.write(unknownCommit: .fail) { transaction in
      guard let running = transaction as? SQLTransaction else { return }
      running.later([SQLStatement("DELETE FROM larder_change WHERE tenant = 'acme' AND version = 2")()])
    }
    let error = await #expect(throws: SyncStoreError.self) { try await test.log(tenant) }
    #expect(error?.kind == .damaged)
  }

  @Test(arguments: Backend.allCases) func logsNeedTheirLock(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant()
    let error = await #expect(throws: SyncStoreError.self) {
      try await test.store.write(unknownCommit: .fail) { _ = try $0.append(tenant, .first, []) }
    }
    #expect(error?.kind == .invalidValue)
  }

  @Test(arguments: Backend.allCases) func epoch(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant(parts: 2)
    try await test.store.write(unknownCommit: .fail) { transaction in
      _ = try transaction.lockPart(tenant, .first)
      try transaction.raiseEpoch(of: tenant)
      let change = ChangeRecord(
        version: 0, site: .test(1), siteVersion: 1, nonce: 0, time: 0, merged: 0, delta: [], before: [])
      // The head row is written with what the transaction raised.
      #expect(try transaction.append(tenant, .first, [change]).epoch == 2)
    }
    #expect(try await test.store.read { try $0.parts(of: tenant) }.map(\.epoch) == [2, 2])
  }
}
