import Testing

@testable import LarderSyncServer

/// Tables are made once, brought from version to version, and never touched by an older server.
@Suite struct StoreMigratorTests {
  private let steps =
    StoreMigrator.steps + [
      StoreMigrator.Step(version: StoreMigrator.newest + 1) { _ in
        [
          SQLStatement("CREATE TABLE larder_more (tenant TEXT PRIMARY KEY)"),
          SQLStatement("INSERT INTO larder_more (tenant) SELECT tenant FROM larder_tenant"),
        ]
      }
    ]

  @Test(arguments: Backend.shared) func tablesAreMadeOnce(_ backend: Backend) async throws {
    let location = try backend.emptyLocation()
    let missing = await #expect(throws: SyncStoreError.self) { _ = try await Backend.open(location) }
    #expect(missing?.kind == (backend == .file ? .cannotConnect : .notMigrated))
    #expect(try StoreAdministration.migrate(location) == (0, StoreMigrator.newest))
    #expect(try StoreAdministration.migrate(location) == (StoreMigrator.newest, StoreMigrator.newest))
    try await Backend.open(location).close()
  }

  @Test(arguments: Backend.shared) func upgrades(_ backend: Backend) async throws {
    let test = try await backend.make()
    _ = try await test.makeTenant("kept")
    let location = try #require(test.location)
    let connection = try location.connect(.write)
    let newer = StoreMigrator(connection, location.dialect, steps: steps)
    let older = try #require(throws: SQLFailure.self) { try newer.requireNewest() }
    #expect(older.error.kind == .notMigrated)
    #expect(try newer.run() == StoreMigrator.Outcome(before: StoreMigrator.newest, after: StoreMigrator.newest + 1))
    try newer.requireNewest()
    let rows = try connection.rows(SQLStatement("SELECT tenant FROM larder_more")())
    #expect(try rows.map { try $0.text(0) } == ["kept"])
    // A server that does not know the newest version.
    let refused = await #expect(throws: SyncStoreError.self) { _ = try await Backend.open(location) }
    #expect(refused?.kind == .newerVersion)
    let migration = #expect(throws: SyncStoreError.self) { _ = try StoreAdministration.migrate(location) }
    #expect(migration?.kind == .newerVersion)
  }

  @Test("what sites of version 1 send is no copy", arguments: Backend.shared)
  func version1(_ backend: Backend) async throws {
    let location = try backend.emptyLocation()
    do {
      let connection = try location.connect(.create)
      try StoreMigrator(connection, location.dialect, steps: [StoreMigrator.steps[0]]).run()
      let clients = try #require(SQLTable.first.first { $0.name == "larder_client" })
      let statements = SQLStatements(location.dialect)
      let row: [SQLValue] = [
        .text("acme"), .bytes([7]), .bytes([1]), .int(2), .int(3), .int(4), .bytes([5]), .int(6), .int(8),
      ]
      let tenant = SQLRecords.row(TenantRecord(id: try TenantID("acme"), parts: 1, created: 1))
      _ = try connection.run(statements.insert([tenant], into: .tenant) + statements.insert([row], into: clients))
    }
    #expect(try StoreAdministration.migrate(location) == (1, StoreMigrator.newest))
    let store = try await Backend.open(location)
    let client = try await store.read { try $0.client(try TenantID("acme"), SiteKey(stored: [7])) }
    #expect(
      client
        == ClientRecord(
          site: SiteKey(stored: [7]), secretHash: [1], session: 2, lastSiteVersion: 3, lastTime: 4, cursor: [5],
          schemaVersion: 6, seen: 8, copiesThrough: 0))
    store.close()
  }

  /// A step that fails leaves the version that was there, and no half of it.
  @Test(arguments: Backend.shared) func failedStepsLeaveNothing(_ backend: Backend) async throws {
    let test = try await backend.make()
    let location = try #require(test.location)
    let connection = try location.connect(.write)
    let broken =
      steps + [
        StoreMigrator.Step(version: StoreMigrator.newest + 2) { _ in [SQLStatement("SELECT nonsense FROM nowhere")] }
      ]
    #expect(throws: SQLFailure.self) { try StoreMigrator(connection, location.dialect, steps: broken).run() }
    try StoreMigrator(connection, location.dialect).requireNewest()
    #expect(throws: SQLFailure.self) { try connection.rows(SQLStatement("SELECT tenant FROM larder_more")()) }
    #expect(try StoreMigrator(connection, location.dialect, steps: steps).run().after == StoreMigrator.newest + 1)
  }

  @Test(arguments: Backend.shared) func manyAtOnce(_ backend: Backend) async throws {
    let location = try backend.emptyLocation()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { _ = try StoreAdministration.migrate(location) } }
      try await group.waitForAll()
    }
    try await Backend.open(location).close()
  }
}
