import Testing

@testable import LarderSyncServer

/// Tables are made once, brought from version to version, and never touched by an older server.
@Suite struct StoreMigratorTests {
  private let steps =
    StoreMigrator.steps + [
      StoreMigrator.Step(version: 2) { _ in
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
    #expect(try newer.run() == StoreMigrator.Outcome(before: 1, after: 2))
    try newer.requireNewest()
    let rows = try connection.rows(SQLStatement("SELECT tenant FROM larder_more")())
    #expect(try rows.map { try $0.text(0) } == ["kept"])
    // A server that knows version 1 only.
    let refused = await #expect(throws: SyncStoreError.self) { _ = try await Backend.open(location) }
    #expect(refused?.kind == .newerVersion)
    let migration = #expect(throws: SyncStoreError.self) { _ = try StoreAdministration.migrate(location) }
    #expect(migration?.kind == .newerVersion)
  }

  /// A step that fails leaves the version that was there, and no half of it.
  @Test(arguments: Backend.shared) func failedStepsLeaveNothing(_ backend: Backend) async throws {
    let test = try await backend.make()
    let location = try #require(test.location)
    let connection = try location.connect(.write)
    let broken = steps + [StoreMigrator.Step(version: 3) { _ in [SQLStatement("SELECT nonsense FROM nowhere")] }]
    #expect(throws: SQLFailure.self) { try StoreMigrator(connection, location.dialect, steps: broken).run() }
    try StoreMigrator(connection, location.dialect).requireNewest()
    #expect(throws: SQLFailure.self) { try connection.rows(SQLStatement("SELECT tenant FROM larder_more")()) }
    #expect(try StoreMigrator(connection, location.dialect, steps: steps).run().after == 2)
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
