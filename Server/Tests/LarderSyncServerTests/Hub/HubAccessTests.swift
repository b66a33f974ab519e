import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite(.timeLimit(.minutes(10))) struct HubAccessTests {
  @Test("Y-27: a role hides objects of others, also from those who subscribe to all", arguments: Backend.allCases)
  func hidden(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    fixture.directory.change { $0.access = HubSchema.own }
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    try await ann.create(1, owner: "ann")
    try await bob.create(2, owner: "bob")
    try await ann.sync()
    try await bob.sync()
    try await ann.sync()
    #expect(await ann.keys == [1])
    #expect(await bob.keys == [2])
    #expect(await bob.records.allSatisfy { record in record.objects.allSatisfy { $0.object != HubSchema.name(1) } })
    await fixture.end()
  }

  @Test("changed rules take away and bring, without a reset", arguments: Backend.allCases)
  func rulesChange(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    try await ann.create(1, owner: "ann")
    try await ann.create(2, owner: "bob")
    try await ann.sync()
    try await bob.sync()
    await bob.forget()
    #expect(await bob.keys == [1, 2])
    fixture.directory.change { $0.access = HubSchema.own }
    try await bob.wait("for the rules") { !$0.begins.isEmpty }
    try await bob.sync()
    #expect(await bob.keys == [2])
    #expect(await bob.begins.map(\.isFull) == [false])
    // A device that was away meanwhile.
    await bob.disconnect()
    fixture.directory.change { $0.access = { AccessPolicy.everything(schema: HubSchema.schema).access(for: $0) } }
    await bob.forget()
    try await bob.connect(fixture.hubs[0])
    try await bob.sync()
    #expect(await bob.resumptions == [.incremental])
    #expect(await bob.begins.map(\.isFull) == [false])
    #expect(await bob.keys == [1, 2])
    await fixture.end()
  }

  @Test("Y-28: refused writes come back as corrections, with the reason", arguments: Backend.allCases)
  func refused(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    try await ann.create(1, owner: "ann", x: 1)
    try await ann.sync()
    try await bob.sync()
    fixture.directory.change {
      $0.access = { claims in
        guard claims.subject == "bob" else {
          return AccessPolicy.everything(schema: HubSchema.schema).access(for: claims)
        }
        return UserAccess(["Item": ClassAccess(read: .everything)], in: HubSchema.schema)
      }
    }
    await fixture.hubs[0].configurationsChanged()
    try await bob.set(1, "x", .int(2))
    try await bob.create(5)
    try await bob.edit([LocalEdit(HubSchema.name(1), .delete)])
    try await bob.sync()
    #expect(await bob.value(1, "x") == .int(1))
    #expect(await bob.keys == [1])
    #expect(await bob.refused.map(\.reason) == [.objectBefore, .insert, .delete])
    #expect(await bob.refused.map(\.object) == [1, 5, 1].map(HubSchema.name))
    #expect(try await fixture.content() == ann.shown)
    await fixture.end()
  }

  @Test(
    "F-117: a key that is taken by a hidden object and one that is free have one answer", arguments: Backend.allCases)
  func hiddenKeys(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    fixture.directory.change { $0.access = HubSchema.own }
    let ann = TestDevice("ann", seed: 1)
    let bob = TestDevice("bob", subscribe: HubSchema.subscribe(1, "q == 1"), seed: 2)
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    try await ann.create(1, q: 1, owner: "ann")
    try await ann.sync()
    // What bob may not create, and what is outside of bob's subscriptions.
    for (q, reason) in [(1, RefusalReason.insert), (2, .outsideSubscriptions)] {
      for key in [1, 2] {
        await bob.forget()
        try await bob.create(key, q: q, owner: "ann")
        try await bob.set(key, "x", .int(5))
        try await bob.sync()
        #expect(await bob.refused.first?.reason == reason, "\(key)")
        #expect(await bob.refused.map(\.operation) == [0, 0], "\(key)")
        #expect(await bob.keys.isEmpty)
      }
    }
    #expect(try await fixture.content() == ann.shown)
    await fixture.end()
  }

  @Test(
    "Y-56: a device is told until when its token is accepted; a new one of the same user is taken, one of another user is not"
  )
  func authenticate() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0], token: "ann,\(HubFixture.start + 10_000)")
    try await ann.sync()
    #expect(await ann.tokenEnds == [UInt64(HubFixture.start + 10_000)])
    await ann.send(.authenticate(token: SyncText("ann,\(HubFixture.start + 60_000)")))
    fixture.advance(by: 20_000)
    try await ann.sync()
    #expect(await ann.tokenEnds == [10_000, 60_000].map { UInt64(HubFixture.start + $0) })
    #expect(await ann.isConnected)
    await ann.send(.authenticate(token: "bob"))
    try await ann.waitForEnd()
    #expect(await ann.failures.last?.code == .token)
    await fixture.end()
  }

  @Test("a session ends with its token")
  func expires() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0], token: "ann,\(HubFixture.start + 10_000)")
    try await ann.sync()
    fixture.advance(by: 10_000)
    try await ann.waitForEnd()
    #expect(await ann.failures.map(\.code) == [.tokenExpired])
    #expect(await ann.failures.map(\.action) == [.refreshToken])
    await fixture.end()
  }
}
