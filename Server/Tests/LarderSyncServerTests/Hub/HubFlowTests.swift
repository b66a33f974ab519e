import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite(.timeLimit(.minutes(10))) struct HubFlowTests {
  @Test(
    "a slow device is not buffered: it is sent what it takes, and gets the rest from the log",
    arguments: Backend.allCases)
  func slow(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend) {
      $0.ringCommits = 4
      $0.frameBytes = 1_000
      $0.mostUnwrittenBytes = 4_000
    }
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    let output = await ann.output
    output?.setSlow(true)
    for key in 1...400 {
      try await bob.create(key, q: key)
      if key % 50 == 0 { try await bob.sync() }
    }
    #expect(output?.mostBytes ?? 0 < 8_000)
    output?.setSlow(false)
    try await ann.sync()
    #expect(await ann.keys == Array(1...400))
    #expect(await ann.shown == bob.shown)
    await fixture.end()
  }

  @Test("a device without credit is sent nothing that counts")
  func credit() async throws {
    let limits = SessionLimits(
      frameBytes: 17 << 20, uploadBytes: 256 << 10, uploadCommits: 1_000, uploadsInFlight: 4, credit: 3_000,
      pingSeconds: 15, silenceSeconds: 30)
    let fixture = try await HubFixture(.memory) {
      $0.limits = limits
      $0.frameBytes = 500
    }
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    for key in 1...300 {
      try await bob.create(key, q: key)
      if key % 10 == 0 { try await bob.sync() }
    }
    // Until the device takes something it gives no credit, though its connection takes all.
    #expect(await ann.output?.mostBytes ?? 0 < 5_000)
    try await ann.sync()
    #expect(await ann.keys.count == 300)
    await fixture.end()
  }

  @Test("F-108: A device that asks and does not read is sent no more, whether it asks for pongs or with wrong queries")
  func unread() async throws {
    let fixture = try await HubFixture(.memory) { $0.mostUnwrittenBytes = 4_000 }
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    let output = await ann.output
    output?.setSlow(true)
    for number in 1...5_000 { await ann.send(.ping(UInt64(number))) }
    #expect(output?.mostBytes ?? 0 < 5_000)
    output?.setSlow(false)
    try await ann.sync()
    output?.setSlow(true)
    for number in 1...5_000 {
      await ann.send(.subscribe(HubSchema.subscribe(UInt64(number + 10), SyncText("nothing == \(number)"))))
    }
    try await ann.waitForEnd()
    #expect(output?.mostBytes ?? 0 < 5_000)
    // Others notice nothing.
    try await bob.create(1)
    try await bob.sync()
    #expect(await bob.keys == [1])
    await fixture.end()
  }

  @Test("a silent device gets a ping, and is disconnected at the end of its time")
  func silence() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    fixture.advance(by: 15_000)
    try await ann.wait("for a ping") { $0.pings > 0 }
    await ann.send(.pong(1))
    fixture.advance(by: 16_000)
    try await ann.wait("for another ping") { $0.pings > 1 }
    fixture.advance(by: 30_000)
    try await ann.waitForEnd()
    #expect(fixture.hubs[0].metrics.sessions == 0)
    await fixture.end()
  }

  @Test("a device that sends more commits in a second than it may is asked to send them later")
  func rate() async throws {
    let fixture = try await HubFixture(.memory) { $0.devices.commitsPerSecond = 10 }
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    for key in 1...10 { try await ann.create(key) }
    try await ann.sync()
    for key in 11...15 { try await ann.create(key) }
    try await ann.upload()
    try await ann.wait("for the failure") { !$0.failures.isEmpty }
    let failure = try #require(await ann.failures.first)
    #expect(failure.code == .rate && failure.action == .resend)
    #expect(try #require(failure.retryAfter) <= 1_000)
    fixture.advance(by: 1_000)
    await ann.sendAgain()
    try await ann.sync()
    #expect(try await fixture.content().count == 15)
    await fixture.end()
  }
}
