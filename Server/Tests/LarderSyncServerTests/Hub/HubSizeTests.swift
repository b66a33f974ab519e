import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// The tests of sizes: content that is too large for a frame is refused, or sent in pages, and never keeps a device from going on.
@Suite(.timeLimit(.minutes(10))) struct HubSizeTests {
  /// Frames of 64 KiB, pages of 4 KiB.
  private func fixture() async throws -> HubFixture {
    let usual = SessionLimits.standard
    return try await HubFixture(.memory) {
      $0.limits = SessionLimits(
        frameBytes: 64 << 10, uploadBytes: usual.uploadBytes, uploadCommits: usual.uploadCommits,
        uploadsInFlight: usual.uploadsInFlight, credit: usual.credit, pingSeconds: usual.pingSeconds,
        silenceSeconds: usual.silenceSeconds)
      $0.frameBytes = 4 << 10
    }
  }

  private func text(_ bytes: Int) -> SyncValue { .string(SyncText(String(repeating: "x", count: bytes))) }

  private func connected(_ fixture: HubFixture, _ name: String, _ subscribe: Subscribe = HubSchema.all) async throws
    -> TestDevice
  {
    let device = TestDevice(name, subscribe: subscribe, seed: UInt64(name.count))
    try await device.connect(fixture.hubs[0])
    try await device.sync()
    return device
  }

  @Test("what would make an object larger than a frame is refused, and its commit's other objects are merged")
  func object() async throws {
    let fixture = try await fixture()
    let ann = try await connected(fixture, "ann")
    try await ann.create(1)
    try await ann.create(2)
    let strings = [30, 29].map { LocalEdit(HubSchema.name(1), .set(LocalPath("owner"), text($0 << 10))) }
    try await ann.edit([strings[0]])
    try await ann.sync()
    // 61 KB fit into the frame of an upload, and no longer into one with what is beside them in a page.
    try await ann.edit([
      LocalEdit(HubSchema.name(1), .set(LocalPath("owner"), text(60 << 10))),
      LocalEdit(HubSchema.name(2), .set(LocalPath("x"), .int(5))),
    ])
    try await ann.sync()
    #expect(await ann.refused.map(\.reason) == [.tooLarge, .tooLarge])
    #expect(await ann.value(1, "owner") == text(30 << 10))
    #expect(try await fixture.content() == ann.shown)
    // The device goes on.
    try await ann.edit([strings[1]])
    try await ann.set(2, "x", .int(6))
    try await ann.sync()
    #expect(await ann.refused.count == 2)
    #expect(try await fixture.content() == ann.shown)
    await fixture.end()
  }

  @Test("an object that grows commit by commit is refused what is too much")
  func growth() async throws {
    let fixture = try await fixture()
    let ann = try await connected(fixture, "ann")
    try await ann.create(1)
    for round in 0..<5 {
      let size = await ann.count(1)
      let values = (0..<2_000).map { SyncValue.int(Int64($0 + round) << 40) }
      try await ann.edit([
        LocalEdit(HubSchema.name(1), .listInsert(LocalPath("l"), at: size, values, sizeBefore: size))
      ])
      try await ann.sync()
    }
    let refused = await ann.refused
    #expect(!refused.isEmpty && refused.allSatisfy { $0.reason == .tooLarge })
    #expect(try await fixture.content() == ann.shown)
    let bob = try await connected(fixture, "bobby")
    #expect(await bob.shown == ann.shown)
    await fixture.end()
  }

  @Test("a commit whose changes are more than a frame is refused as a whole")
  func commit() async throws {
    let fixture = try await fixture()
    let (ann, bob) = (try await connected(fixture, "ann"), try await connected(fixture, "bobby"))
    for key in 1...15 { try await ann.create(key) }
    try await ann.sync()
    try await ann.edit((1...15).map { LocalEdit(HubSchema.name($0), .set(LocalPath("owner"), text(4_100))) })
    try await ann.sync()
    #expect(await ann.refused.count == 15)
    #expect(await ann.refused.allSatisfy { $0.reason == .tooLarge })
    try await bob.sync()
    #expect(try await fixture.content() == ann.shown)
    #expect(await bob.shown == ann.shown)
    await fixture.end()
  }

  @Test("a device for which a commit brings more whole objects than a frame has gets pages")
  func manyObjects() async throws {
    let fixture = try await fixture()
    let bob = try await connected(fixture, "bobby", HubSchema.subscribe(1, "q == 1"))
    let ann = try await connected(fixture, "ann")
    for key in 1...20 {
      try await ann.create(key, q: 0)
      try await ann.set(key, "owner", text(6_000))
      try await ann.sync()
    }
    await bob.forget()
    try await ann.edit((1...20).map { LocalEdit(HubSchema.name($0), .set(LocalPath("q"), .int(1))) })
    try await ann.set(3, "x", .int(8))
    try await ann.sync()
    #expect(await ann.refused.isEmpty)
    try await bob.sync()
    #expect(await bob.keys == Array(1...20))
    #expect(await bob.value(3, "x") == .int(8))
    #expect(await bob.begins.map(\.isFull) == [true])
    try await ann.set(4, "x", .int(9))
    try await ann.sync()
    try await bob.sync()
    #expect(await bob.shown == ann.shown)
    #expect(await bob.begins.count == 1)
    await fixture.end()
  }

  @Test("what is over the limits of the protocol is told so, and not asked for again")
  func overLimit() async throws {
    let fixture = try await fixture()
    let ann = try await connected(fixture, "ann")
    try await ann.create(1)
    try await ann.set(1, "owner", text(80 << 10))
    try await ann.upload()
    try await ann.waitForEnd()
    let failure = try #require(await ann.failures.first)
    #expect(failure.code == .frameTooLarge && failure.action == .stop)
    #expect(failure.message.string.contains("65536 bytes"))
    await fixture.end()
  }
}
