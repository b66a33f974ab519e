import LarderStorage
import LarderSyncProtocol
import Testing

@testable import LarderSync

@Suite("Refused operations and restarts")
struct RefusedOperationsTests {
  private func refusedWrite() throws -> (ModelNet, ModelDevice) {
    let net = try ModelNet(devices: 1)
    let one = net.devices[0]
    try one.subscribe("TRUEPREDICATE")
    try net.settle()
    try one.edit { $0.replace(ModelDevice.name(1), with: [SyncProperty("x", .int(13))]) }
    try one.pump(&net.server)
    while !one.up.isEmpty { one.upload(&net.server) }
    return (net, one)
  }

  private func rejected(_ device: ModelDevice) -> [RejectedObject] {
    device.events.flatMap { event -> [RejectedObject] in
      if case .rejected(let objects) = event { objects } else { [] }
    }
  }

  /// Lets the server's messages arrive one by one up to a moment, and kills the device then.
  private func kill(_ one: ModelDevice, _ net: ModelNet, when isTime: () -> Bool) throws {
    for _ in 0..<100 where !isTime() { try net.exchange(one) }
    #expect(isTime())
    one.events = []
    try one.kill(&net.server)
  }

  @Test("Y-28: a write that was refused is reported after a restart between the confirmation and the report")
  func confirmed() throws {
    let (net, one) = try refusedWrite()
    // The server's words are here, and what the object has become is not.
    try kill(one, net) { (try? one.store.snapshot().syncState("refused")) != nil }
    #expect(one.exchange.keeper.device?.acknowledged == 1)
    #expect(rejected(one).isEmpty)
    try net.settle()
    #expect(rejected(one).map(\.object) == [ModelDevice.name(1)])
    #expect(rejected(one).first?.values.plain == ["x=13"] && rejected(one).first?.message == "locked")
    #expect(try one.content.isEmpty)
  }

  @Test("Y-28: a write whose refusal never arrived is reported by what the marker says")
  func lostMessage() throws {
    let (net, one) = try refusedWrite()
    try one.kill(&net.server)
    try net.settle()
    #expect(rejected(one).map(\.object) == [ModelDevice.name(1)])
    #expect(rejected(one).first?.reason == .objectAfter && rejected(one).first?.message.isEmpty == false)
    #expect(rejected(one).first?.values.plain == ["x=13"])
  }

  @Test("Y-28: a report that did not reach the program comes again after a restart, and is forgotten once it did")
  func delivery() throws {
    let (net, one) = try refusedWrite()
    try kill(one, net) { !rejected(one).isEmpty }
    one.collect(&net.server)
    #expect(rejected(one).map(\.object) == [ModelDevice.name(1)])
    try one.exchange.forgetRefused()
    one.events = []
    try one.kill(&net.server)
    try net.settle()
    #expect(rejected(one).isEmpty)
  }
}
