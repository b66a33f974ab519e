import Foundation
import Synchronization
import LarderStorage
import LarderSyncProtocol
import TestSupport
import TestTraits
import Testing

@testable import LarderSync

/// Devices that write, connect, lose their connection and are killed at any moment, as a seed says.
@Suite("Histories of exchanges", .long)
struct ExchangeHistoryTests {
  /// The number of histories that are run: `LARDER_SYNC_HISTORIES`, or few.
  private static let count =
    ProcessInfo.processInfo.environment["LARDER_SYNC_HISTORIES"].flatMap { Int($0) } ?? 12
  /// Bootstraps that went on, of all histories.
  private static let continued = Atomic<Int>(0)
  /// The one history that is to be run, `LARDER_SYNC_SEED`.
  private static let seeds =
    ProcessInfo.processInfo.environment["LARDER_SYNC_SEED"].flatMap { Int($0) }.map { $0...$0 } ?? 1...count

  @Test(
    "C-3, F-104: lost connections, and devices that are killed between any two steps, lose and double nothing",
    arguments: seeds)
  func history(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    // One object in a transaction, so that there is something between any two of them.
    let small = SliceLimits(objects: 1, partObjects: 1, stagedBytes: 1)
    let net = try ModelNet(devices: 3, seed % 2 == 0 ? small : SliceLimits(), appliesProgressively: seed % 4 == 0)
    net.server.doubles = seed % 3 == 0
    for device in net.devices { try device.subscribe("TRUEPREDICATE") }
    var sums: [ObjectName: Int64] = [:]
    for _ in 0..<160 {
      try step(net, net.devices[random.int(0...2)], &random, &sums)
    }
    for device in net.devices {
      net.disconnect(device)
      try device.subscribe("TRUEPREDICATE")
    }
    try net.settle()
    try check(net, seed)
    for (name, sum) in sums {
      #expect(net.server.objects.states[name]?.value(of: "x") == .int(sum), "seed \(seed), \(name.key)")
    }
    Self.continued.add(net.server.continued, ordering: .relaxed)
  }

  @Test("Y-19: among histories of pieces some bootstraps go on in another session")
  func continuing() throws {
    var count = 0
    for seed in stride(from: 2, through: 78, by: 4) where count == 0 {
      try history(seed: seed)
      count = Self.continued.load(ordering: .relaxed)
    }
    #expect(count > 0)
  }

  private func step(
    _ net: ModelNet, _ device: ModelDevice, _ random: inout SeededRandom, _ sums: inout [ObjectName: Int64]
  ) throws {
    switch random.int(0...20) {
    case 20: try countUp(device, &random, &sums)
    case 0...4: try edit(device, &random)
    case 5: try device.pump(&net.server)
    case 6: net.disconnect(device)
    case 7: try device.kill(&net.server)
    case 8: if random.oneIn(3) { try device.subscribe("x == \(random.int(0...2))", "x == \(random.int(0...2))") }
    case 9: if random.oneIn(3) { try device.subscribe("TRUEPREDICATE") }
    default:
      try device.connect(&net.server)
      for _ in 0..<random.int(1...6) { try net.exchange(device) }
    }
  }

  /// Gets or creates an object that nothing else changes, and adds to its number in the same transaction.
  private func countUp(
    _ device: ModelDevice, _ random: inout SeededRandom, _ sums: inout [ObjectName: Int64]
  ) throws {
    let number = random.int(101...102)
    let amount = Int64(random.int(1...9))
    try ModelDevice.write(device.store) { writer in
      let item = try #require(writer.base.schema["Item"])
      let column = try #require(item.column(named: "x")).id
      let known = try writer.object(item.id, primaryKey: .int(Int64(number)))
      let key = try known ?? writer.create(item.id, primaryKey: .int(Int64(number)))
      try ValueAssignment(writer: writer).add(item.id, column, key, .int(amount))
    }
    sums[ModelDevice.name(number), default: 0] += amount
  }

  private func edit(_ device: ModelDevice, _ random: inout SeededRandom) throws {
    let name = ModelDevice.name(random.int(1...6))
    let (kind, number) = (random.int(0...9), Int64(random.int(0...3)))
    let position = random.int(0...5)
    try device.edit { replica in
      guard replica.contains(name) else {
        return replica.replace(name, with: [SyncProperty("x", .int(number)), SyncProperty("text", .string("new"))])
      }
      let count = Self.count(replica.value(name, LocalPath("texts")))
      switch kind {
      case 0: replica.replace(name, with: nil)
      case 1, 2: replica.set(name, LocalPath("x"), .int(number))
      case 3: replica.set(name, LocalPath("text"), .string(SyncText("t\(number)")))
      case 4: replica.setMember(.int(number), isPresent: position > 2, name, LocalPath("numbers"))
      case 5 where count > 1: replica.move(from: position % count, to: 0, name, LocalPath("texts"))
      case 6 where count > 0: replica.remove(at: position % count, name, LocalPath("texts"))
      default: replica.insert([.string(SyncText("e\(number)"))], at: min(position, count), name, LocalPath("texts"))
      }
    }
  }

  private static func count(_ value: SyncValue?) -> Int {
    if case .list(let list) = value { list.entries.count } else { 0 }
  }

  private func check(_ net: ModelNet, _ seed: Int) throws {
    var expected: [ObjectName: [String]] = [:]
    for (name, state) in net.server.objects.states where state.isAlive { expected[name] = state.properties().plain }
    for (index, device) in net.devices.enumerated() {
      #expect(try device.content == expected, "seed \(seed), device \(index)")
      #expect(try device.subscriptions.state == .complete, "seed \(seed), device \(index)")
      let kept = device.exchange.keeper.device
      #expect(kept?.acknowledged == kept?.lastSiteVersion, "seed \(seed), device \(index)")
    }
    let nonces = net.server.log.map(\.merged.nonce)
    #expect(Set(nonces).count == nonces.count, "seed \(seed): a commit was merged twice")
  }
}
