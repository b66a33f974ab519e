import LarderStorage
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Properties that the server does not have")
struct UnknownPropertyTests {
  private let item = ModelDevice.name(1)

  private func net(without properties: SyncText...) throws -> (ModelNet, ModelDevice, ModelDevice) {
    let net = try ModelNet(devices: 2)
    net.server.unknownProperties = Set(properties)
    for device in net.devices { try device.subscribe("TRUEPREDICATE") }
    return (net, net.devices[0], net.devices[1])
  }

  private func fill(_ device: ModelDevice) throws {
    try device.edit {
      $0.replace(item, with: [SyncProperty("x", .int(1)), SyncProperty("text", .string("here"))])
      $0.insert([.string("a"), .string("c")], at: 0, item, LocalPath("texts"))
    }
    try device.edit { $0.insert([.string("b")], at: 1, item, LocalPath("texts")) }
    try device.edit { $0.set(item, LocalPath("x"), .int(2)) }
  }

  @Test("F-107: They stay on the device, whether written before the first session or after, and the rest is sent")
  func stays() throws {
    let (net, one, two) = try net(without: "text", "texts")
    try fill(one)
    try net.settle()
    #expect(try two.content == [item: ["x=2"]])
    #expect(try one.content == [item: ["text=here", "texts=[\"a\", \"b\", \"c\"]", "x=2"]])
    try one.edit {
      $0.set(item, LocalPath("text"), .string("there"))
      $0.remove(at: 0, item, LocalPath("texts"))
      $0.set(item, LocalPath("x"), .int(3))
    }
    try net.settle()
    #expect(try two.content == [item: ["x=3"]])
    #expect(try one.content[item]?.contains("text=there") == true)
    // Nor does what the server says of the whole object empty them.
    try one.subscribe("x == 3")
    try net.settle()
    #expect(try one.content == [item: ["text=there", "texts=[\"b\", \"c\"]", "x=3"]])
    #expect(net.server.faults == [])
    let said = one.events.filter {
      if case .failure(.server(let failure)) = $0 { failure.code == .schemaForbidden } else { false }
    }
    #expect(said.count == 1)
    #expect(one.exchange.keeper.device?.acknowledged == one.exchange.keeper.device?.lastSiteVersion)
  }

  @Test("F-107: When the server takes them up they are sent as they are then, and later changes follow")
  func takenUp() throws {
    let (net, one, two) = try net(without: "text", "texts")
    try fill(one)
    try net.settle()
    try one.kill(&net.server)
    try one.edit { $0.remove(at: 0, item, LocalPath("texts")) }
    try net.settle()
    net.server.takeUpClasses()
    try net.settle()
    #expect(try two.content == one.content)
    #expect(try two.content == [item: ["text=here", "texts=[\"b\", \"c\"]", "x=2"]])
    try two.edit { $0.insert([.string("d")], at: 2, item, LocalPath("texts")) }
    try one.edit { $0.move(from: 1, to: 0, item, LocalPath("texts")) }
    try net.settle()
    #expect(try two.content == one.content && two.content[item]?.contains("texts=[\"c\", \"b\", \"d\"]") == true)
    #expect(net.server.faults == [])
  }

  @Test("F-106: Commits that fail at each session are no progress, and what comes from others does not hide that")
  func noProgress() throws {
    let (net, one, two) = try net()
    try fill(two)
    try net.settle()
    #expect(one.progress > 0)
    net.server.failsUploads = true
    try one.edit { $0.set(item, LocalPath("x"), .int(9)) }
    one.progress = 0
    for _ in 0..<3 {
      try one.connect(&net.server)
      try one.pump(&net.server)
      while try net.exchange(one) {}
    }
    #expect(one.progress == 0 && one.ends.filter { $0.code == .server }.count >= 3)
    net.server.failsUploads = false
    try net.settle()
    #expect(one.progress > 0)
    #expect(try two.content == one.content)
  }
}
