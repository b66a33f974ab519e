import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

@Suite(.timeLimit(.minutes(10))) struct HubTests {
  @Test("C-1: two devices come to the same, and to what the server has", arguments: Backend.allCases)
  func agree(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    try await ann.connect(fixture.hubs[0])
    try await bob.connect(fixture.hubs[0])
    try await ann.sync()
    try await bob.sync()
    try await ann.create(1, x: 1)
    try await ann.append(1, 10)
    try await ann.sync()
    try await bob.sync()
    #expect(await bob.value(1, "x") == .int(1))
    try await ann.set(1, "x", .int(2))
    try await ann.append(1, 11)
    try await bob.append(1, 20)
    try await bob.create(2, q: 7)
    try await ann.sync()
    try await bob.sync()
    try await ann.sync()
    let shown = await ann.shown
    #expect(await bob.shown == shown)
    #expect(try await fixture.content() == shown)
    #expect(shown[HubSchema.name(1)]?["l"]?.count == 3)
    #expect(shown.count == 2)
    await fixture.end()
  }

  @Test(
    "C-1: random changes of three devices, with connections that end, come to the same", arguments: Backend.allCases)
  func random(_ backend: Backend) async throws {
    var random = SeededRandom.forTest("HubTests.random")
    let fixture = try await HubFixture(backend) { $0.ringCommits = 8 }
    let devices = (0..<3).map { TestDevice("user\($0)", seed: random.seed &+ UInt64($0)) }
    for device in devices {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    for _ in 0..<40 {
      let device = random.pick(devices)
      if await !device.isConnected { try await device.connect(fixture.hubs[0]) }
      for _ in 0..<random.int(1...4) { try await change(device, &random) }
      switch random.int(0...5) {
      case 0: await device.disconnect()
      case 1:
        try await device.upload(times: 2)
        await device.disconnect()
      case 2: try await device.upload()
      default: try await device.sync()
      }
    }
    for device in devices where await !device.isConnected { try await device.connect(fixture.hubs[0]) }
    for device in devices + devices { try await device.sync() }
    let content = try await fixture.content()
    for device in devices {
      #expect(await device.shown == content, "seed \(random.seed)")
      #expect(await device.failures.isEmpty)
    }
    await fixture.end()
  }

  private func change(_ device: TestDevice, _ random: inout SeededRandom) async throws {
    let key = random.int(1...6)
    guard await device.keys.contains(key) else { return try await device.create(key, q: random.int(0...2)) }
    switch random.int(0...6) {
    case 0: try await device.delete(key)
    case 1, 2: try await device.append(key, random.int(0...99))
    case 3: try await device.set(key, "q", .int(Int64(random.int(0...2))))
    default: try await device.set(key, "x", .int(Int64(random.int(0...99))))
    }
  }

  @Test("a device that comes back goes on from its cursor, without a bootstrap", arguments: Backend.allCases)
  func resume(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    for device in [ann, bob] {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    await ann.disconnect()
    for key in 1...5 { try await bob.create(key) }
    try await bob.sync()
    await ann.forget()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(await ann.resumptions == [.incremental])
    #expect(await ann.begins.isEmpty)
    #expect(await ann.records.filter { !$0.objects.isEmpty }.count == 5)
    #expect(await ann.keys == [1, 2, 3, 4, 5])
    await fixture.end()
  }

  @Test("MR-15: uploads that come twice are merged once, and acknowledged again", arguments: Backend.allCases)
  func doubled(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    for key in 1...3 { try await ann.create(key) }
    try await ann.upload(times: 2)
    try await ann.sync()
    #expect(try await fixture.stores[0].log(fixture.tenant).count == 3)
    #expect(await ann.failures.isEmpty)
    await fixture.end()
  }

  @Test("MR-15: an upload after a lost one ends the connection, and the next one loses nothing")
  func lost() async throws {
    let fixture = try await HubFixture(.memory)
    let ann = TestDevice()
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    try await ann.create(1)
    try await ann.create(2)
    await ann.loseUpload()
    try await ann.upload()
    try await ann.waitForEnd()
    #expect(await ann.failures.map(\.code) == [.uploadGap])
    #expect(try await fixture.content().isEmpty)
    try await ann.connect(fixture.hubs[0])
    try await ann.sync()
    #expect(try await fixture.content().count == 2)
    await fixture.end()
  }

  @Test("two hubs on one database serve one tenant", arguments: Backend.shared)
  func twoHubs(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend, hubs: 2)
    let (ann, bob) = (TestDevice("ann", seed: 1), TestDevice("bob", seed: 2))
    try await ann.connect(fixture.hubs[0])
    try await bob.connect(fixture.hubs[1])
    for round in 1...5 {
      try await ann.create(round, x: round)
      try await bob.create(100 + round)
      try await ann.sync()
      try await bob.sync()
    }
    try await ann.sync()
    #expect(await ann.keys == [1, 2, 3, 4, 5, 101, 102, 103, 104, 105])
    #expect(await ann.shown == bob.shown)
    // A site that goes to the other hub fences its session at the first one.
    try await ann.create(6)
    await ann.disconnect()
    try await ann.connect(fixture.hubs[1])
    try await ann.sync()
    try await bob.sync()
    #expect(await bob.keys.contains(6))
    await fixture.end()
  }
}
