import Testing

@testable import LarderSyncServer

/// Tenants with the same keys never see each other.
@Suite struct TenantIsolationTests {
  /// Random operations on two tenants with equal keys, sites and versions, beside a plain model of each.
  @Test(arguments: Backend.allCases) func tenantsAndPartsDoNotMix(_ backend: Backend) async throws {
    let test = try await backend.make()
    let sites = (0..<3).map { SiteKey.test($0) }
    var models: [Place: Model] = [:]
    // Names of which one begins like the other, and one with what SQL or LIKE would take for more.
    for name in ["t", "t'", "t%"] {
      let tenant = try await test.makeTenant(name, parts: 2, sites: sites)
      for part in 0..<2 as Range<Int32> { models[Place(tenant: tenant, part: PartID(part))] = Model() }
    }
    let places = models.keys.sorted { ($0.tenant, $0.part) < ($1.tenant, $1.part) }
    var random = SeededRandom.forTest()
    for _ in 0..<150 {
      let place = random.pick(places)
      var model = models[place] ?? Model()
      try await step(test.store, place, &model, &random)
      models[place] = model
    }
    for (place, model) in models { try await compare(test.store, place, model) }
  }

  private struct Place: Hashable {
    let tenant: TenantID
    let part: PartID
  }

  private struct Model {
    var objects: [ObjectKey: [UInt8]] = [:]
    var log: [[UInt8]] = []
    var floor = 0
  }

  private func step(
    _ store: SQLSyncStore, _ place: Place, _ model: inout Model, _ random: inout SeededRandom
  ) async throws {
    let value = random.bytes(random.int(0...20))
    switch random.int(0...9) {
    case 0...4:
      let key = ObjectKey.test(random.int(0...5))
      try await store.write(unknownCommit: .fail) {
        let object = ObjectRecord(key: key, isAlive: true, version: 1, body: value)
        try $0.putObjects(place.tenant, place.part, [ObjectWrite(object)])
      }
      model.objects[key] = value
    case 5...8:
      try await store.write(unknownCommit: .fail) {
        _ = try $0.lockPart(place.tenant, place.part)
        let change = ChangeRecord(
          version: 0, site: .test(1), siteVersion: 1, nonce: 1, time: 1, merged: 1, delta: value, before: [])
        _ = try $0.append(place.tenant, place.part, [change])
      }
      model.log.append(value)
    default:
      let version = random.int(0...model.log.count)
      let floor = try await store.write(unknownCommit: .fail) {
        try $0.trim(place.tenant, place.part, upTo: Int64(version), limit: 1000)
      }
      model.floor = max(model.floor, version)
      #expect(floor == model.floor)
    }
  }

  private func compare(_ store: SQLSyncStore, _ place: Place, _ model: Model) async throws {
    let request = ObjectPageRequest(className: "Task", limit: 100)
    let (objects, log, part) = try await store.read {
      (
        try $0.objectPage(place.tenant, place.part, request),
        try $0.changes(place.tenant, place.part, after: 0, limit: 1000),
        try $0.heads([(place.tenant, place.part)]).first
      )
    }
    #expect(Dictionary(uniqueKeysWithValues: objects.map { ($0.key, $0.body) }) == model.objects)
    // The row at the floor says whose log it is.
    #expect(log.map(\.delta) == Array(model.log.dropFirst(max(model.floor - 1, 0))))
    #expect(part?.head == Int64(model.log.count))
    #expect(part?.floor == Int64(model.floor))
    let byKey = try await store.read {
      try $0.objects(place.tenant, place.part, (0...5).map { .test($0) })
    }
    #expect(byKey.mapValues(\.body) == model.objects)
  }

  @Test(arguments: Backend.allCases) func sitesAndDocumentsOfOthers(_ backend: Backend) async throws {
    let test = try await backend.make()
    let (a, b) = (try await test.makeTenant("a", sites: [.test(1)]), try await test.makeTenant("b", sites: [.test(1)]))
    try await test.store.write(unknownCommit: .fail) {
      try $0.putClients(a, [ClientRecord(site: .test(1), secretHash: [9], session: 9)])
      try $0.putSubscription(a, SubscriptionRecord(site: .test(1), setVersion: 1, queries: [], state: 0))
      try $0.addDocument(a, .schema, DocumentRecord(version: 1, body: [1], created: 1))
      try $0.raiseEpoch(of: a)
    }
    _ = try await test.store.append(
      UploadBatch(tenant: a, uploads: [.test(.test(1), 1, [], session: 9)]), now: 1, merging: CountingMerger())
    try await test.store.write(unknownCommit: .fail) { transaction in
      #expect(try transaction.client(b, .test(1))?.session == 1)
      #expect(try transaction.lockClients(b, [.test(1)])[.test(1)]?.secretHash == [1, 2, 3])
      #expect(try transaction.subscription(b, .test(1)) == nil)
      #expect(try transaction.newestDocument(b, .schema) == nil)
      #expect(try transaction.nonces(b, .test(1), after: 0, limit: 9).isEmpty)
      #expect(try transaction.nonces(a, .test(1), after: 0, limit: 9).count == 1)
      #expect(try transaction.parts(of: b).map(\.epoch) == [1])
      #expect(try transaction.parts(of: a).map(\.epoch) == [2])
      try transaction.removeClient(b, .test(1))
    }
    #expect(try await test.store.read { try $0.client(a, .test(1)) } != nil)
  }

  /// Tests that no statement runs on the store's tables that does not name the tenant, whatever the store is used for. Only the list of tenants goes
  /// over all.
  @Test func everyStatementNamesTheTenant() async throws {
    let faults = Faults()
    let test = try await Backend.file.make(faults)
    faults.reset()
    let tenant = try await test.makeTenant(sites: [.test(1)])
    _ = try await test.store.append(
      UploadBatch(tenant: tenant, uploads: [.test(.test(1), 1, [.test(1)])]), now: 1, merging: CountingMerger())
    try await test.store.write(unknownCommit: .fail) {
      try $0.setRetention(5, of: tenant)
      try $0.addDocument(tenant, .roles, DocumentRecord(version: 1, body: [], created: 1))
      try $0.putSubscription(tenant, SubscriptionRecord(site: .test(1), setVersion: 1, queries: [], state: 0))
      try $0.raiseEpoch(of: tenant)
      _ = try $0.lastVersion(tenant, .first, mergedBefore: 10)
      _ = try $0.trim(tenant, .first, upTo: 1, limit: 10)
      try $0.removeClient(tenant, .test(1))
    }
    try await test.store.read {
      _ = try $0.parts(of: tenant)
      _ = try $0.client(tenant, .test(1))
      _ = try $0.subscription(tenant, .test(1))
      _ = try $0.changes(tenant, .first, after: 0, limit: 1)
      _ = try $0.nonces(tenant, .test(1), after: 0, limit: 1)
      _ = try $0.documents(tenant, .roles, from: 0, limit: 1)
      _ = try $0.objectPage(tenant, .first, ObjectPageRequest(className: "Task", limit: 1, filter: .isNull("x")))
    }
    let texts = Set(faults.texts.filter { $0.contains("larder_") && !$0.contains("larder_sync_version") })
    #expect(texts.count >= 20)
    for text in texts {
      let names =
        text.contains("WHERE tenant = ") || text.contains("WHERE tenant IN (") || text.contains("(tenant, ")
      #expect(names, "\(text)")
    }
  }
}
