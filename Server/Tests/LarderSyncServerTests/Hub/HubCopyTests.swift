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
}
