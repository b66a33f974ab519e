import LarderStorage
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Classes that the server does not have")
struct UnknownClassTests {
  private let item = ModelDevice.name(1)

  private func net(without className: SyncText) throws -> (ModelNet, ModelDevice, ModelDevice) {
    let net = try ModelNet(devices: 2)
    net.server.unknownClasses = [className]
    for device in net.devices { try device.subscribe("TRUEPREDICATE") }
    return (net, net.devices[0], net.devices[1])
  }

  private func failures(_ device: ModelDevice) -> [SyncFailureCode] {
    device.events.compactMap { event in
      if case .failure(.server(let failure)) = event { failure.code } else { nil }
    }
  }

  @Test("Y-49: what was written before the first session stays here, and the rest of the same commits is sent as it is")
  func first() throws {
    let (net, one, two) = try net(without: "Reading")
    try one.edit {
      $0.replace(ModelDevice.reading(1), with: [SyncProperty("x", .int(4))])
      $0.replace(item, with: [SyncProperty("x", .int(1))])
      $0.insert([.string("a"), .string("c")], at: 0, item, LocalPath("texts"))
    }
    try one.edit {
      $0.insert([.string("b")], at: 1, item, LocalPath("texts"))
      $0.replace(ModelDevice.reading(2), with: [SyncProperty("x", .int(5))])
      $0.remove(at: 0, item, LocalPath("texts"))
    }
    try one.edit { $0.replace(ModelDevice.reading(3), with: [SyncProperty("x", .int(6))]) }
    try net.settle()
    #expect(try two.content[item] == ["texts=[\"b\", \"c\"]", "x=1"] && one.content == two.content)
    #expect(try one.readings.count == 3)
    #expect(one.exchange.keeper.device?.acknowledged == one.exchange.keeper.device?.lastSiteVersion)
    // Later edits find what they name.
    try one.edit { $0.move(from: 1, to: 0, item, LocalPath("texts")) }
    try two.edit { $0.insert([.string("d")], at: 2, item, LocalPath("texts")) }
    try net.settle()
    #expect(try one.content[item]?.first == "texts=[\"c\", \"b\", \"d\"]" && one.content == two.content)
  }

  @Test("Y-49: what waits is kept through restarts, said once, and sent when the server takes the class up")
  func takenUp() throws {
    let (net, one, two) = try net(without: "Item")
    for device in net.devices { try device.edit { $0.replace(ModelDevice.reading(device === one ? 1 : 2), with: []) } }
    try one.edit { $0.replace(item, with: [SyncProperty("x", .int(1))]) }
    try net.settle()
    try one.edit {
      $0.set(item, LocalPath("x"), .int(2))
      $0.insert([.string("a")], at: 0, item, LocalPath("texts"))
      $0.replace(ModelDevice.name(2), with: [SyncProperty("x", .int(7))])
      $0.replace(ModelDevice.name(3), with: [SyncProperty("x", .int(8))])
    }
    try one.edit { $0.replace(ModelDevice.name(3), with: nil) }
    net.disconnect(one)
    try net.settle()
    #expect(failures(one) == [.schemaForbidden])
    try one.kill(&net.server)
    try net.settle()
    #expect(try one.content.count == 2 && two.content.isEmpty)
    #expect(net.server.objects.states.keys.allSatisfy { $0.className == "Reading" })
    #expect(try DeviceKeeper.unsentCommits(of: one.store) > 0)

    net.server.takeUpClasses()
    try net.settle()
    #expect(try one.content == [item: ["texts=[\"a\"]", "x=2"], ModelDevice.name(2): ["x=7"]])
    #expect(try two.content == one.content)
    try one.edit { $0.set(item, LocalPath("x"), .int(3)) }
    try two.edit { $0.insert([.string("b")], at: 1, item, LocalPath("texts")) }
    try net.settle()
    #expect(try one.content[item] == ["texts=[\"a\", \"b\"]", "x=3"] && two.content == one.content)
    #expect(try DeviceKeeper.unsentCommits(of: one.store) == 0)
  }

  @Test("Y-49: a class that the server has taken up is sent once it is subscribed to")
  func unsubscribed() throws {
    let net = try ModelNet(devices: 1)
    let one = net.devices[0]
    net.server.unknownClasses = ["Item"]
    try net.settle()
    try one.edit { $0.replace(item, with: [SyncProperty("x", .int(1))]) }
    try net.settle()
    net.server.takeUpClasses()
    try net.settle()
    #expect(try one.content.count == 1 && net.server.objects.states.isEmpty)
    try one.subscribe("TRUEPREDICATE")
    try net.settle()
    #expect(try one.content.count == 1 && net.server.objects[item].isAlive)
  }
}
