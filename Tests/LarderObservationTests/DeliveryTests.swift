import LarderLocks
import LarderStorage
import TestSupport
import Testing

@testable import LarderObservation

/// Tests the calls and their order. Nothing runs by itself: `background.run()` is the observer's thread, `side.pump.run()` a turn of the observing
/// side's run loop.
@Suite("Delivery of changes")
struct DeliveryTests {
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

  private func turn() {
    background.run()
    side.pump.run()
  }

  private func query(atLeast least: Int64 = .min) -> ObservationSubject {
    .query(fixture.query(atLeast: least), scope: .standard)
  }

  private var version: UInt64 { get throws { try fixture.store.newestVersion } }

  @Test("N-2 the first call is initial, later, and earlier commits are folded into it")
  func initial() throws {
    let handle = side.observe("a", query())
    try fixture.add(1, 2)
    #expect(side.diary() == [])
    turn()
    #expect(side.diary() == ["at \(try version)", "a initial 2"])
    turn()
    #expect(side.diary() == [])
    withExtendedLifetime(handle) {}
  }

  @Test("N-5 a commit elsewhere moves the side on its next turn, and then calls")
  func commitElsewhere() throws {
    let handle = side.observe("a", query(atLeast: 5))
    turn()
    _ = side.diary()
    try fixture.add(9)
    background.run()
    #expect(side.diary() == [])
    side.pump.run()
    #expect(side.diary() == ["at \(try version)", "a -[] +[0] ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test("N-7 what happens between two turns is one call, also when it is computed in between")
  func coalescing() throws {
    let handle = side.observe("a", query())
    turn()
    _ = side.diary()
    let keys = try fixture.add(1, 2)
    background.run()
    try fixture.set(keys[0], 7)
    background.run()
    try fixture.delete(keys[1])
    background.run()
    side.pump.run()
    #expect(side.diary() == ["at \(try version)", "a -[] +[0] ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test("N-8 commits without effect on the collection are silent")
  func silence() throws {
    let handle = side.observe("a", query(atLeast: 100))
    turn()
    _ = side.diary()
    try fixture.add(1)
    turn()
    #expect(side.diary() == ["at \(try version)"])
    let keys = try fixture.add(100)
    try fixture.delete(keys[0])
    turn()
    #expect(side.diary() == ["at \(try version)"])
    withExtendedLifetime(handle) {}
  }

  @Test("N-3 a pending initial is delivered inside of the write, without its changes; N-4 these come on a later turn")
  func initialInsideWrite() throws {
    let handle = side.observe("a", query())
    try side.write { _ = try fixture.create($0, 1) }
    #expect(side.diary() == ["a initial 0", "write"])
    turn()
    #expect(side.diary() == ["a -[] +[0] ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test("N-3 a pending update is delivered inside of the write, and by refresh")
  func pendingUpdates() throws {
    let handle = side.observe("a", query())
    turn()
    _ = side.diary()
    try fixture.add(1)
    try side.write { _ = try fixture.create($0, 2) }
    #expect(side.diary() == ["at \(try version - 1)", "a -[] +[0] ~[]", "write"])
    try fixture.add(3)
    try side.refresh()
    #expect(side.diary() == ["at \(try version)", "a -[] +[1, 2] ~[]"])
    turn()
    #expect(side.diary() == [])
    withExtendedLifetime(handle) {}
  }

  @Test("N-6 without autorefresh updates wait for a refresh, the initial call does not")
  func noAutorefresh() throws {
    side.autorefresh = false
    let handle = side.observe("a", query())
    try fixture.add(1)
    // The first one asks for the call at the side's own version.
    turn()
    turn()
    #expect(side.diary() == ["a initial 0"])
    try fixture.add(2)
    turn()
    #expect(side.diary() == [])
    try side.refresh()
    #expect(side.diary() == ["at \(try version)", "a -[] +[0, 1] ~[]"])
    withExtendedLifetime(handle) {}
  }

  @Test("N-63 after invalidate no call is made, even when one is ready")
  func invalidate() throws {
    let handle = side.observe("a", query())
    turn()
    _ = side.diary()
    try fixture.add(1)
    background.run()
    handle.invalidate()
    handle.invalidate()
    side.pump.run()
    #expect(side.diary() == ["at \(try version)"])
    #expect(!handle.isValid)
    #expect(side.group.count == 0)
  }

  @Test("N-63 dropping the handle ends the observation and releases what the call captured")
  func dropped() throws {
    final class Captured: Sendable {}
    weak var weakly: Captured?
    do {
      let captured = Captured()
      weakly = captured
      let handle = side.observe("a", query()) { withExtendedLifetime(captured) {} }
      turn()
      withExtendedLifetime(handle) {}
    }
    _ = side.diary()
    #expect(weakly == nil)
    try fixture.add(1)
    turn()
    #expect(side.diary() == ["at \(try version)"])
  }

  @Test("N-63 an observer may end itself and others from inside of its call")
  func invalidateInside() throws {
    let handles = Lock<[ObservationHandle]>([])
    let first = side.observe("a", query()) { for handle in handles.withLock({ $0 }) { handle.invalidate() } }
    let second = side.observe("b", query())
    handles.withLock { $0 = [first, second] }
    turn()
    #expect(side.diary() == ["a initial 0"])
    try fixture.add(1)
    turn()
    #expect(side.diary() == ["at \(try version)"])
  }

  @Test("N-65 a write begun inside of a call first delivers what the others are due")
  func writeInside() throws {
    let hasWritten = Lock(false)
    let side = side
    let fixture = fixture
    let first = side.observe("a", query()) {
      let isFirst = hasWritten.withLock { done in
        defer { done = true }
        return !done
      }
      if isFirst { try? side.write { _ = try fixture.create($0, 1) } }
    }
    let second = side.observe("b", query())
    turn()
    turn()
    #expect(side.diary() == ["a initial 0", "b initial 0", "write", "a -[] +[0] ~[]", "b -[] +[0] ~[]"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("N-66 given [a], skip-insert b at 0, then modify a: modification index 1")
  func skipping() throws {
    let key = try fixture.add(5)[0]
    let sorted = ObservationSubject.query(fixture.query(sorted: true), scope: .standard)
    let skipped = side.observe("a", sorted, checked: false)
    let other = side.observe("b", sorted)
    turn()
    _ = side.diary()
    try side.write(skipping: [skipped]) { _ = try fixture.create($0, 1) }
    turn()
    #expect(side.diary() == ["write", "b -[] +[0] ~[]"])
    try fixture.relabel(key)
    turn()
    #expect(side.diary().dropFirst() == ["a -[] +[] ~[1]", "b -[] +[] ~[1]"])
    withExtendedLifetime(other) {}
  }

  @Test("N-18 N-20 a list tells of its operations, and of its owner's end")
  func lists() throws {
    let keys = try fixture.add(1, 2, 3)
    let owner = ObjectLink(classID: fixture.node, key: keys[0])
    let others = side.observe("o", .list(ObservedList(owner: owner, column: fixture.others), scope: .standard))
    let numbers = side.observe("n", .list(ObservedList(owner: owner, column: fixture.numbers), scope: .standard))
    turn()
    #expect(side.diary() == ["at \(try version)", "o initial", "n initial"])
    try fixture.write { writer in
      try writer.lists.insert(fixture.node, fixture.others, keys[0], at: 0, [.link(keys[1]), .link(keys[2])])
      try writer.lists.insert(fixture.node, fixture.numbers, keys[0], at: 0, [.int(1), .int(2), .int(3)])
    }
    turn()
    #expect(side.diary().dropFirst() == ["o -[] +[0, 1] ~[]", "n -[] +[0, 1, 2] ~[]"])
    try fixture.relabel(keys[2])
    turn()
    #expect(side.diary().dropFirst() == ["o -[] +[] ~[1]"])
    try fixture.write { writer in
      try writer.lists.move(fixture.node, fixture.numbers, keys[0], from: 0, to: 2)
      try writer.lists.set(fixture.node, fixture.numbers, keys[0], at: 0, .int(9))
    }
    turn()
    #expect(side.diary().dropFirst() == ["n -[0] +[2] ~[1]"])
    try fixture.delete(keys[1])
    turn()
    #expect(side.diary().dropFirst() == ["o -[0] +[] ~[]"])
    try fixture.delete(keys[0])
    turn()
    #expect(side.diary().dropFirst() == ["o -[0] +[] ~[]", "n -[0, 1, 2] +[] ~[]"])
    try fixture.add(1)
    turn()
    #expect(side.diary().count == 1)
    withExtendedLifetime((others, numbers)) {}
  }

  @Test("N-40 N-41 N-43 objects tell which of their properties changed, and of their end")
  func objects() throws {
    let keys = try fixture.add(1, 2)
    try fixture.link(keys[0], keys[1])
    try side.refresh()
    _ = side.diary()
    let object = ObjectLink(classID: fixture.node, key: keys[0])
    let own = side.observe("own", .object(object, scope: .own))
    let path = [PathStep(fixture.node, fixture.next), PathStep(fixture.node, fixture.label)]
    let linked = side.observe("path", .object(object, scope: .paths([path])))
    turn()
    #expect(side.diary() == [])
    try fixture.relabel(keys[0])
    try fixture.set(keys[0], 5)
    turn()
    #expect(side.diary().dropFirst() == ["own columns [\(fixture.value.rawValue), \(fixture.label.rawValue)]"])
    try fixture.relabel(keys[1])
    turn()
    #expect(side.diary().dropFirst() == ["path columns [\(fixture.next.rawValue)]"])
    try fixture.write { try $0.lists.insert(fixture.node, fixture.numbers, keys[0], at: 0, [.int(1)]) }
    turn()
    #expect(side.diary().dropFirst() == ["own columns [\(fixture.numbers.rawValue)]"])
    try fixture.delete(keys[0])
    turn()
    #expect(side.diary().dropFirst() == ["own deleted", "path deleted"])
    try fixture.add(7)
    turn()
    #expect(side.diary().count == 1)
    withExtendedLifetime((own, linked)) {}
  }

  @Test("N-67 all is computed in the background: a turn asks the query nothing; N-3 a write computes what is missing")
  func inBackground() throws {
    let questions = NodeQuery.Counter()
    let query = AskedQuery(base: fixture.query(sorted: true)) { questions.add() }
    let handle = side.observe("a", .query(query, scope: .standard))
    for number in 0..<3 as Range<Int64> {
      try fixture.add(number, 9 - number)
      background.run()
      let asked = questions.count
      #expect(asked > 0)
      side.pump.run()
      #expect(questions.count == asked)
    }
    #expect(side.diary().count == 6)
    try fixture.add(5)
    let asked = questions.count
    try side.write { _ = try fixture.create($0, 6) }
    #expect(questions.count > asked)
    withExtendedLifetime(handle) {}
  }

  @Test("an observed collection takes at most 16 bytes an object, after many changes as well, however it is ordered")
  func memory() throws {
    var random = SeededRandom.forTest()
    let keys = try fixture.write { writer in
      try (0..<20_000).map { _ in try fixture.create(writer, Int64(random.int(0...5_000))) }
    }
    for isSorted in [false, true] {
      let side = try Side(fixture.store, observer)
      let bytes = Lock<[(bytes: Int, count: Int)]>([])
      let query = ObservationSubject.query(fixture.query(atLeast: 1_000, sorted: isSorted), scope: .standard)
      let handle = side.group.observe(query) { event in
        if let keys = event.keys { bytes.withLock { $0.append((keys.byteCount, keys.count)) } }
      }
      for _ in 0..<40 {
        try fixture.write { writer in
          for _ in 0..<100 {
            let key = random.pick(keys)
            try writer.set(fixture.node, fixture.value, key, .int(Int64(random.int(0...5_000))))
          }
        }
        background.run()
        side.pump.run()
      }
      let seen = bytes.withLock { $0 }
      #expect(seen.count == 40 && seen.allSatisfy { $0.count > 10_000 && $0.bytes <= 16 * $0.count })
      withExtendedLifetime(handle) {}
    }
  }

  @Test("two sides are notified independently of each other")
  func twoSides() throws {
    let other = try Side(fixture.store, observer)
    let handles = [side.observe("a", query()), other.observe("b", query())]
    turn()
    try fixture.add(1)
    turn()
    try fixture.add(2)
    background.run()
    other.pump.run()
    #expect(side.diary() == ["a initial 0", "at \(try version - 1)", "a -[] +[0] ~[]"])
    #expect(other.diary() == ["at \(try version)", "b initial 2"])
    side.pump.run()
    #expect(side.diary() == ["at \(try version)", "a -[] +[1] ~[]"])
    withExtendedLifetime(handles) {}
  }

  @Test("observers do not keep versions alive that everybody has left")
  func pins() throws {
    let handle = side.observe("a", query())
    turn()
    weak let first: Snapshot? = side.snapshot
    for number in 0..<3 as Range<Int64> {
      try fixture.add(number)
      turn()
    }
    #expect(first == nil)
    withExtendedLifetime(handle) {}
  }

  @Test("random writes, turns, refreshes and skips: every call is right", arguments: 0..<3)
  func randomSchedule(kind: Int) throws {
    var random = SeededRandom.forTest()
    let queries = [
      fixture.query(atLeast: 10), fixture.query(sorted: true),
      fixture.query(atLeast: 5, throughLink: true, sorted: true),
    ]
    let handle = side.observe("a", .query(queries[kind], scope: .standard))
    var living = try fixture.add(1, 2, 3)
    for _ in 0..<150 {
      switch random.int(0...6) {
      case 0: background.run()
      case 1: side.pump.run()
      case 2: try side.refresh()
      case 3: try side.write { living.append(try fixture.create($0, Int64(random.int(0...20)))) }
      case 4 where living.count > 2: try fixture.delete(living.remove(at: random.int(0..<living.count)))
      case 5: try fixture.link(random.pick(living), random.pick(living))
      default: try fixture.set(random.pick(living), Int64(random.int(0...20)))
      }
    }
    let diary = side.diary()
    #expect(!diary.contains { $0.contains("wrong") || $0.contains("not at") || $0.contains("failed") }, "\(diary)")
    #expect(diary.contains { $0.contains("+[") })
    withExtendedLifetime(handle) {}
  }

  @Test("the store's own observer delivers commits of this process by itself", .timeLimit(.minutes(30)))
  func byItself() async throws {
    let store = fixture.store
    let shared = StoreObserver.shared(for: store)
    #expect(shared === StoreObserver.shared(for: store))
    let (calls, continuation) = AsyncStream<Int>.makeStream()
    struct Direct: DeliveryTarget {
      func deliver(_ block: @escaping @Sendable () -> Void) { block() }
    }
    let box = Lock<ObservationGroup?>(nil)
    let group = shared.makeGroup(at: try fixture.store.snapshot().moment, target: Direct()) {
      guard let group = box.withLock({ $0 }), let ready = group.readySnapshot else { return }
      group.deliver(to: ready, .ready)
    }
    box.withLock { $0 = group }
    let handle = group.observe(query()) { continuation.yield($0.keys?.count ?? -1) }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    try fixture.add(1, 2, 3)
    #expect(await iterator.next() == 3)
    handle.invalidate()
  }
}
