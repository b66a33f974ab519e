import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// New objects have to be in a subscription of the device that makes them.
@Suite(.timeLimit(.minutes(10))) struct HubCreationTests {
  private let narrow = HubSchema.subscribe(1, "q == 1")

  private func connected(_ fixture: HubFixture, _ subscribe: Subscribe) async throws -> TestDevice {
    let device = TestDevice(subscribe: subscribe)
    try await device.connect(fixture.hubs[0])
    try await device.sync()
    return device
  }

  private func creation(_ key: Int, q: Int) -> LocalEdit {
    LocalEdit(
      HubSchema.name(key),
      .create([CreatedProperty("id", .int(Int64(key))), CreatedProperty("q", .int(Int64(q)))]))
  }

  @Test(
    "Y-26 Y-27: a new object that no subscription asks for is refused, and the rest of its commit stands",
    arguments: Backend.allCases)
  func outside(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = try await connected(fixture, narrow)
    try await ann.edit([
      creation(1, q: 1), creation(2, q: 2), LocalEdit(HubSchema.name(2), .set(LocalPath("x"), .int(5))),
      LocalEdit(HubSchema.name(1), .set(LocalPath("x"), .int(6))),
    ])
    try await ann.sync()
    #expect(await ann.keys == [1])
    #expect(await ann.value(1, "x") == .int(6))
    let refused = await ann.refused
    #expect(refused.map(\.object) == [HubSchema.name(2), HubSchema.name(2)])
    #expect(refused.allSatisfy { $0.reason == .outsideSubscriptions })
    #expect(try await fixture.content() == ann.shown)
    await fixture.end()
  }

  @Test("Y-26: a new object counts as its commit leaves it")
  func leavesIt() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = try await connected(fixture, narrow)
    try await ann.edit([creation(1, q: 2), LocalEdit(HubSchema.name(1), .set(LocalPath("q"), .int(1)))])
    try await ann.edit([creation(2, q: 1), LocalEdit(HubSchema.name(2), .set(LocalPath("q"), .int(2)))])
    try await ann.edit([creation(3, q: 2), LocalEdit(HubSchema.name(3), .delete)])
    try await ann.sync()
    #expect(await ann.keys == [1])
    #expect(Set(await ann.refused.map(\.object)) == [HubSchema.name(2)])
    #expect(try await fixture.content() == ann.shown)
    await fixture.end()
  }

  @Test("Y-26: an object that is there may leave every query, and one that others have made may be made again")
  func changes() async throws {
    let fixture = try await HubFixture(.memory)
    let (ann, bob) = (try await connected(fixture, narrow), TestDevice("bob", seed: 2))
    try await ann.create(1, q: 1)
    try await ann.sync()
    try await ann.set(1, "q", .int(2))
    try await ann.sync()
    #expect(await ann.keys.isEmpty)
    try await bob.connect(fixture.hubs[0])
    try await bob.sync()
    try await bob.create(2, q: 0)
    try await bob.sync()
    try await ann.create(2, x: 7)
    try await ann.sync()
    try await bob.sync()
    #expect(await bob.value(2, "x") == .int(7))
    #expect(await bob.keys == [1, 2])
    #expect(await ann.refused.isEmpty)
    await fixture.end()
  }

  @Test("Y-26: the set that was asked for counts, and the one before it", arguments: Backend.allCases)
  func pending(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = try await connected(fixture, narrow)
    // Made under one set, sent after the next one.
    try await ann.create(1, q: 1)
    await ann.subscribe(HubSchema.subscribe(2, "q == 2"))
    try await ann.create(2, q: 2)
    try await ann.sync()
    #expect(await ann.keys == [2])
    // The same over another connection: the store keeps the sets.
    try await ann.create(3, q: 1)
    await ann.disconnect()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.refused.isEmpty)
    #expect(Set(try await fixture.content().keys) == Set((1...3).map { HubSchema.name($0) }))
    await fixture.end()
  }

  @Test("Y-25 Y-27: without a subscription that the server accepts, nothing is created")
  func none() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = try await connected(fixture, HubSchema.subscribe(1, "x == 1"))
    #expect(await ann.failures.map(\.code) == [.query])
    await ann.subscribe(Subscribe(version: 2, queries: []))
    try await ann.sync()
    try await ann.create(1, q: 1, x: 1)
    try await ann.sync()
    #expect(await ann.refused.map(\.reason) == [.outsideSubscriptions])
    #expect(try await fixture.content().isEmpty)
    await fixture.end()
  }

  @Test("Y-27: a user who may create and not read does so")
  func unreadable() async throws {
    let fixture = try await HubFixture(.memory)
    fixture.directory.change {
      $0.access = { _ in
        UserAccess(["Item": ClassAccess(write: .everything, insert: .everything)], in: HubSchema.schema)
      }
    }
    let ann = try await connected(fixture, narrow)
    try await ann.create(1, q: 1)
    try await ann.create(2, q: 2)
    try await ann.sync()
    #expect(await ann.keys.isEmpty)
    #expect(Set(try await fixture.content().keys) == [HubSchema.name(1)])
    await fixture.end()
  }
}
