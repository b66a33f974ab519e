import Foundation
import Testing

@testable import LarderSyncServer

/// Errors say by their kind what a program may do, and in words what a person should.
@Suite struct ErrorTests {
  private func kind(_ body: () async throws -> Void) async -> SyncStoreError? {
    await #expect(throws: SyncStoreError.self) { try await body() }
  }

  @Test func textsThatNameNoDatabase() async throws {
    for url in ["", "nonsense", "mysql://host/db", "postgresql://h/db?nonsense=1"] {
      let error = await kind { _ = try await SQLSyncStore.postgres(url) }
      #expect(error?.kind == .invalidLocation, "\(url)")
    }
  }

  @Test func passwordsAreNotShown() throws {
    let location = try PostgresLocation("postgresql://user:secret@host:77/db?sslmode=require")
    #expect(location.description == "PostgreSQL host host, port 77, dbname db, user user")
  }

  @Test func databasesThatAreNotThere() async throws {
    let postgres = try TestPostgres.shared.get()
    var error = await kind { _ = try await SQLSyncStore.postgres(postgres.url("missing")) }
    #expect(error?.kind == .cannotConnect)
    #expect(error?.message.contains("create the database first") == true)
    error = await kind { _ = try await SQLSyncStore.postgres("postgresql:///db?host=/nowhere/at/all") }
    #expect(error?.kind == .cannotConnect)
    error = await kind { _ = try await SQLSyncStore.file("/nowhere/at/all/store.sqlite") }
    #expect(error?.kind == .cannotConnect)
    #expect(error?.location == "SQLite file /nowhere/at/all/store.sqlite")
  }

  @Test func noPermission() async throws {
    let postgres = try TestPostgres.shared.get()
    let name = try postgres.makeDatabase()
    var error = await kind { _ = try await SQLSyncStore.postgres(postgres.url(name, user: "stranger")) }
    #expect(error?.kind == .noPermission)
    _ = try StoreAdministration.migrate(.postgres(url: postgres.url(name)))
    try postgres.sql("CREATE ROLE reader_\(name) LOGIN", in: name)
    let url = postgres.url(name, user: "reader_\(name)")
    error = await kind { _ = try await SQLSyncStore.postgres(url) }
    #expect(error?.kind == .noPermission)
    #expect(error?.code == "42501")
    error = await kind { _ = try StoreAdministration.migrate(.postgres(url: url)) }
    #expect(error?.kind == .noPermission)
    try postgres.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_\(name)", in: name)
    let store = try await SQLSyncStore.postgres(url)
    defer { store.close() }
    let tenant = try TenantID("acme")
    #expect(try await store.read { try $0.tenant(tenant) } == nil)
    error = await kind {
      try await store.write(unknownCommit: .fail) {
        try $0.putClients(tenant, [ClientRecord(site: .test(1), secretHash: [])])
      }
    }
    #expect(error?.kind == .noPermission)
  }

  /// A server needs to read and to write rows; tables are made by others.
  @Test func rowsAreEnough() async throws {
    let postgres = try TestPostgres.shared.get()
    let name = try postgres.makeDatabase()
    _ = try StoreAdministration.migrate(.postgres(url: postgres.url(name)))
    let user = "writer_\(name)"
    try postgres.sql("CREATE ROLE \(user) LOGIN", in: name)
    try postgres.sql("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(user)", in: name)
    let store = try await SQLSyncStore.postgres(postgres.url(name, user: user), logger: .quiet)
    let test = TestStore(store: store, location: nil)
    let tenant = try await test.makeTenant(sites: [.test(1)])
    let upload = Upload.test(.test(1), 1, [.test(1)])
    let outcome = try await store.append(
      UploadBatch(tenant: tenant, uploads: [upload]), now: 1, merging: CountingMerger())
    #expect(outcome == [.merged(version: 1)])
    let trimmed = try await store.write(unknownCommit: .fail) { try $0.trim(tenant, .first, upTo: 1, limit: 10) }
    #expect(trimmed == 1)
  }

  @Test func hostsAreTriedInTurn() async throws {
    let postgres = try TestPostgres.shared.get()
    let name = try postgres.makeDatabase()
    _ = try StoreAdministration.migrate(.postgres(url: postgres.url(name)))
    let url = "postgresql:///\(name)?host=/nowhere/at/all,\(postgres.folder)&user=larder"
    let store = try await SQLSyncStore.postgres(url, logger: .quiet)
    defer { store.close() }
    #expect(try await store.read { try $0.tenants(after: "", limit: 1) }.isEmpty)
  }

  @Test func fullFiles() async throws {
    let location = try Backend.file.emptyLocation()
    _ = try StoreAdministration.migrate(location)
    guard case .file(let path) = location else { return }
    let store = try await SQLSyncStore.open(
      dialect: .sqlite, connections: SQLSyncStore.Connections(writing: 1, reading: 1), policy: RetryPolicy(),
      logger: .quiet
    ) { access throws(SQLFailure) in
      let connection = try SQLiteConnection(path, access)
      try connection.script("PRAGMA max_page_count = 60")
      return connection
    }
    let test = TestStore(store: store, location: location)
    let tenant = try await test.makeTenant(sites: [.test(1)])
    let error = await kind {
      try await store.write(unknownCommit: .fail) {
        let object = ObjectRecord(
          key: .test(1), isAlive: true, version: 1, body: [UInt8](repeating: 1, count: 1_000_000))
        try $0.putObjects(tenant, .first, [ObjectWrite(object)])
      }
    }
    #expect(error?.kind == .full)
    // The store goes on, without what did not fit.
    let outcome = try await store.append(
      UploadBatch(tenant: tenant, uploads: [.test(.test(1), 1, [.test(1)])]), now: 1, merging: CountingMerger())
    #expect(outcome == [.merged(version: 1)])
  }

  /// Codes that cannot be brought about here.
  @Test func codesOfPostgreSQL() {
    func meaning(_ state: String) -> (SyncStoreError.Kind, SQLFailure.Repeating) {
      let failure = PostgresErrors.failure(state: state, message: "", location: "")
      return (failure.error.kind, failure.repeating)
    }
    #expect(meaning("53100") == (.full, .no))
    #expect(meaning("40001") == (.conflict, .transaction))
    #expect(meaning("40P01") == (.conflict, .transaction))
    #expect(meaning("57P01") == (.unavailable, .connection))
    #expect(meaning("08006") == (.unavailable, .connection))
    #expect(meaning("25006") == (.unavailable, .connection))
    #expect(meaning("53300") == (.unavailable, .connection))
    #expect(meaning("28P01") == (.noPermission, .no))
    #expect(meaning("22P02") == (.refused, .no))
  }

  @Test func filesThatAreNoDatabase() async throws {
    let location = try Backend.file.emptyLocation()
    guard case .file(let path) = location else { return }
    try Data(repeating: 7, count: 10_000).write(to: URL(filePath: path))
    defer { _ = unlink(path) }
    let error = await kind { _ = try await SQLSyncStore.file(path) }
    #expect(error?.kind == .damaged)
  }

  @Test func statementsThatTakeTooLong() async throws {
    let test = try await Backend.postgres.make()
    guard case .postgres(let url) = test.location else { return }
    let tenant = try await test.makeTenant()
    let hurried = try await SQLSyncStore.postgres(url, statementTimeout: 200)
    defer { hurried.close() }
    let (held, release) = (AsyncStream<Void>.makeStream(), Gate())
    let holder = Task {
      try await test.store.write(unknownCommit: .fail) { transaction in
        _ = try transaction.lockPart(tenant, .first)
        held.continuation.finish()
        release.wait()
      }
    }
    for await _ in held.stream {}
    let error = await kind {
      try await hurried.write(unknownCommit: .fail) { _ = try $0.lockPart(tenant, .first) }
    }
    release.open()
    try await holder.value
    #expect(error?.kind == .timedOut)
  }

  @Test(arguments: Backend.allCases) func closedStores(_ backend: Backend) async throws {
    let test = try await backend.make()
    test.store.close()
    let tenant = try TenantID("acme")
    let error = await kind { _ = try await test.store.read { try $0.tenant(tenant) } }
    #expect(error?.kind == .closed)
  }

  @Test(arguments: Backend.allCases) func cancelledTasks(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await test.store.write(unknownCommit: .fail) {
        try $0.putClients(tenant, [ClientRecord(site: .test(1), secretHash: [])])
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await test.store.read { try $0.client(tenant, .test(1)) } == nil)
  }

  @Test func names() {
    for name in ["", String(repeating: "x", count: 201), "a\nb", "a\tb", "a\u{0}"] {
      #expect(throws: SyncStoreError.self) { _ = try TenantID(name) }
    }
    #expect(throws: SyncStoreError.self) { _ = try SiteKey([]) }
    #expect(throws: SyncStoreError.self) { _ = try SiteKey([UInt8](repeating: 1, count: 33)) }
  }
}
