import LarderStorage
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Devices whose clocks are wrong")
struct ClockTests {
  private let item = ModelDevice.name(1)

  private func adjustments(_ device: ModelDevice) -> [Int64] {
    device.events.compactMap { event in
      if case .failure(.clockAdjusted(let milliseconds)) = event { milliseconds } else { nil }
    }
  }

  @Test("Y-62: a clock that is far ahead is reported once, and the order of the device's own edits is kept")
  func ahead() throws {
    let net = try ModelNet(devices: 2)
    let (one, two) = (net.devices[0], net.devices[1])
    for device in net.devices { try device.subscribe("TRUEPREDICATE") }
    // Both devices are years ahead of the server.
    net.server.now = 1_000_000_000_000
    net.server.tellsClamped = true
    try net.settle()
    try one.edit { $0.replace(item, with: [SyncProperty("x", .int(0))]) }
    for x in 1...9 { try one.edit { $0.set(item, LocalPath("x"), .int(Int64(x))) } }
    try net.settle()
    #expect(try one.content[item] == ["x=9"] && two.content == one.content)
    try one.edit { $0.set(item, LocalPath("x"), .int(10)) }
    try net.settle()
    #expect(try two.content[item] == ["x=10"])
    #expect(net.server.log.map(\.merged.time) == net.server.log.map(\.merged.time).sorted())
    #expect(adjustments(one).count == 1 && adjustments(two).isEmpty)
    #expect(adjustments(one).allSatisfy { $0 > 1_000 * 3_600 * 24 })
  }
}
