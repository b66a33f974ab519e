import Foundation
import LarderStorage
import LarderSyncProtocol
import TestSupport
import TestTraits
import Testing

@testable import LarderSync

/// Messages with numbers that no server means: the device traps at none, keeps its store, and goes on in the next session.
@Suite(.long, .timeLimit(.minutes(10))) struct ExchangeNumberTests {
  /// The number of messages with one other number, and of as many with two, that are tried in the place of each; more with `LARDER_SYNC_INPUTS`.
  private static let tries = ProcessInfo.processInfo.environment["LARDER_SYNC_INPUTS"] == nil ? 25 : 400

  /// A device that was away, and a server that has something of each kind for it.
  private struct Script {
    let device: ModelDevice
    let server: ModelServer
    /// The messages of the server in a session in which nothing is changed.
    private(set) var messages: [SyncMessage] = []

    /// - Parameter isFull: Whether the device gets everything by pages and not what is new by records.
    init(isFull: Bool) throws {
      let net = try ModelNet(devices: 2)
      for device in net.devices { try device.subscribe("TRUEPREDICATE") }
      let (one, two) = (net.devices[0], net.devices[1])
      for key in 1...3 { try Script.create(one, key) }
      try net.settle()
      net.disconnect(one)
      try Script.edit(two)
      try net.settle(only: [two])
      // The device has commits of its own that the server acknowledges.
      try one.edit { $0.set(ModelDevice.name(3), LocalPath("x"), .int(33)) }
      net.disconnect(two)
      if isFull { net.server.merger.part.epoch += 1 }
      (device, server) = (one, net.server)
      messages = try play(self, at: nil)
    }

    private static func create(_ device: ModelDevice, _ key: Int) throws {
      let part = SyncValue.embedded(
        SyncEmbedded(incarnation: .root, properties: [SyncProperty("weight", .int(Int64(key)))]))
      try device.edit {
        $0.replace(
          ModelDevice.name(key),
          with: [
            SyncProperty("x", .int(Int64(key))), SyncProperty("text", .string("text")), SyncProperty("part", part),
          ])
        $0.insert([.string("a"), .string("b")], at: 0, ModelDevice.name(key), LocalPath("texts"))
      }
    }

    /// A change of each kind.
    private static func edit(_ device: ModelDevice) throws {
      let name = ModelDevice.name(1)
      try device.edit {
        $0.set(name, LocalPath("x"), .int(9))
        $0.insert([.string("c"), .string("d")], at: 1, name, LocalPath("texts"))
        $0.setMember(.int(5), isPresent: true, name, LocalPath("numbers"))
        $0.setMember(.int(300), isPresent: true, name, LocalPath("numbers"))
      }
      try device.edit { $0.remove(at: 0, name, LocalPath("texts")) }
      try device.edit { $0.replace(ModelDevice.name(2), with: nil) }
      try create(device, 4)
    }
  }

  /// A change of what the server says in a session.
  private struct Change {
    /// The number of the message among those of the server.
    var place: Int
    var message: SyncMessage
    /// True if the message is one more, before that of the server.
    var isAdded = false
  }

  /// Has a copy of a device meet a copy of its server. Returns what the server says.
  @discardableResult
  private static func play(_ script: Script, at change: Change?) throws -> [SyncMessage] {
    let device = try ModelDevice(copyOf: script.device)
    var server = script.server
    var messages: [SyncMessage] = []
    try device.connect(&server)
    for _ in 0..<1_000 {
      let isUp = !device.up.isEmpty
      device.upload(&server)
      let isDown = device.speak(&server)
      if isDown, let session = device.session, let bytes = device.down.popLast() {
        let site = server.sessions[session]?.site
        var frames = [bytes]
        if let change, change.place == messages.count {
          let other = SyncFrame(change.message).encoded(site: site)
          frames = change.isAdded ? [other, bytes] : [other]
        }
        messages.append(try SyncFrame(decoding: bytes, site: site).message)
        device.down += frames
      }
      guard try device.step(&server) || isUp || isDown else { break }
    }
    guard change != nil else { return messages }
    // The program goes on, in a process that is started again, with the server as it is.
    try device.edit { $0.replace(ModelDevice.name(77), with: [SyncProperty("x", .int(7))]) }
    try device.kill(&server)
    try device.connect(&server)
    for _ in 0..<1_000 {
      let isUp = !device.up.isEmpty
      device.upload(&server)
      let isDown = device.speak(&server)
      guard try device.step(&server) || isUp || isDown else { break }
    }
    #expect(try device.content[ModelDevice.name(77)] == ["x=7"])
    return messages
  }

  private func play(_ script: Script, at change: Change?) throws -> [SyncMessage] { try Self.play(script, at: change) }

  /// Puts other numbers into a message at a place.
  private func sweep(
    _ script: Script, _ message: SyncMessage, at place: Int, isAdded: Bool, _ random: inout SeededRandom
  ) throws -> Int {
    let numbers = try NumberSweep(message, site: script.device.exchange.keeper.device?.site)
    let changed = numbers.singles().shuffled(using: &random).prefix(Self.tries) + numbers.pairs(Self.tries, &random)
    for message in changed {
      do {
        _ = try play(script, at: Change(place: place, message: message, isAdded: isAdded))
      } catch {
        Issue.record("\(error), after \(message)")
      }
    }
    return changed.count
  }

  @Test("F-101: what a server says with any numbers alone and in pairs ends no device", arguments: [false, true])
  func session(isFull: Bool) throws {
    var random = SeededRandom.forTest()
    let script = try Script(isFull: isFull)
    var kinds: Set<UInt64> = []
    var count = 0
    for (place, message) in script.messages.enumerated() where kinds.insert(message.kind).inserted {
      count += try sweep(script, message, at: place, isAdded: false, &random)
    }
    print("ExchangeNumberTests.session: \(kinds.sorted()), \(count)")
    #expect(kinds.count > 6 && count > 100)
  }

  @Test("F-101: what a server says at any time, with any numbers, ends no device")
  func added() throws {
    var random = SeededRandom.forTest()
    let script = try Script(isFull: false)
    let item = ModelDevice.name(3)
    let refused = RefusedOperation(siteVersion: 2, operation: 0, object: item, reason: .property, message: "m")
    let messages: [SyncMessage] = [
      .acknowledge(Acknowledgement(siteVersion: 2, clamped: SyncTime(milliseconds: 5))), .refused([refused]),
      .failure(SyncFailure(.rate, action: .resend, message: "m", subject: "s", retryAfter: 7)),
      .failure(SyncFailure(.server, action: .reconnect, message: "m", retryAfter: 7)), .mark(1), .credit(9),
      .authenticated(until: 1_700_000_000_000), .ping(3), .pong(3),
    ]
    var count = 0
    for message in messages {
      count += try sweep(script, message, at: random.int(1..<script.messages.count), isAdded: true, &random)
    }
    print("ExchangeNumberTests.added: \(count)")
    #expect(count > 100)
  }

  @Test("F-101: a welcome with the last of all times is refused, and the device goes on", arguments: [.max, 1 << 63])
  func welcome(time: UInt64) throws {
    let script = try Script(isFull: false)
    let place = try #require(script.messages.firstIndex { if case .welcome = $0 { true } else { false } })
    guard case .welcome(let welcome) = script.messages[place] else {
      Issue.record("the first message of the server is no welcome")
      return
    }
    let late = Welcome(
      version: welcome.version, session: welcome.session, site: welcome.site, secret: welcome.secret,
      epoch: welcome.epoch, lastSiteVersion: welcome.lastSiteVersion, time: SyncTime(rawValue: time),
      resumption: welcome.resumption, limits: welcome.limits, expands: welcome.expands)
    let messages = try play(script, at: Change(place: place, message: .welcome(late)))
    #expect(messages.count < script.messages.count)
  }
}
