import Testing

@testable import LarderSyncServer

/// A store that is moved is there as a whole, in any database.
@Suite struct StoreMoverTests {
  private func fill(_ test: TestStore) async throws {
    for name in ["acme", "other"] {
      let tenant = try await test.makeTenant(name, parts: 2, sites: (0..<40).map { .test($0) })
      for round in 1...3 {
        let uploads = (0..<40).map { Upload.test(.test($0), round, [.test($0 * round), .test($0, "Other")]) }
        _ = try await test.store.append(
          UploadBatch(tenant: tenant, uploads: uploads), now: 9, merging: CountingMerger())
      }
      try await test.store.write(unknownCommit: .fail) {
        try $0.putSubscription(tenant, SubscriptionRecord(site: .test(1), setVersion: 1, queries: [0, 255], state: 2))
        try $0.addDocument(tenant, .schema, DocumentRecord(version: 1, body: [1, 2], created: 3))
        try $0.addDocument(tenant, .roles, DocumentRecord(version: 1, body: [], created: 3))
        _ = try $0.trim(tenant, .first, upTo: 30, limit: 100)
        try $0.raiseEpoch(of: tenant)
      }
    }
  }

  /// All rows, as text that is the same in every database.
  private func contents(_ location: StoreLocation) throws -> [String] {
    let connection = try location.connect(.write)
    return try SQLTable.all.flatMap { table in
      let names = table.columns.filter { $0.type != .json }.map(\.name).joined(separator: ", ")
      return try connection.rows(SQLStatement("SELECT \(names) FROM \(table.name)")()).map {
        "\(table.name) \($0.cells)"
      }
    }.sorted()
  }

  @Test func thereAndBack() async throws {
    let test = try await Backend.file.make()
    try await fill(test)
    let source = try #require(test.location)
    let before = try contents(source)
    #expect(before.count > 400)
    let postgres = try Backend.postgres.emptyLocation()
    let counts = try StoreAdministration.move(from: source, to: postgres)
    #expect(counts.reduce(0) { $0 + $1.rows } == before.count)
    #expect(try contents(postgres) == before)
    let file = try Backend.file.emptyLocation()
    _ = try StoreAdministration.move(from: postgres, to: file)
    #expect(try contents(file) == before)
    // Filters work on what was moved, and the log goes on.
    let moved = TestStore(store: try await Backend.open(file), location: file)
    let tenant = try TenantID("acme")
    let request = ObjectPageRequest(className: "Other", limit: 100, filter: .equal("count", .int(3)))
    #expect(try await moved.store.read { try $0.objectPage(tenant, .first, request) }.count == 40)
    let none = ObjectPageRequest(className: "Other", limit: 100, filter: .equal("count", .int(4)))
    #expect(try await moved.store.read { try $0.objectPage(tenant, .first, none) }.isEmpty)
    let next = try await moved.store.append(
      UploadBatch(tenant: tenant, uploads: [.test(.test(0), 4, [])]), now: 9, merging: CountingMerger())
    #expect(next == [.merged(version: 121)])
  }

  @Test func targetsWithDataAreRefused() async throws {
    let (test, other) = (try await Backend.file.make(), try await Backend.postgres.make())
    try await fill(test)
    _ = try await other.makeTenant("already")
    let (source, target) = (try #require(test.location), try #require(other.location))
    let before = try contents(target)
    let error = #expect(throws: SyncStoreError.self) { _ = try StoreAdministration.move(from: source, to: target) }
    #expect(error?.kind == .refused)
    #expect(try contents(target) == before)
  }

  /// A move that is interrupted at any point leaves nothing, and is made again.
  @Test(arguments: Backend.shared) func interruptedMoves(_ backend: Backend) async throws {
    let test = try await Backend.file.make()
    try await fill(test)
    let (source, target) = (try #require(test.location), try backend.emptyLocation())
    _ = try StoreAdministration.migrate(target)
    let faults = Faults()
    var call = 0
    var isDone = false
    while !isDone {
      call += 3
      faults.reset([call: .before(Faults.loss)])
      let mover = StoreMover(
        source: try source.connect(.write), sourceDialect: .sqlite,
        target: FaultyConnection(try target.connect(.write), faults), targetDialect: target.dialect, pieceSize: 64)
      do {
        _ = try mover.run()
        isDone = true
      } catch {
        #expect((error as? SyncStoreError)?.kind == .unavailable)
        #expect(try contents(target).isEmpty)
      }
    }
    #expect(call > 30)
    #expect(try contents(target) == contents(source))
  }
}
