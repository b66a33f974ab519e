import Foundation
import LarderLocks
import LarderStorage
import TestSupport
import TestTraits
import Testing

@testable import LarderObservation

/// Commits of a second process reach observers of this one. Each step waits for the other side's answer, never for a
/// time.
@Suite("Observing another process", .timeLimit(.minutes(30)))
struct OtherProcessTests {
  /// A side whose context is the observer's own background queue.
  private final class Listener: DeliveryTarget, Sendable {
    private let group = Lock<ObservationGroup?>(nil)
    let calls: AsyncStream<(keys: [ObjectKey], change: CollectionChangeSet?)>
    private let continuation: AsyncStream<(keys: [ObjectKey], change: CollectionChangeSet?)>.Continuation

    init() { (calls, continuation) = AsyncStream.makeStream() }

    func deliver(_ block: @escaping @Sendable () -> Void) { block() }

    func observe(_ fixture: NodeStore, _ query: NodeQuery) throws -> ObservationHandle {
      let made = StoreObserver.shared(for: fixture.store).makeGroup(
        at: try fixture.store.snapshot().moment, target: self
      ) { [weak self] in
        guard let group = self?.group.withLock({ $0 }), let ready = group.readySnapshot else { return }
        group.deliver(to: ready, .ready)
      }
      group.withLock { $0 = made }
      return made.observe(.query(query, scope: .standard)) { [continuation] event in
        var change: CollectionChangeSet?
        if case .update(let set) = event.change { change = set }
        continuation.yield((event.keys?.keys ?? [], change))
      }
    }
  }

  @Test("M-120, N-80 each commit of another process arrives, with its change set")
  func arrives() async throws {
    let fixture = try NodeStore()
    let keys = try fixture.add(5, 7)
    let listener = Listener()
    let handle = try listener.observe(fixture, fixture.query(atLeast: 6, sorted: true))
    var calls = listener.calls.makeAsyncIterator()
    #expect(await calls.next()?.keys == [keys[1]])
    let worker = try WorkerProcess("NodeWorker", [fixture.store.path])
    func tell(_ line: String) throws {
      try worker.send(line)
      #expect(worker.readLine().flatMap { UInt64($0) } != nil, "\(worker.errorOutput)")
    }
    try tell("set 0 6")
    #expect(await calls.next()?.change == .init(insertions: [0]))
    try tell("set 0 9")
    #expect(await calls.next()?.change == .init(deletions: [0], insertions: [1]))
    try tell("set 0 9")
    #expect(await calls.next()?.change == .init(modifications: [1]))
    try tell("delete \(keys[1].rawValue)")
    #expect(await calls.next()?.change == .init(deletions: [0]))
    try fixture.add(8)
    #expect(await calls.next()?.change == .init(insertions: [0]))
    worker.closeInput()
    #expect(worker.waitUntilExit() == 0)
    handle.invalidate()
  }

  @Test("N-80 two processes that commit at once lose nothing, and every change set leads to the keys it came with")
  func together() async throws {
    let fixture = try NodeStore()
    let listener = Listener()
    let handle = try listener.observe(fixture, fixture.query())
    let worker = try WorkerProcess("NodeWorker", [fixture.store.path])
    for number in 0..<60 as Range<Int64> {
      try worker.send("add \(number)")
      try fixture.add(number)
    }
    for _ in 0..<60 { #expect(worker.readLine() != nil, "\(worker.errorOutput)") }
    worker.closeInput()
    #expect(worker.waitUntilExit() == 0)
    var keys: [ObjectKey] = []
    for await call in listener.calls {
      if let change = call.change { #expect(change.apply(to: keys, new: call.keys) == call.keys) }
      keys = call.keys
      if keys.count == 120 { break }
    }
    #expect(try fixture.store.snapshot().count(of: fixture.node) == 120)
    let read = try fixture.store.snapshot()
    #expect(read.version == 121)
    handle.invalidate()
  }

  @Test("a commit of another process between two of ours is what the second one goes on from")
  func between() throws {
    let fixture = try NodeStore()
    let worker = try WorkerProcess("NodeWorker", [fixture.store.path])
    func tell(_ line: String) throws {
      try worker.send(line)
      #expect(worker.readLine().flatMap { UInt64($0) } != nil, "\(worker.errorOutput)")
    }
    let first = try fixture.add(1)[0]
    try tell("add 2")
    try tell("set 0 10")
    let third = try fixture.add(3)[0]
    #expect(third.rawValue == first.rawValue + 2)
    try tell("delete 1")
    try fixture.relabel(third)
    let read = try fixture.store.snapshot()
    #expect(try read.count(of: fixture.node) == 2)
    #expect(try read.value(fixture.node, fixture.value, first) == .int(10))
    #expect(try read.value(fixture.node, fixture.value, third) == .int(3))
    #expect(try StoreVerifier.verify(read).isEmpty)
    worker.closeInput()
    #expect(worker.waitUntilExit() == 0)
  }

  /// Commits of each process; `LARDER_TRANSACTIONS` says how many for all random tests together.
  private static let commits =
    (ProcessInfo.processInfo.environment["LARDER_TRANSACTIONS"].flatMap { Int($0) } ?? 2_000) / 10

  @Test(
    "N-80, N-10 two processes change random objects: every change set leads to a fresh evaluation of its version",
    .long,
    arguments: 0..<3)
  func random(kind: Int) async throws {
    let fixture = try NodeStore()
    try fixture.write { writer in for number in 0..<30 as Range<Int64> { _ = try fixture.create(writer, number) } }
    let query = [
      fixture.query(atLeast: 15, sorted: true), fixture.query(atLeast: 15, throughLink: true),
      fixture.query(atLeast: 10, throughLink: true, sorted: true),
    ][kind]
    let state = Lock<(keys: [ObjectKey], calls: Int, wrong: [String])>(([], 0, []))
    let follower = Follower(fixture, query) { event, keys in
      let fresh = (try? query.evaluate(event.snapshot)) ?? []
      state.withLock { state in
        var expected = keys
        if case .update(let set) = event.change { expected = set.apply(to: state.keys, new: keys) }
        if keys != fresh || keys != expected { state.wrong.append("version \(event.snapshot.version)") }
        (state.keys, state.calls) = (keys, state.calls + 1)
      }
    }
    try follower.start()
    let worker = try WorkerProcess("NodeWorker", [fixture.store.path])
    var random = SeededRandom.forTest()
    for _ in 0..<Self.commits / 3 {
      let theirs = (random.int(0..<30), random.int(0..<30))
      try worker.send("\(random.oneIn(3) ? "link" : "set") \(theirs.0) \(theirs.1)")
      let mine = ObjectKey(rawValue: UInt64(random.int(0..<30)))
      if random.oneIn(3) {
        try fixture.link(mine, random.oneIn(4) ? nil : ObjectKey(rawValue: UInt64(random.int(0..<30))))
      } else {
        try fixture.set(mine, Int64(random.int(0...30)))
      }
      if random.oneIn(8) { #expect(worker.readLine() != nil) }
    }
    worker.closeInput()
    while worker.readLine() != nil {}
    #expect(worker.waitUntilExit() == 0, "\(worker.errorOutput)")
    try await follower.reach(try fixture.store.newestVersion)
    let (keys, calls, wrong) = state.withLock { $0 }
    #expect(wrong.isEmpty && calls > 1)
    #expect(keys == (try query.evaluate(fixture.store.snapshot())))
    follower.stop()
  }

  @Test("N-80 how long a commit of another process takes to get here, printed")
  func latency() async throws {
    let fixture = try NodeStore()
    try fixture.add(1)
    let listener = Listener()
    let handle = try listener.observe(fixture, fixture.query())
    var calls = listener.calls.makeAsyncIterator()
    _ = await calls.next()
    let worker = try WorkerProcess("NodeWorker", [fixture.store.path])
    var delays: [Duration] = []
    for number in 0..<50 {
      let start = ContinuousClock.now
      try worker.send("set 0 \(number)")
      #expect(await calls.next()?.change == .init(modifications: [0]))
      delays.append(ContinuousClock.now - start)
      #expect(worker.readLine() != nil)
    }
    delays.sort()
    print("command to another process, its commit, delivery here: median \(delays[25]), slowest \(delays[49])")
    worker.closeInput()
    worker.waitUntilExit()
    handle.invalidate()
  }

  /// Moves on and calls by itself, on the observer's thread.
  private final class Follower: DeliveryTarget, Sendable {
    private let fixture: NodeStore
    private let query: NodeQuery
    private let call: @Sendable (ObservationEvent, [ObjectKey]) -> Void
    private let state = Lock<(group: ObservationGroup?, handle: ObservationHandle?, version: UInt64)>((nil, nil, 0))

    init(
      _ fixture: NodeStore, _ query: NodeQuery, _ call: @escaping @Sendable (ObservationEvent, [ObjectKey]) -> Void
    ) {
      (self.fixture, self.query, self.call) = (fixture, query, call)
    }

    func deliver(_ block: @escaping @Sendable () -> Void) { block() }

    func start() throws {
      let group = StoreObserver.shared(for: fixture.store).makeGroup(
        at: try fixture.store.snapshot().moment, target: self
      ) { [weak self] in
        guard let self, let group = self.state.withLock({ $0.group }), let ready = group.readySnapshot else { return }
        group.deliver(to: ready, .ready)
        self.state.withLock { $0.version = max($0.version, ready.version) }
      }
      state.withLock { $0.group = group }
      let handle = group.observe(.query(query, scope: .standard)) { [call] event in call(event, event.keys?.keys ?? [])
      }
      state.withLock { $0.handle = handle }
    }

    /// Waits until everything up to a version was delivered.
    func reach(_ version: UInt64) async throws {
      while state.withLock({ $0.version }) < version { await Task.yield() }
    }

    func stop() { state.withLock { $0.handle }?.invalidate() }
  }
}
