import Foundation
import LarderLocks
import LarderStorage
import LarderSyncProtocol
import TestSupport
import Testing

@testable import LarderSync

@Suite("An engine over a connection")
struct SyncEngineTests {
  /// A store with its engine, and what the engine says.
  private final class Side: Sendable {
    let temporary: TemporaryStore
    let engine: SyncEngine
    let observation: EngineObservation
    private let events: EventLog

    init(_ transport: ModelTransport, _ tokens: ModelTokens = ModelTokens(["good"])) throws {
      temporary = try TemporaryStore(clusterSize: 8)
      try temporary.write { try $0.apply(ModelDevice.classes, schemaVersion: 1) }
      try ModelDevice.subscribe(temporary.store, ["TRUEPREDICATE"])
      engine = try SyncEngine(store: temporary.store, configuration: ModelDevice.configuration(transport, tokens))
      let log = EventLog()
      events = log
      observation = engine.observe { log.append($0) }
    }

    var said: [EngineEvent] { events.all }
    var failures: [EngineFailure] { said.compactMap { if case .failure(let failure) = $0 { failure } else { nil } } }

    func write(_ key: Int, x: Int64) throws {
      try ModelDevice.edit(temporary.store) { $0.replace(ModelDevice.name(key), with: [SyncProperty("x", .int(x))]) }
    }

    var content: [ObjectName: [String]] { get throws { try ModelDevice.content(temporary.store) } }

    /// Waits until something is so.
    func wait(_ body: @Sendable (EngineStatus) -> Bool) async throws {
      for _ in 0..<3_000 where !body(engine.status) { try await Task.sleep(for: .milliseconds(10)) }
      #expect(body(engine.status), "\(engine.status)")
    }
  }

  private final class EventLog: Sendable {
    private let events = Lock<[EngineEvent]>([])

    var all: [EngineEvent] { events.withLock { $0 } }
    func append(_ event: EngineEvent) { events.withLock { $0.append(event) } }
  }

  private let transport = ModelTransport()

  @Test("Y-36: after both waits two stores have the same objects")
  func agree() async throws {
    let (one, two) = (try Side(transport), try Side(transport))
    for side in [one, two] { side.engine.start() }
    for key in 1...20 { try one.write(key, x: Int64(100 + key)) }
    try await one.engine.waitForUpload()
    try await two.engine.waitForDownload()
    #expect(try one.content.count == 20)
    #expect(try two.content == one.content)
    try two.write(3, x: 33)
    try await two.engine.waitForUpload()
    try await one.engine.waitForDownload()
    #expect(try one.content[ModelDevice.name(3)] == ["x=33"])
    #expect(transport.withServer { $0.faults } == [])
    for side in [one, two] { await side.engine.stop() }
  }

  @Test("F-115: Who hears of a failure that ends the session finds the engine inactive")
  func failures() async throws {
    let side = try Side(transport, ModelTokens([]))
    let seen = Shared<[Bool]>([])
    let observation = side.engine.observe { [engine = side.engine] event in
      guard case .failure = event else { return }
      seen.value.withLock { $0.append(engine.status.isInactive) }
    }
    side.engine.start()
    try await side.wait { $0.isInactive }
    while seen.value.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(seen.value.withLock { $0 } == [true])
    observation.invalidate()
    await side.engine.stop()
  }

  @Test(
    "F-112, Y-64: Of two engines of one store each takes the connection again after a while, and nothing stays unsent")
  func fenced() async throws {
    let one = try Side(transport)
    let other = try SyncEngine(
      store: one.temporary.store, configuration: ModelDevice.configuration(transport, ModelTokens(["good"])))
    let reader = try Side(transport)
    one.engine.start()
    reader.engine.start()
    try one.write(1, x: 1)
    try await one.engine.waitForUpload()
    other.start()
    for key in 2...30 {
      try one.write(key, x: 1)
      // Each engine may be without the connection when it is asked.
      if key % 7 == 0 { try await (key % 2 == 0 ? one.engine : other).waitForUpload() }
    }
    try await one.engine.waitForUpload()
    try await other.waitForUpload()
    #expect(!one.engine.status.isInactive && !other.status.isInactive)
    while try reader.content.count < 30 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try reader.content == one.content)
    for engine in [one.engine, other, reader.engine] { await engine.stop() }
  }

  @Test("A transaction is sent, and arrives, without a wait for it")
  func follows() async throws {
    let (one, two) = (try Side(transport), try Side(transport))
    for side in [one, two] { side.engine.start() }
    try await two.engine.waitForDownload()
    try one.write(1, x: 7)
    let arrived = EventLog()
    let token = two.temporary.store.addCommitHandler { _ in arrived.append(.status(EngineStatus())) }
    for _ in 0..<3_000 where try two.content.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try two.content == [ModelDevice.name(1): ["x=7"]] && !arrived.all.isEmpty)
    two.temporary.store.removeCommitHandler(token)
    for side in [one, two] { await side.engine.stop() }
  }

  @Test("Y-36: without a connection everything can be written, and a wait ends when there is one")
  func unreachable() async throws {
    transport.setReachable(false)
    let side = try Side(transport)
    try await side.engine.waitForUpload()
    side.engine.start()
    try side.write(1, x: 1)
    let engine = side.engine
    let wait = Task { try await engine.waitForUpload() }
    try await side.wait { $0.unsentCommits == 1 && $0.oldestUnsent != nil }
    while transport.attempts < 3 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(side.failures == [.transport(.unreachable("no network"))])
    transport.setReachable(true)
    try await wait.value
    #expect(side.engine.status.unsentCommits == 0 && side.engine.status.connection == .connected)
    await side.engine.stop()
  }

  @Test("Y-2: the set of subscriptions is complete, and observers hear of it and of the progress")
  func complete() async throws {
    let one = try Side(transport)
    one.engine.start()
    for key in 1...20 { try one.write(key, x: 1) }
    try await one.engine.waitForUpload()
    let two = try Side(transport)
    two.engine.start()
    try await two.engine.waitForDownload()
    let record = try #require(try SubscriptionSetRecord.newest(in: two.temporary.snapshot))
    #expect(record.state == .complete)
    #expect(two.said.contains(.subscriptions(version: 1, error: nil)))
    let statuses = two.said.compactMap { if case .status(let status) = $0 { status } else { nil } }
    #expect(statuses.contains { $0.phase == .bootstrapping && $0.objectsExpected == 20 })
    #expect(two.engine.status.phase == .following && two.engine.status.lastSynced != nil)
    for side in [one, two] { await side.engine.stop() }
  }

  @Test("Y-56: when the token has expired its source is asked again, and the session goes on")
  func expired() async throws {
    transport.withServer { $0.refusedTokens = ["old": .tokenExpired] }
    let tokens = ModelTokens(["old", "new"])
    let side = try Side(transport, tokens)
    side.engine.start()
    try await side.engine.waitForDownload()
    // On a busy machine the connection may be given up and opened again meanwhile, with the token that the source gives then.
    #expect(
      tokens.asked.prefix(2) == [.connecting, .expired] && tokens.asked.dropFirst(2).allSatisfy { $0 == .connecting })
    let used = transport.withServer { $0.tokens }
    #expect(used.prefix(2) == ["old", "new"] && used.dropFirst(2).allSatisfy { $0 == "new" }, "\(used)")
    await side.engine.stop()
  }

  @Test("Y-56: a token that grows old is replaced over the open connection, whatever the device's clock says")
  func renewed() async throws {
    // The server's clock is years slow.
    transport.withServer { $0.tokenLife = 1_500 }
    let tokens = ModelTokens(["one", "two", "three"])
    let side = try Side(transport, tokens)
    side.engine.start()
    for _ in 0..<3_000 where transport.withServer({ $0.tokens.count }) < 3 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(tokens.asked.prefix(3) == [.connecting, .expiring, .expiring])
    #expect(transport.withServer { $0.tokens } == ["one", "two", "three"])
    #expect(transport.attempts == 1)
    try side.write(1, x: 1)
    try await side.engine.waitForUpload()
    #expect(side.failures == [])
    await side.engine.stop()
  }

  @Test("Y-56: without a token the engine is inactive and says so once; a new one brings it back")
  func signIn() async throws {
    let side = try Side(transport, ModelTokens([]))
    side.engine.start()
    try await side.wait { $0.isInactive }
    #expect(side.failures == [.signInRequired])
    await #expect(throws: EngineFailure.signInRequired) { try await side.engine.waitForDownload() }
    try side.write(1, x: 1)
    #expect(try side.content.count == 1)
    await side.engine.stop()
  }

  @Test("Y-57: a suspended engine has no connection, and goes on after it is resumed")
  func suspend() async throws {
    let side = try Side(transport)
    side.engine.start()
    try await side.engine.waitForDownload()
    side.engine.suspend()
    try await side.wait { $0.isSuspended && $0.connection == .disconnected }
    try side.write(1, x: 1)
    try await side.wait { $0.unsentCommits == 1 }
    let engine = side.engine
    let wait = Task { try await engine.waitForUpload() }
    side.engine.resume()
    try await wait.value
    #expect(transport.withServer { $0.objects.states.count } == 1)
    await side.engine.stop()
    await #expect(throws: EngineFailure.stopped) { try await side.engine.waitForUpload() }
  }

  @Test("Connections that end while objects come and go lose nothing")
  func interrupted() async throws {
    let (one, two) = (try Side(transport), try Side(transport))
    for side in [one, two] { side.engine.start() }
    for key in 1...60 {
      try (key % 2 == 0 ? one : two).write(key, x: Int64(100 + key))
      if key % 10 == 0 {
        transport.setReachable(false)
        transport.setReachable(true)
      }
    }
    for side in [one, two] { try await side.engine.waitForUpload() }
    for side in [one, two] { try await side.engine.waitForDownload() }
    #expect(try one.content.count == 60)
    #expect(try two.content.count == 60)
    #expect(try one.content == two.content)
    #expect(transport.withServer { $0.faults } == [])
    for side in [one, two] { await side.engine.stop() }
  }

  @Test("A store without a synced class has no engine")
  func nothing() throws {
    let temporary = try TemporaryStore()
    #expect(throws: StorageError.self) {
      try SyncEngine(store: temporary.store, configuration: ModelDevice.configuration())
    }
  }
}
