import LarderSyncProtocol
import Testing

@testable import LarderSyncServer

/// Devices that get or create an object and add to its number, in one transaction.
@Suite(.timeLimit(.minutes(10))) struct HubCountingTests {
  @Test("F-104: two devices that create an object and count up get the sum", arguments: Backend.allCases)
  func sum(_ backend: Backend) async throws {
    let fixture = try await HubFixture(backend)
    let devices = [TestDevice("ann", seed: 1), TestDevice("bob", seed: 2)]
    for device in devices {
      try await device.connect(fixture.hubs[0])
      try await device.sync()
    }
    for (device, amount) in zip(devices, [5, 7]) { try await device.countUp(1, by: amount) }
    for _ in 0..<2 {
      for device in devices { try await device.sync() }
    }
    for device in devices { #expect(await device.value(1, "x") == .int(12)) }
    await fixture.end()
  }

  @Test("F-104: random histories of devices that come and go keep every addition")
  func histories() async throws {
    for _ in 0..<4 {
      var random = SeededRandom.forTest("HubCountingTests.histories")
      let fixture = try await HubFixture(.memory) { $0.ringCommits = 4 }
      let devices = (0..<3).map { TestDevice("user\($0)", seed: random.seed &+ UInt64($0)) }
      for device in devices {
        try await device.connect(fixture.hubs[0])
        try await device.sync()
      }
      var sums: [Int: Int] = [:]
      for _ in 0..<80 {
        let device = random.pick(devices)
        if await !device.isConnected { try await device.connect(fixture.hubs[0]) }
        switch random.int(0...5) {
        case 0: await device.disconnect()
        case 1: try await device.sync()
        case 2: try await device.upload()
        default:
          let (key, amount) = (random.int(1...5), random.int(1...9))
          try await device.countUp(key, by: amount)
          sums[key, default: 0] += amount
        }
      }
      for device in devices where await !device.isConnected { try await device.connect(fixture.hubs[0]) }
      for _ in 0..<2 {
        for device in devices { try await device.sync() }
      }
      for device in devices {
        for (key, sum) in sums {
          #expect(await device.value(key, "x") == .int(Int64(sum)), "object \(key), seed \(random.seed)")
        }
      }
      await fixture.end()
    }
  }
}
