import Testing

@testable import LarderSyncServer

/// Each record comes back as it was written, with the extremes of its types.
@Suite struct RecordTests {
  private let everyByte = (0...255).map { UInt8($0) }

  @Test(arguments: Backend.allCases) func changesComeBack(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant("a tenant's name, é 👍")
    let written = [
      ChangeRecord(
        version: 0, site: .test(1), siteVersion: .max, nonce: .max, time: 1 << 63, merged: .min, delta: everyByte,
        before: []),
      ChangeRecord(
        version: 0, site: .test(2), siteVersion: 0, nonce: 0, time: 0, merged: 0, delta: [],
        before: [UInt8](repeating: 0xFF, count: 100_000)),
    ]
    let head = try await test.store.write(unknownCommit: .fail) { transaction in
      let part = try #require(try transaction.lockPart(tenant, .first))
      #expect(part == PartRecord(tenant: tenant, part: .first))
      return try transaction.append(tenant, .first, written)
    }
    #expect(head == PartRecord(tenant: tenant, part: .first, head: 2, maxTime: 1 << 63))
    #expect(try await test.part(tenant) == head)
    var expected = written
    expected[0].version = 1
    expected[1].version = 2
    #expect(try await test.log(tenant) == expected)
    let nonces = try await test.store.read { try $0.nonces(tenant, .test(1), after: 5, limit: 10) }
    #expect(nonces == [CommitNonce(siteVersion: .max, nonce: .max)])
  }

  @Test(arguments: Backend.allCases) func objectsComeBack(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant()
    let keys = [ObjectKey(className: "Täsk", primaryKey: everyByte), ObjectKey(className: "T", primaryKey: [0])]
    let objects = [
      ObjectRecord(key: keys[0], isAlive: true, version: 7, body: everyByte),
      ObjectRecord(key: keys[1], isAlive: false, version: .max, body: []),
    ]
    try await test.store.write(unknownCommit: .fail) {
      try $0.putObjects(
        tenant, .first, [ObjectWrite(ObjectRecord(key: keys[0], isAlive: false, version: 1, body: [1]))])
      try $0.putObjects(tenant, .first, objects.map { ObjectWrite($0, fields: ["quote": .string("\"\\\n\u{1}é")]) })
    }
    let found = try await test.store.read {
      try $0.objects(tenant, .first, keys + [ObjectKey(className: "T", primaryKey: [1])])
    }
    #expect(found == [keys[0]: objects[0], keys[1]: objects[1]])
  }

  /// More keys than one statement takes, with some that are not there.
  @Test(arguments: Backend.allCases) func manyObjectsAreReadAtOnce(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant()
    for count in [1, 2, 8, 9, 33, 128, 129, 300] {
      let objects = (0..<count).map { ObjectRecord(key: .test($0), isAlive: true, version: Int64(count), body: [1]) }
      try await test.store.write(unknownCommit: .fail) {
        try $0.putObjects(tenant, .first, objects.map { ObjectWrite($0) })
      }
      let found = try await test.store.read {
        try $0.objects(tenant, .first, (0..<count).map { .test($0) } + [.test(1_000_000)])
      }
      #expect(found.count == count)
      #expect(found.values.allSatisfy { $0.version == count })
    }
  }

  @Test(arguments: Backend.allCases) func sitesAndDocumentsComeBack(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant()
    let client = ClientRecord(
      site: .test(3), secretHash: everyByte, session: 9, lastSiteVersion: .max, lastTime: .max, cursor: [0],
      schemaVersion: 4, seen: 5)
    let subscription = SubscriptionRecord(site: .test(3), setVersion: 2, queries: everyByte, state: -1)
    try await test.store.write(unknownCommit: .fail) { transaction in
      try transaction.putClients(tenant, [client])
      try transaction.putSubscription(tenant, subscription)
      for version in 1...3 as ClosedRange<Int64> {
        try transaction.addDocument(
          tenant, .schema, DocumentRecord(version: version, body: [UInt8(version)], created: 1))
      }
      #expect(try transaction.newestDocument(tenant, .roles) == nil)
    }
    let store = test.store
    #expect(try await store.read { try $0.client(tenant, .test(3)) } == client)
    #expect(try await store.read { try $0.subscription(tenant, .test(3)) } == subscription)
    #expect(try await store.read { try $0.newestDocument(tenant, .schema) }?.body == [3])
    #expect(try await store.read { try $0.documents(tenant, .schema, from: 2, limit: 5) }.map(\.version) == [2, 3])
    await #expect(throws: SyncStoreError.self) {
      try await store.write(unknownCommit: .fail) {
        try $0.addDocument(tenant, .schema, DocumentRecord(version: 3, body: [], created: 1))
      }
    }
    try await store.write(unknownCommit: .fail) { try $0.removeClient(tenant, .test(3)) }
    #expect(try await store.read { try $0.client(tenant, .test(3)) } == nil)
    #expect(try await store.read { try $0.subscription(tenant, .test(3)) } == nil)
  }

  @Test(arguments: Backend.allCases) func tenantsAreMadeOnce(_ backend: Backend) async throws {
    let test = try await backend.make()
    let tenant = try await test.makeTenant("b", parts: 3)
    _ = try await test.makeTenant("a")
    let again = try await test.store.write(unknownCommit: .fail) {
      try $0.createTenant(TenantRecord(id: tenant, parts: 1, created: 99))
    }
    #expect(!again)
    try await test.store.write(unknownCommit: .fail) { try $0.setRetention(1234, of: tenant) }
    let found = try await test.store.read { (try $0.tenants(after: "", limit: 10), try $0.parts(of: tenant)) }
    #expect(found.0.map(\.id.name) == ["a", "b"])
    #expect(found.0.last == TenantRecord(id: tenant, parts: 3, retention: 1234, created: 1))
    #expect(found.1.map(\.part.number) == [0, 1, 2])
  }

  /// A body that throws leaves nothing, and one that ignores a failure of the database does not commit the rest.
  @Test(arguments: Backend.allCases) func errorsOfBodiesCancel(_ backend: Backend) async throws {
    struct Stop: Error {}
    let test = try await backend.make()
    let tenant = try await test.makeTenant()
    await #expect(throws: Stop.self) {
      try await test.store.write(unknownCommit: .fail) { transaction in
        try transaction.putClients(tenant, [ClientRecord(site: .test(1), secretHash: [])])
        _ = try transaction.client(tenant, .test(1))
        throw Stop()
      }
    }
    await #expect(throws: SyncStoreError.self) {
      try await test.store.write(unknownCommit: .fail) { transaction in
        _ = try transaction.lockPart(tenant, .first)
        let change = ChangeRecord(
          version: 0, site: .test(1), siteVersion: 1, nonce: 0, time: 0, merged: 0, delta: [], before: [])
        _ = try transaction.append(tenant, .first, [change])
        try transaction.putObjects(
          tenant, .first, [ObjectWrite(ObjectRecord(key: .test(1), isAlive: true, version: 1, body: []))])
        // The row of a tenant that is there: refused when it goes out.
        guard let running = transaction as? SQLTransaction else { return }
        running.later(running.statements.insert([SQLRecords.row(TenantRecord(id: tenant, created: 1))], into: .tenant))
        _ = try? transaction.client(tenant, .test(1))
      }
    }
    #expect(try await test.store.read { try $0.client(tenant, .test(1)) } == nil)
    #expect(try await test.log(tenant).isEmpty)
    #expect(try await test.store.read { try $0.objects(tenant, .first, [.test(1)]) }.isEmpty)
  }
}
