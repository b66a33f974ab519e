import Foundation
import LarderSyncProtocol
import Synchronization
import Testing

@testable import LarderSyncServer

/// Messages with numbers that no device means, against a running hub: nothing traps, and only the device that sends them hears of it.
@Suite(.timeLimit(.minutes(10))) struct HubNumberTests {
  /// The number of pairs of numbers that are tried for each message, and the most single ones: all of these, and more pairs, with `LARDER_SYNC_HISTORIES`.
  private static let (tries, singles): (Int, Int) = {
    guard let asked = ProcessInfo.processInfo.environment["LARDER_SYNC_HISTORIES"].flatMap({ Int($0) }) else {
      return (150, 100)
    }
    return (400 * max(1, asked / 50), .max)
  }()

  private static func messages(_ numbers: NumberSweep, _ random: inout SeededRandom) -> [SyncMessage] {
    numbers.singles().shuffled(using: &random).prefix(singles) + numbers.pairs(tries, &random)
  }

  /// A hub with a device that sends what it should not, and another one that is connected meanwhile.
  private final class Sweep: Sendable {
    let fixture: HubFixture
    let other: TestDevice
    let hello: Hello
    let site: SiteID
    private let client: ClientRecord

    init() async throws {
      fixture = try await HubFixture(.memory) {
        $0.devices.commitsPerSecond = 1_000_000
        $0.devices.uploadBytesPerSecond = 1 << 40
      }
      let device = TestDevice("ann", seed: 1)
      // What changed messages make of other objects is nothing for the store of this device, which holds properties only.
      other = TestDevice("bob", subscribe: HubSchema.subscribe(1, "id == 99"), seed: 2)
      for device in [device, other] {
        try await device.connect(fixture.hubs[0])
        try await device.sync()
      }
      try await device.create(1, q: 1, owner: "ann", x: 5)
      try await device.append(1, 7)
      try await device.append(1, 8)
      try await device.sync()
      let greeting = Mutex<Hello?>(nil)
      try await device.connect(fixture.hubs[0]) { hello in
        greeting.withLock { $0 = hello }
        return hello
      }
      try await device.sync()
      await device.disconnect()
      let greeted = greeting.withLock { $0 }
      hello = try #require(greeted)
      let site = try #require(await device.site)
      self.site = site
      let tenant = fixture.tenant
      let found = try await fixture.stores[0].store.read { try $0.client(tenant, SiteKey(site)) }
      client = try #require(found)
    }

    /// Has a session take a greeting and, when it is welcomed, more messages. Returns the failures that the device is sent.
    func play(_ hello: Hello, _ messages: [SyncMessage]) async throws -> [SyncFailure] {
      let output = DeviceOutput()
      let session = fixture.hubs[0].connect(output, peer: "ann")
      await session.receive(SyncFrame(.hello(hello)).encoded())
      for message in messages { await session.receive(SyncFrame(message).encoded(site: site)) }
      await session.core.finishUploads()
      await session.receive(SyncFrame(.ping(3)).encoded())
      // Of a site that a changed greeting gives, records may be none that this site can read.
      let answers = output.take().compactMap { try? SyncFrame(decoding: $0, site: site).message }
      await session.disconnected()
      // The site goes on as it was, whatever the session made of it.
      try await fixture.stores[0].store.write(unknownCommit: .runAgain) { [fixture, client] in
        try $0.putClients(fixture.tenant, [client])
      }
      let failures = answers.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
      #expect(!failures.isEmpty || answers.contains(.pong(3)), "an answer to \(hello), \(messages)")
      #expect(!failures.contains { $0.code == .server }, "\(failures) to \(hello), \(messages)")
      return failures
    }

    /// The other device has heard of nothing, and goes on; so does the first one.
    func end() async throws {
      #expect(await other.isConnected)
      try await other.sync()
      try await other.create(99, q: 2)
      try await other.sync()
      #expect(await other.keys.contains(99))
      #expect(await other.failures.isEmpty)
      #expect(try await play(hello, [.subscribe(HubSchema.all)]).isEmpty)
      await fixture.end()
    }
  }

  @Test("F-101: numbers of commits that a device keeps are checked, and the server goes on")
  func retained() async throws {
    let sweep = try await Sweep()
    for credential in [sweep.hello.credential, nil] {
      for first in NumberSweep.numbers {
        for nonces in [[], [1], [1, 2, 3]] as [[UInt64]] {
          let retained = RetainedCommits(first: first, nonces: nonces)
          let failures = try await sweep.play(sweep.hello.with(retained, credential), [])
          #expect(failures.map(\.code) == (retained.last == nil ? [.malformed] : []), "\(retained)")
        }
      }
    }
    try await sweep.end()
  }

  @Test("F-101: greetings with any numbers alone and in pairs end no server")
  func greetings() async throws {
    let sweep = try await Sweep()
    var random = SeededRandom.forTest("HubNumberTests.greetings")
    let position = BootstrapPosition(
      resumption: BootstrapToken(epoch: 1, start: 3, ownAtStart: 2, schema: 1, isFull: true).bytes,
      view: ViewTag(subscriptions: 1, rules: 9), className: "Item", through: .int(4))
    var count = 0
    for bootstrap in [nil, position] {
      for cursor in [sweep.hello.position.cursor, nil] {
        let hello = sweep.hello.with(bootstrap, cursor)
        let numbers = try NumberSweep(.hello(hello), site: nil)
        for case .hello(let changed) in Self.messages(numbers, &random) {
          _ = try await sweep.play(changed, [.subscribe(HubSchema.all)])
          count += 1
        }
      }
    }
    print("HubNumberTests.greetings: \(count)")
    #expect(count > 300)
    try await sweep.end()
  }

  @Test("F-101: messages of a session with any numbers alone and in pairs end no server")
  func messages() async throws {
    let sweep = try await Sweep()
    var random = SeededRandom.forTest("HubNumberTests.messages")
    var count = 0
    for message in sessionMessages(sweep.site) {
      let numbers = try NumberSweep(message, site: sweep.site)
      for changed in Self.messages(numbers, &random) {
        _ = try await sweep.play(sweep.hello, [.subscribe(HubSchema.all), changed])
        count += 1
      }
    }
    print("HubNumberTests.messages: \(count)")
    #expect(count > 300)
    try await sweep.end()
  }

  /// A message of each kind, with numbers in all places.
  private func sessionMessages(_ site: SiteID) -> [SyncMessage] {
    func name(_ operation: UInt32, _ index: UInt32 = 0) -> OperationID {
      OperationID(site: site, siteVersion: 4, operation: operation, index: index)
    }
    func old(_ siteVersion: UInt64) -> OperationID { OperationID(site: site, siteVersion: siteVersion, operation: 0) }
    let (item, list) = (HubSchema.name(1), SyncCollectionPath(SyncPath("l")))
    let edits: [SyncEdit] = [
      .create([CreatedProperty("q", .int(1)), CreatedProperty("x", .int(5), rank: .byDefault)]),
      .set(SyncPath("x"), .int(6)), .add(SyncPath("x"), .int(3)),
      .listInsert(list, [.int(1), .int(2)], first: name(3), left: old(2), right: old(3)),
      .listMove(list, old(2), position: name(4), left: old(3), right: nil),
      .listRemove(list, OperationIDRun.runs(of: [old(2), name(3), name(3, 1)])),
      .set(SyncPath("l", [.element(old(3), in: .root)]), .int(9)),
    ]
    let operations = edits.map { SyncOperation(item, $0) } + [SyncOperation(HubSchema.name(2), .delete)]
    let commit = SyncCommit(siteVersion: 4, time: SyncTime(milliseconds: 5), nonce: 77, operations: operations)
    let query = SubscribedQuery(name: "n", className: "Item", predicate: "q == %@", arguments: [.int(2)])
    return [
      .upload(LarderSyncProtocol.Upload(commits: [commit])), .subscribe(Subscribe(version: 2, queries: [query])),
      .mark(3), .credit(5), .ping(4), .pong(4),
      .failure(SyncFailure(.query, action: .carryOn, message: "m", subject: "s", retryAfter: 7)),
      .schemaPush(HubSchema.schema), .acknowledge(Acknowledgement(siteVersion: 3, clamped: SyncTime(rawValue: 4))),
      .unknown(UnknownMessage(kind: 70, body: [1, 2, 3])!),
    ]
  }
}

extension Hello {
  fileprivate func with(_ retained: RetainedCommits, _ credential: SiteCredential?) -> Hello {
    with(
      SyncPosition(
        epoch: position.epoch, cursor: position.cursor, view: position.view, retained: retained,
        bootstrap: position.bootstrap), credential)
  }

  fileprivate func with(_ bootstrap: BootstrapPosition?, _ cursor: [UInt8]?) -> Hello {
    with(
      SyncPosition(
        epoch: position.epoch, cursor: cursor, view: position.view, retained: position.retained, bootstrap: bootstrap),
      credential)
  }

  private func with(_ position: SyncPosition, _ credential: SiteCredential?) -> Hello {
    Hello(
      oldest: oldest, newest: newest, tenant: tenant, token: token, agent: agent, credential: credential,
      incarnation: incarnation, schemaFingerprint: schemaFingerprint, position: position, expands: expands)
  }
}
