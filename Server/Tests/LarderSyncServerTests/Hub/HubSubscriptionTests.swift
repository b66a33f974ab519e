import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite(.timeLimit(.minutes(10))) struct HubSubscriptionTests {
  /// A hub with items 1 to `count`, whose `q` is the key modulo 3, and what made them.
  private func filled(
    _ backend: Backend, _ count: Int, change: (inout HubConfiguration) -> Void = { _ in }
  ) async throws -> (HubFixture, TestDevice) {
    let fixture = try await HubFixture(backend, change: change)
    let writer = TestDevice("writer", seed: 9)
    try await writer.connect(fixture.hubs[0])
    try await writer.sync()
    for key in 1...count { try await writer.create(key, q: key % 3) }
    try await writer.sync()
    return (fixture, writer)
  }

  @Test(
    "Y-2: a device gets what is in its queries, page by page, with totals at the beginning", arguments: Backend.allCases
  )
  func pages(_ backend: Backend) async throws {
    let (fixture, _) = try await filled(backend, 60) { $0.pageObjects = 7 }
    let ann = TestDevice(subscribe: HubSchema.subscribe(1, "q == 1", "id > 50"))
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    let wanted = (1...60).filter { $0 % 3 == 1 || $0 > 50 }
    #expect(await ann.keys == wanted)
    let begin = try #require(await ann.begins.first)
    #expect(begin.isFull)
    #expect(begin.objects == UInt64(wanted.count))
    #expect(begin.bytes > 0)
    let pages = await ann.pages.filter { $0.className == "Item" }
    #expect(pages.count >= 4)
    #expect(pages.first?.after == nil && pages.last?.through == nil)
    for (page, next) in zip(pages, pages.dropFirst()) { #expect(page.through == next.after) }
    await fixture.end()
  }

  @Test("C-2: a changed set brings what comes and takes what goes, and nothing else", arguments: Backend.allCases)
  func change(_ backend: Backend) async throws {
    let (fixture, writer) = try await filled(backend, 30)
    let ann = TestDevice(subscribe: HubSchema.subscribe(1, "q == 1"))
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    await ann.forget()
    await ann.subscribe(HubSchema.subscribe(2, "q == 1", "q == 2"))
    try await ann.sync()
    #expect(await ann.keys == (1...30).filter { $0 % 3 != 0 })
    #expect(await ann.begins.map(\.isFull) == [false])
    #expect(await ann.pages.flatMap(\.objects).count == 10)
    await ann.subscribe(HubSchema.subscribe(3, "q == 2"))
    try await ann.sync()
    #expect(await ann.keys == (1...30).filter { $0 % 3 == 2 })
    // Objects come into the view and leave it with changes of others.
    try await writer.set(2, "q", .int(0))
    try await writer.set(3, "q", .int(2))
    try await writer.sync()
    try await ann.sync()
    #expect(await ann.keys == [3] + (3...30).filter { $0 % 3 == 2 })
    #expect(await ann.value(3, "q") == .int(2))
    await ann.subscribe(Subscribe(version: 4, queries: []))
    try await ann.sync()
    #expect(await ann.keys.isEmpty)
    await fixture.end()
  }

  @Test("Y-5: a query that is refused leaves those before it in force", arguments: ["nothing == 1", "x == 1", "q =="])
  func refused(_ predicate: SyncText) async throws {
    let (fixture, writer) = try await filled(.memory, 6)
    let ann = TestDevice(subscribe: HubSchema.subscribe(1, "q == 1"))
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    await ann.subscribe(HubSchema.subscribe(2, "q == 2", predicate))
    try await writer.create(7, q: 1)
    try await writer.sync()
    try await ann.sync()
    let failure = try #require(await ann.failures.first)
    #expect(failure.code == .query && failure.action == .carryOn && failure.subject == predicate)
    #expect(await ann.keys == [1, 4, 7])
    // Back with the refused set: the device still has the one before it.
    await ann.disconnect()
    await ann.forget()
    try await ann.connect(fixture.hubs[0])
    try await writer.create(10, q: 1)
    try await writer.sync()
    try await ann.sync()
    #expect(await ann.resumptions == [.incremental])
    #expect(await ann.begins.isEmpty)
    #expect(await ann.keys == [1, 4, 7, 10])
    await fixture.end()
  }

  @Test("MR-5: changes and own commits while pages are sent count once", arguments: Backend.allCases)
  func changesMeanwhile(_ backend: Backend) async throws {
    let (fixture, writer) = try await filled(backend, 40) {
      $0.pageObjects = 2
      $0.mostUnwrittenBytes = 600
    }
    let ann = TestDevice(subscribe: HubSchema.subscribe(1, "q == 1"), seed: 3)
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    // The connection takes no more than some pages until others have changed what is in them.
    await ann.output?.setSlow(true)
    await ann.subscribe(HubSchema.all)
    await ann.subscribe(HubSchema.subscribe(2, "TRUEPREDICATE"))
    for key in [1, 2, 20, 39, 40] {
      try await writer.append(key, key)
      try await writer.set(key, "x", .int(5))
    }
    try await writer.delete(21)
    try await writer.create(41, q: 2)
    try await writer.sync()
    try await ann.append(4, 7)
    try await ann.set(4, "q", .int(2))
    try await ann.upload()
    await ann.output?.setSlow(false)
    try await ann.sync()
    try await ann.sync()
    #expect(await ann.shown == (try await fixture.content()))
    #expect(await ann.isComplete)
    #expect(await ann.view?.subscriptions == 2)
    await fixture.end()
  }

  @Test("a device that was away longer than the log reaches back gets everything, and keeps what waits")
  func expired() async throws {
    let (fixture, writer) = try await filled(.memory, 5)
    let ann = TestDevice(seed: 4)
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    await ann.disconnect()
    try await ann.set(1, "x", .int(77))
    try await writer.delete(2)
    try await writer.set(3, "x", .int(1))
    try await writer.sync()
    let head = try #require(try await fixture.stores[0].part(fixture.tenant)).head
    _ = try await fixture.stores[0].store.write(unknownCommit: .runAgain) { [tenant = fixture.tenant] in
      _ = try $0.lockPart(tenant, .first)
      return try $0.trim(tenant, .first, upTo: head, limit: 1000)
    }
    await ann.forget()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.resumptions == [.rebuild(.expired)])
    #expect(await ann.keys == [1, 3, 4, 5])
    #expect(await ann.value(1, "x") == .int(77))
    #expect(await ann.shown == (try await fixture.content()))
    await fixture.end()
  }
}
