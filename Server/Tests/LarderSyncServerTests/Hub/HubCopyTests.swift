import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite(.timeLimit(.minutes(10))) struct HubCopyTests {
  @Test("MR-16: what two restored copies of a device send has one effect", arguments: Backend.allCases)
  func copies(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    try await ann.create(1)
    try await ann.sync()
    await ann.disconnect()
    // The device goes on, so that the copies are of another history.
    await ann.backUp()
    try await ann.create(9)
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    await ann.restore()
    try await ann.append(1, 5)
    try await ann.append(1, 6)
    await ann.backUp()
    var sites: Set<SiteID> = []
    for copy in 1...3 {
      await ann.restore()
      await ann.forget()
      try await ann.connect(fixture.hubs[0])
      // The copies go on differently.
      try await ann.sync()
      try await ann.append(1, 10 * copy)
      try await ann.sync()
      #expect(await ann.resumptions == [.fork(common: 1)])
      #expect(try await fixture.content() == ann.shown)
      sites.insert(try #require(await ann.site))
    }
    #expect(sites.count == 3)
    let list = try #require(try await fixture.content()[HubSchema.name(1)]?["l"])
    #expect(list == [.int(5), .int(6), .int(10), .int(20), .int(30)])
    // All of them have versions, so that each copy knows that its commits are there.
    #expect(try await fixture.stores[0].log(fixture.tenant).count == 2 + 3 * 3)
    await fixture.end()
  }

  @Test(
    "F-102, MR-15: A copy whose part of the log was trimmed loses none of its own commits", arguments: Backend.allCases,
    [2, 8])
  func trimmed(_ backend: Backend, _ count: Int) async throws {
    let fixture = try await HubFixture(backend)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    for key in 1...15 { try await ann.create(key) }
    try await ann.sync()
    await ann.backUp()
    for key in 16...20 { try await ann.create(key) }
    try await ann.sync()
    await ann.disconnect()
    let end = try await fixture.stores[0].part(fixture.tenant)?.head ?? 0
    let ben = TestDevice(seed: 2)
    try await ben.connect(fixture.hubs[0])
    try await ben.create(50)
    try await ben.sync()
    try await fixture.stores[0].store.write(unknownCommit: .runAgain) { [tenant = fixture.tenant] in
      _ = try $0.trim(tenant, .first, upTo: end, limit: 100)
      // The whole is at the floor then, and the row of the floor goes with the next commits.
      _ = try $0.trim(tenant, .first, upTo: end + 1, limit: 100)
    }
    await ann.restore()
    for key in 101..<101 + count { try await ann.create(key) }
    await ann.forget()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.resumptions == [.fork(common: 15)])
    #expect(await ann.keys == Array(1...20) + [50] + Array(101..<101 + count))
    try await ben.sync()
    #expect(await ben.shown == ann.shown)
    await fixture.end()
  }

  @Test("MR-15: The numbers of a site's newest commits outlive the log, and no more", arguments: Backend.allCases)
  func kept(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    for key in 1...6 { try await ann.create(key) }
    try await ann.sync()
    let site = SiteKey(try #require(await ann.site))
    let store = fixture.stores[0].store
    let tenant = fixture.tenant
    let before = try await store.read { try $0.nonces(tenant, site, after: 0, limit: 100) }
    #expect(before.map(\.siteVersion) == Array(1...6))
    for floor in 1...5 {
      _ = try await store.write(unknownCommit: .runAgain) {
        try $0.trim(tenant, .first, upTo: Int64(floor), limit: 100)
      }
      #expect(try await store.read { try $0.nonces(tenant, site, after: 0, limit: 100) } == before)
    }
    #expect(try await store.read { try $0.nonces(tenant, site, after: 2, limit: 2) } == Array(before[2..<4]))
    try await store.write(unknownCommit: .runAgain) { transaction in
      guard let running = transaction as? SQLTransaction else { return }
      running.later([running.statements.removeNonces(tenant, .first, upTo: 6, keeping: 2)])
    }
    #expect(try await store.read { try $0.nonces(tenant, site, after: 0, limit: 100) } == Array(before[2...]))
    await fixture.end()
  }
}
