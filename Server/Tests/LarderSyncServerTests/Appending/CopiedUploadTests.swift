import Testing

@testable import LarderSyncServer

/// Commits of sites that are copies of one device are found by their random numbers.
@Suite struct CopiedUploadTests {
  /// Says in the log which uploads are repeated.
  private struct MarkingMerger: UploadMerger {
    func merge(_ state: MergeState) throws -> MergedUploads {
      let changes = state.uploads.indices.map { index in
        MergedChange(
          time: state.uploads[index].time, delta: [state.repeated.contains(index) ? 1 : 0], before: [])
      }
      return MergedUploads(changes: changes, objects: [])
    }
  }

  private let a = SiteKey.test(1)
  private let b = SiteKey.test(2)
  private let c = SiteKey.test(3)

  /// A tenant where `a` and `b` are copies with three commits, and `c` is not.
  private func makeTenant(_ test: TestStore, _ name: String = "acme") async throws -> TenantID {
    let tenant = try await test.makeTenant(name, sites: [c])
    try await test.store.write(unknownCommit: .runAgain) { [a, b] transaction in
      let copies = [a, b].map { ClientRecord(site: $0, secretHash: [], copiesThrough: 3) }
      try transaction.putClients(tenant, copies)
    }
    return tenant
  }

  private func append(_ test: TestStore, _ tenant: TenantID, _ uploads: [Upload]) async throws -> [UInt8] {
    let head = try await test.part(tenant)?.head ?? 0
    _ = try await test.store.append(
      UploadBatch(tenant: tenant, uploads: uploads), now: 1, merging: MarkingMerger())
    return try await test.log(tenant, after: head).flatMap(\.delta)
  }

  @Test(
    "MR-16: a commit that another copy has sent is repeated, in the same batch and later", arguments: Backend.allCases)
  func repeated(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await makeTenant(test)
    #expect(try await append(test, tenant, [.test(a, 1, []), .test(b, 1, []), .test(a, 2, [])]) == [0, 1, 0])
    #expect(try await append(test, tenant, [.test(b, 2, []), .test(b, 3, []), .test(a, 3, [])]) == [1, 0, 1])
    // After what they have in common, and of sites that are no copies, equal numbers mean nothing.
    #expect(try await append(test, tenant, [.test(a, 4, []), .test(b, 4, []), .test(c, 1, [])]) == [0, 0, 0])
    let other = try await makeTenant(test, "other")
    #expect(try await append(test, other, [.test(b, 1, [])]) == [0])
    let found = try await test.store.read { try $0.copies(tenant, (1...4).map { Upload.test(.test(1), $0, []).nonce }) }
    #expect(Set(found.map(\.site)) == [a, b])
    #expect(found.count == 3)
  }

  @Test("what copies cost is one round trip, for their own commits alone", arguments: Backend.shared)
  func cost(_ backend: Backend) async throws {
    let faults = Faults()
    let test = try await backend.make(faults)
    let tenant = try await makeTenant(test)
    // The first use of a connection costs more.
    _ = try await append(test, tenant, [.test(c, 1, [])])
    faults.reset()
    _ = try await append(test, tenant, [.test(c, 2, [])])
    let plain = faults.calls
    faults.reset()
    _ = try await append(test, tenant, [.test(a, 1, [])])
    #expect(faults.calls == plain + 1)
  }
}
