import LarderStorage
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Objects that are only sent")
struct SentObjectsTests {
  private func create(_ device: ModelDevice, _ key: Int, x: Int64 = 0, notes: [String] = []) throws {
    try device.edit {
      let notes = notes.map { SyncListEntry(element: .root, value: .string(SyncText($0))) }
      $0.replace(
        ModelDevice.reading(key),
        with: [
          SyncProperty("x", .int(x)), SyncProperty("notes", .list(SyncList(incarnation: .root, entries: notes))),
        ])
    }
  }

  private func edit(_ device: ModelDevice, _ key: Int) throws {
    try device.edit { $0.replace(ModelDevice.name(key), with: [SyncProperty("x", .int(1))]) }
  }

  private func sent(_ net: ModelNet) -> [ObjectName] { net.server.log.flatMap { $0.merged.objects.map(\.object) } }

  @Test("Y-46: they wait without a connection, also through a restart, are sent in order, and are deleted after that")
  func offline() throws {
    let net = try ModelNet(devices: 2)
    let (one, two) = (net.devices[0], net.devices[1])
    for device in net.devices { try device.subscribe("TRUEPREDICATE") }
    try create(one, 1, x: 4, notes: ["a", "b"])
    try edit(one, 1)
    try create(one, 2)
    try one.kill(&net.server)
    #expect(try one.readings.count == 2)
    try net.settle()
    #expect(sent(net) == [ModelDevice.reading(1), ModelDevice.name(1), ModelDevice.reading(2)])
    #expect(net.server.objects[ModelDevice.reading(1)].value(of: "x") == .int(4))
    guard case .list(let notes) = net.server.objects[ModelDevice.reading(1)].value(of: "notes") else {
      return #expect(Bool(false), "no list")
    }
    #expect(notes.entries.map(\.value) == [.string("a"), .string("b")])
    #expect(try one.readings.isEmpty && one.content.count == 1)
    #expect(try two.readings.isEmpty && two.content.count == 1)
    try one.kill(&net.server)
    try net.settle()
    #expect(try one.readings.isEmpty)
  }

  @Test("Y-46: they go with the confirmation, before anything else comes of the server, and their keys are free then")
  func confirmed() throws {
    let net = try ModelNet(devices: 1)
    let one = net.devices[0]
    try net.settle()
    try create(one, 1)
    try one.pump(&net.server)
    one.upload(&net.server)
    while one.exchange.keeper.device?.acknowledged != 1, try net.exchange(one) {}
    #expect(try one.readings.isEmpty)
    #expect(one.exchange.keeper.device?.cursor == 0)
    // One more with the same key, before the marker of the first has come.
    try create(one, 1, x: 5)
    #expect(try one.readings == [ModelDevice.reading(1)])
    try net.settle()
    #expect(try one.readings.isEmpty)
    #expect(sent(net) == [ModelDevice.reading(1), ModelDevice.reading(1)])
  }

  @Test(
    "Y-46: those that the server has are deleted when its confirmation was lost, also where everything is asked for again"
  )
  func lostConfirmation() throws {
    for rebuilds in [false, true] {
      let net = try ModelNet(devices: 1)
      let one = net.devices[0]
      try net.settle()
      try create(one, 1)
      try one.pump(&net.server)
      while !one.up.isEmpty { one.upload(&net.server) }
      #expect(net.server.log.count == 1)
      if rebuilds {
        try one.exchange.keeper.write {
          $0.device.needEverything()
          $0.server.cursor = nil
        }
      }
      try one.kill(&net.server)
      #expect(try one.readings.count == 1)
      try net.settle()
      #expect(try one.readings.isEmpty && net.server.log.count == 1)
    }
  }

  @Test("Y-28, Y-46: those that the server does not accept are deleted as well, and the program gets what was in them")
  func refused() throws {
    let net = try ModelNet(devices: 1)
    let one = net.devices[0]
    try create(one, 1, x: 13, notes: ["a"])
    try create(one, 2, x: 4)
    try net.settle()
    #expect(try one.readings.isEmpty)
    let rejected = one.events.flatMap { event -> [RejectedObject] in
      if case .rejected(let objects) = event { objects } else { [] }
    }
    #expect(rejected.map(\.object) == [ModelDevice.reading(1)])
    #expect(rejected.first?.values.contains(SyncProperty("x", .int(13))) == true)
    #expect(rejected.first?.values.contains { $0.name == "notes" } == true)
    #expect(net.server.objects[ModelDevice.reading(2)].isAlive)
  }
}
