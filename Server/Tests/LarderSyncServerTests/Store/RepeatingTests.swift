import Testing

@testable import LarderSyncServer

/// Transactions are repeated where that helps, and uploads are merged once all the same.
@Suite struct RepeatingTests {
  private let site = SiteKey.test(1)

  private func append(_ test: TestStore, _ tenant: TenantID, _ number: Int) async throws -> UploadOutcome? {
    try await test.store.append(
      UploadBatch(tenant: tenant, uploads: [.test(site, number, [.test(1)])]), now: 1, merging: CountingMerger()
    ).first
  }

  @Test(arguments: Backend.shared) func threeRoundTrips(_ backend: Backend) async throws {
    let faults = Faults()
    let test = try await backend.make(faults)
    let tenant = try await test.makeTenant(sites: [site])
    faults.reset()
    #expect(try await append(test, tenant, 1) == .merged(version: 1))
    #expect(faults.calls == 3)
  }

  /// Each of the round trips fails in turn, before and after the database has done it.
  @Test(arguments: Backend.shared) func everyStepMayFail(_ backend: Backend) async throws {
    let faults = Faults()
    let test = try await backend.make(faults)
    let tenant = try await test.makeTenant(sites: [site])
    var number = 0
    for fault in [Faults.Fault.before(Faults.conflict), .before(Faults.loss), .after(Faults.loss)] {
      for call in 1...3 {
        number += 1
        faults.reset([call: fault])
        let outcome = try await append(test, tenant, number)
        // The answer to the commit was lost: the second attempt finds it done.
        if case .after = fault, call == 3 {
          #expect(outcome == .duplicate)
        } else {
          #expect(outcome == .merged(version: Int64(number)))
        }
        #expect(faults.calls > 3)
      }
    }
    #expect(try await test.log(tenant).map(\.siteVersion) == Array(1...Int64(number)))
    let object = try await test.store.read { try $0.objects(tenant, .first, [.test(1)])[.test(1)] }
    #expect(object?.body == CountingMerger.body(number))
  }

  @Test(arguments: Backend.shared) func unknownCommitsAreReported(_ backend: Backend) async throws {
    let faults = Faults()
    let test = try await backend.make(faults)
    let tenant = try await test.makeTenant(sites: [site])
    faults.reset([1: .after(Faults.loss)])
    let error = await #expect(throws: SyncStoreError.self) {
      try await test.store.write(unknownCommit: .fail) {
        try $0.putClients(tenant, [ClientRecord(site: .test(2), secretHash: [])])
      }
    }
    #expect(error?.kind == .commitUnknown)
    #expect(try await test.store.read { try $0.client(tenant, .test(2)) } != nil)
  }

  @Test(arguments: Backend.shared) func conflictsEnd(_ backend: Backend) async throws {
    let faults = Faults()
    let test = try await backend.make(
      faults, policy: RetryPolicy(conflicts: 4, connectionTime: .milliseconds(50), longestPause: .milliseconds(5)))
    let tenant = try await test.makeTenant(sites: [site])
    faults.reset(Dictionary(uniqueKeysWithValues: (1...100).map { ($0, .before(Faults.conflict)) }))
    var error = await #expect(throws: SyncStoreError.self) { try await append(test, tenant, 1) }
    #expect(error?.kind == .conflict)
    #expect(faults.calls == 4)
    faults.reset(Dictionary(uniqueKeysWithValues: (1...10_000).map { ($0, .before(Faults.loss)) }))
    error = await #expect(throws: SyncStoreError.self) { try await append(test, tenant, 1) }
    #expect(error?.kind == .unavailable)
    faults.reset()
    #expect(try await append(test, tenant, 1) == .merged(version: 1))
  }

  /// Two transactions that wait for each other: PostgreSQL ends one, which is repeated.
  @Test func deadlocksAreRepeated() async throws {
    let test = try await Backend.postgres.make()
    let tenant = try await test.makeTenant(parts: 2)
    let gates = [Gate(), Gate()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for turn in 0..<2 {
        group.addTask {
          let first = FirstTime()
          try await test.store.write(unknownCommit: .fail) { transaction in
            _ = try transaction.lockPart(tenant, PartID(Int32(turn)))
            if first.take() {
              gates[1 - turn].open()
              gates[turn].wait()
            }
            _ = try transaction.lockPart(tenant, PartID(Int32(1 - turn)))
            let change = ChangeRecord(
              version: 0, site: .test(turn), siteVersion: 1, nonce: 0, time: 0, merged: 0, delta: [], before: [])
            for part in 0..<2 as Range<Int32> { _ = try transaction.append(tenant, PartID(part), [change]) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await test.store.read { try $0.parts(of: tenant) }.map(\.head) == [2, 2])
  }

  /// Rows that another transaction changes while this one waits for their lock come as that one left them.
  @Test func locksShowTheNewestRows() async throws {
    let test = try await Backend.postgres.make()
    let tenant = try await test.makeTenant(sites: [site])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<20 {
            try await test.store.write(unknownCommit: .fail) { transaction in
              var client = try #require(try transaction.lockClients(tenant, [site])[site])
              client.session += 1
              try transaction.putClients(tenant, [client])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await test.store.read { try $0.client(tenant, site) }?.session == 161)
  }
}
