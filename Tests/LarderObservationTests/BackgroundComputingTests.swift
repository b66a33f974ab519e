import Dispatch
import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

/// N-67: a turn tells what was computed, and neither computes nor waits for what the background computes. As in `DeliveryTests` nothing
/// runs by itself.
@Suite("What turns leave to the background", .timeLimit(.minutes(30)))
struct BackgroundComputingTests {
  private let fixture: NodeStore
  private let background = Pump()
  private let observer: StoreObserver
  private let side: Side

  init() throws {
    fixture = try NodeStore()
    let background = background
    observer = StoreObserver(store: fixture.store, schedule: { background.deliver($0) })
    side = try Side(fixture.store, observer)
  }

  /// Stops the next caller, once it is closed.
  private final class Gate: Sendable {
    private let isClosed = Lock(false)
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)
    private let passed = Lock(0)

    var count: Int { passed.withLock { $0 } }
    func close() { isClosed.withLock { $0 = true } }
    func waitUntilReached() { reached.wait() }
    func open() { opened.signal() }

    func pass() {
      passed.withLock { $0 += 1 }
      let isFirst = isClosed.withLock { isClosed in
        defer { isClosed = false }
        return isClosed
      }
      guard isFirst else { return }
      reached.signal()
      opened.wait()
    }
  }

  /// A query that passes a gate with whatever it is asked.
  private func gated(_ gate: Gate) -> AskedQuery { AskedQuery(base: fixture.query()) { gate.pass() } }

  private var version: UInt64 { get throws { try fixture.store.newestVersion } }

  private func turn() {
    background.run()
    side.pump.run()
  }

  /// Runs a turn while the background is held at a gate; whether the turn got through.
  private func turnWhileHeld(at gate: Gate) -> Bool {
    gate.close()
    let (computed, turned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (background, pump) = (background, side.pump)
    DispatchQueue.global().async {
      background.run()
      computed.signal()
    }
    gate.waitUntilReached()
    DispatchQueue.global().async {
      pump.run()
      turned.signal()
    }
    let isThrough = turned.wait(timeout: .now() + 10) == .success
    gate.open()
    computed.wait()
    if !isThrough { turned.wait() }
    return isThrough
  }

  @Test("N-67 a turn delivers what was computed while the background computes the next; nothing is lost or told twice")
  func computingNext() throws {
    let gate = Gate()
    let handle = side.observe("a", .query(gated(gate), scope: .standard))
    turn()
    try fixture.add(1)
    background.run()
    try fixture.add(2)
    _ = side.diary()
    #expect(turnWhileHeld(at: gate))
    #expect(side.diary() == ["at \(try version - 1)", "a -[] +[0] ~[]"])
    side.pump.run()
    #expect(side.diary() == ["at \(try version)", "a -[] +[1] ~[]"])
    turn()
    #expect(side.diary() == [])
    withExtendedLifetime(handle) {}
  }

  @Test("N-67 a turn after a small commit of its own does not wait for the first evaluation of another query")
  func firstEvaluation() throws {
    let gate = Gate()
    let first = side.observe("a", .query(fixture.query(), scope: .standard))
    turn()
    try side.write { _ = try fixture.create($0, 1) }
    let second = side.observe("b", .query(gated(gate), scope: .standard))
    _ = side.diary()
    #expect(turnWhileHeld(at: gate))
    turn()
    #expect(side.diary() == ["a -[] +[0] ~[]", "b initial 1"])
    withExtendedLifetime((first, second)) {}
  }

  @Test(
    "N-67 a query that is observed beside a small commit is not evaluated in the turn; who was there before is reported"
  )
  func observedBesideCommit() throws {
    let gate = Gate()
    let first = side.observe("a", .query(fixture.query(), scope: .standard))
    turn()
    try side.write { _ = try fixture.create($0, 1) }
    let second = side.observe("b", .query(gated(gate), scope: .standard))
    _ = side.diary()
    side.pump.run()
    #expect(side.diary() == ["a -[] +[0] ~[]"])
    #expect(gate.count == 0)
    turn()
    #expect(side.diary() == ["b initial 1"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("N-6, N-67 a first call at an older version is computed in the background, whatever is committed meanwhile")
  func olderVersion() throws {
    side.autorefresh = false
    try fixture.add(1)
    try side.refresh()
    let gate = Gate()
    try fixture.add(2)
    let handle = side.observe("a", .query(gated(gate), scope: .standard))
    _ = side.diary()
    background.run()
    let asked = gate.count
    side.pump.run()
    #expect(gate.count == asked)
    try fixture.add(3)
    background.run()
    try fixture.add(4)
    background.run()
    side.pump.run()
    #expect(side.diary() == ["a initial 1"])
    try side.refresh()
    #expect(side.diary() == ["at \(try version)", "a -[] +[1, 2, 3] ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test("N-5, N-7 a version that was overtaken before it was delivered is not; the newer one is")
  func overtaken() throws {
    let handle = side.observe("a", .query(fixture.query(), scope: .standard))
    turn()
    try fixture.add(1)
    background.run()
    let ready = try #require(side.group.readySnapshot)
    try fixture.add(2)
    background.run()
    _ = side.diary()
    side.move(to: ready, .ready)
    #expect(side.diary() == [])
    turn()
    #expect(side.diary() == ["at \(try version)", "a -[] +[0, 1] ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test(
    "N-3, N-5 who is brought to a version between hears of the newer one afterwards, also when it brings nothing new")
  func between() throws {
    let handle = side.observe("a", .query(fixture.query(atLeast: 0), scope: .standard))
    turn()
    try fixture.add(1)
    let middle = try fixture.store.snapshot()
    try fixture.add(2)
    background.run()
    _ = side.diary()
    side.move(to: middle, .complete)
    #expect(side.diary() == ["at \(middle.version)", "a -[] +[0] ~[]"])
    side.pump.run()
    #expect(side.diary() == [])
    turn()
    #expect(side.diary() == ["at \(try version)", "a -[] +[1] ~[]"])
    try fixture.add(3)
    let third = try fixture.store.snapshot()
    try fixture.add(-1)
    background.run()
    side.move(to: third, .complete)
    side.pump.run()
    turn()
    #expect(side.diary() == ["at \(third.version)", "a -[] +[2] ~[]", "at \(try version)"])
    withExtendedLifetime(handle) {}
  }
}
